"""Runs a command that cannot outlive the benchmark: `tether.py PARENT_PID COMMAND...`.

The kernel is asked to kill this process when its parent dies, then the command takes its place (same pid, so
that its CPU time can be read). A SIGKILL of the benchmark leaves no server behind either.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, command = int(sys.argv[1]), sys.argv[2:]
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before we asked
        raise SystemExit(1)
    os.execvp(command[0], command)  # noqa: S606  a shell would be one process more to kill


if __name__ == "__main__":
    main()
