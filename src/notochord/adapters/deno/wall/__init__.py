"""The second wall on Linux: Landlock, a system-call filter and limits that a process puts on itself before it starts Deno.

These modules run in a bare interpreter (`python -I -S`) for each start, so they import as little as they can.
"""
