"""Lets a script write in a process of its own until it is killed."""

import os
import subprocess
import sys
import time


def told_before_the_kill(script: str, *arguments: str, seconds: float) -> list[str]:
    """Run a script that says `ready`, waits for a line and then tells what it did; kill it after so many seconds.

    Return the lines that it told whole.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", script, *arguments]
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.stdin.write("go\n")
        process.stdin.flush()
        time.sleep(seconds)
        process.kill()
        return process.stdout.read().split("\n")[:-1]
