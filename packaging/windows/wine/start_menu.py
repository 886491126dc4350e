"""Starts a program as the Start menu does, without standard streams, and prints its exit code."""

import subprocess
import sys

done = subprocess.run(sys.argv[1:], creationflags=subprocess.DETACHED_PROCESS)
print("exit", done.returncode)
