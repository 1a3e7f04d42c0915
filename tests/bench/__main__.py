"""`make bench`: every measurement of this folder in turn, each in a process of its own; arguments choose some."""

import subprocess
import sys
from pathlib import Path

MEASUREMENTS = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))


def main(names: list[str]) -> int:
    """Exit code 1 when a measurement failed, 2 for a name that is none."""
    unknown = set(names) - set(MEASUREMENTS)
    if unknown:
        print(
            f"no such measurement: {', '.join(sorted(unknown))}; there are {', '.join(MEASUREMENTS)}", file=sys.stderr
        )
        return 2
    failed = False
    for name in names or MEASUREMENTS:
        print(f"-- {name}", flush=True)
        failed |= (
            subprocess.run([sys.executable, "-m", f"tests.bench.{name}"], stdin=subprocess.DEVNULL).returncode != 0
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
