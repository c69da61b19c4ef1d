"""Colours, sizes and the drawing of standard controls, all from `resources/theme/tokens.json`."""
