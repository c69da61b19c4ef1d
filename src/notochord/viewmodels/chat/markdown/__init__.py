"""Reads a model's Markdown while it arrives: cuts that stay, segments that are parsed alone, flat blocks to lay out."""
