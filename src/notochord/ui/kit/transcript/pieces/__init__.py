"""Blocks on screen: each lays itself out for a width, paints inside a clip, and finds the character at a point."""
