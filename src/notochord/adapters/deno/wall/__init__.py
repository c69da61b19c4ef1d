"""The second wall on Linux: Landlock, a system-call filter and limits, put on a process before it becomes Deno.

These modules run in a bare interpreter (`python -I -S`) for each start, so they import as little as they can.
"""
