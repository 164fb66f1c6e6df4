"""What is forked for the tests behaves as the program that users start."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fork_server import ROOT
from tests.gateways import children, clean_environment, run_command, start_gateway
from tests.waiting import wait_until

STARTER = """
import sys, time
from pathlib import Path
from tests.gateways import start_gateway
print(start_gateway(Path(sys.argv[1])).process.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.long
def test_forked_command_says_and_returns_what_the_program_does() -> None:
    for arguments in (["--version"], ["serve", "--port", "nothing"], ["config", "--nonsense"]):
        program = subprocess.run(
            [sys.executable, "-m", "gateway.cli", *arguments],
            capture_output=True,
            text=True,
            env=clean_environment(),
            cwd=ROOT,
            check=False,
        )
        forked = run_command(*arguments)
        assert (forked.returncode, forked.stdout, forked.stderr) == (
            program.returncode,
            program.stdout,
            program.stderr,
        )


def test_forked_gateway_has_its_own_group_and_tells_how_it_ended(tmp_path: Path) -> None:
    gateway = start_gateway(tmp_path)
    assert os.getpgid(gateway.process.pid) == gateway.process.pid
    assert gateway.process.poll() is None
    gateway.kill()
    assert gateway.process.poll() == -signal.SIGKILL
    gateway.process.kill()


@pytest.mark.long
def test_forked_gateway_ends_with_the_run_that_started_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", STARTER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as starter:
        assert starter.stdout is not None
        pid = int(starter.stdout.readline())
        family = [pid, *children(pid)]
        assert len(family) > 1
        starter.kill()
    wait_until(lambda: not any(Path(f"/proc/{each}").exists() for each in family), "all of it to end")
