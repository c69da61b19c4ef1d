"""Movements: short, and none at all where the user asked for reduced motion."""

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation

from notochord.ui.kit.theme.theme import Theme


class Glide(QObject):
    """Moves one number to where it is wanted; `step` hears each value on the way, and the last one in any case."""

    def __init__(self, theme: Theme, step: Callable[[float], None], parent: QObject, *, start: float = 0.0) -> None:
        super().__init__(parent)
        self._theme = theme
        self._step = step
        self._value = start
        self._animation = QVariantAnimation(self)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._moved)

    @property
    def value(self) -> float:
        return self._value

    def to(self, target: float) -> None:
        """Go to `target` from wherever the number is now."""
        self._animation.stop()
        if self._theme.reduced_motion or target == self._value:
            self._moved(target)
            return
        self._animation.setStartValue(self._value)
        self._animation.setEndValue(target)
        self._animation.setDuration(self._theme.tokens.milliseconds.calm)
        self._animation.start()

    def _moved(self, value: float) -> None:
        self._value = value
        self._step(value)
