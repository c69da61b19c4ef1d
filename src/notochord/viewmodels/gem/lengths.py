"""How long texts of a gem's author are shown at most, in characters."""

NAME = 80
LINE = 240
TEXT = 600
