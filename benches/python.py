#!/usr/bin/env python3
"""Measures the reader of the package for Python: rows a second of its processor time.

    PYTHONPATH=src/python benches/python.py [--counts] [--binary FILE] [--findings N] [--rounds N]
                                            [--record FILE --date DATE]

The program writes a report as an Arrow stream once. The reader then gets it from `cat`, which takes
the place of the program, so that only the reader is measured. Every round asserts the number of its
rows. Needs pyarrow. With `--counts`, one round of a short report is all that is done.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

from linktrawl import _stream


def write_report(binary, home, findings):
    """Writes a report of `findings` links, and returns its path."""
    text, report = os.path.join(home, "links.txt"), os.path.join(home, "links.arrow")
    with open(text, "w") as file:
        for number in range(findings):
            file.write(f"see http://host{number % 3000}.example/p/{number}?q=a for more\n")
    subprocess.run([binary, "scan", "--quiet", "--no-config", f"--format=arrow={report}", text],
                   check=True)
    return report


def read(report):
    """The rows of a report."""
    run = _stream.Run([report], program="cat")
    return sum(batch.num_rows for batch in _stream.whole(_stream.opened(run), run, (0,)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--binary", default="target/dist/linktrawl")
    parser.add_argument("--findings", type=int, default=500_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--record")
    parser.add_argument("--date")
    options = parser.parse_args()
    if options.counts:
        options.findings, options.rounds = 40_000, 1
    rates = []
    with tempfile.TemporaryDirectory() as home:
        report = write_report(options.binary, home, options.findings)
        size = os.path.getsize(report)
        # The first round imports pyarrow.
        for _ in range(options.rounds + 1):
            start = time.process_time()
            rows = read(report)
            if rows != options.findings:
                sys.exit(f"expected {options.findings} rows, found {rows}")
            rates.append(rows / (time.process_time() - start))
    commit = subprocess.run(["git", "describe", "--always", "--abbrev=12", "--dirty"],
                            capture_output=True, text=True).stdout.strip()
    lines = [f"date      {options.date}", f"commit    {commit}",
             f"system    {platform.system()} {platform.machine()}, {os.cpu_count()} processors", "",
             f"{options.findings} rows, {size} bytes of Arrow; rows a second of the reader's "
             "processor time", "",
             f"first round, with imports  {rates[0]:>12,.0f}",
             f"the rest, median           {statistics.median(rates[1:]):>12,.0f}",
             f"the rest, least            {min(rates[1:]):>12,.0f}"]
    print("\n".join(lines))
    if options.record:
        with open(options.record, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
