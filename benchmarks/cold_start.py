"""Cold start: from the command to a 200 of /health, on the embedded default, each time in an empty folder.

Nothing of the caller's settings.

Usage: python -m benchmarks.cold_start [RUNS]
"""

import http.client
import os
import statistics
import subprocess
import sys
import tempfile
import time

from benchmarks.processes import free_ports
from gateway.config.sources import without_settings

LIMIT_S = 30.0


def healthy(port: int) -> bool:
    """Whether /health answers 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == http.HTTPStatus.OK
    except OSError:
        return False
    finally:
        connection.close()


def once() -> float:
    """Seconds of one start."""
    (port,) = free_ports(1)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "gateway.cli", "serve", "--port", str(port), "--data-dir", folder]
        started = time.perf_counter()
        process = subprocess.Popen(command, env=without_settings(os.environ), stderr=subprocess.DEVNULL)
        try:
            while not healthy(port):
                if time.perf_counter() - started > LIMIT_S:
                    raise SystemExit("the gateway did not start")
                time.sleep(0.01)
            return time.perf_counter() - started
        finally:
            process.terminate()
            process.wait()


def main() -> None:
    """Start several times; print each and the median."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    seconds = [once() for _ in range(runs)]
    print("cold start to /health 200, s:", " ".join(f"{s:.2f}" for s in seconds))
    print(f"median {statistics.median(seconds):.2f} s of {runs}")


if __name__ == "__main__":
    main()
