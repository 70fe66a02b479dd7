#!/usr/bin/env python3
"""Measures what reports cost: one run in every format beside the same run in one.

    benches/reports.py [--counts] [--binary FILE] [--findings N] [--rounds N]
                       [--record FILE --date DATE]

A mailbox has `--findings` links, one of fifty malformed. What is counted is asserted first: the
records of the run, and what each format that is easy to count has of them. Programs take turns;
the median of the rounds is told. With `--counts`, the counts are all that is done.
"""

import argparse
import csv
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

BAD = 50


def formats(binary):
    """Every format that goes into a file."""
    listed = subprocess.run([binary, "--generate", "readme-formats"], capture_output=True,
                            text=True, check=True).stdout
    rows = [line for line in listed.splitlines() if line.startswith("| `")]
    return [row.split("`")[1] for row in rows]


def write_mailbox(path, findings):
    with open(path, "w") as file:
        for number in range(findings // 10):
            year = 1994 + number % 30
            file.write(f"From a@example.org Thu Dec  1 00:00:00 {year}\n"
                       f"Message-ID: <{number}@example.org>\n"
                       f"Date: Thu, 01 Dec {year} 00:00:00 +0000\nSubject: links\n\n")
            for link in range(10):
                one = 10 * number + link
                fault = "%zz" if one % BAD == 0 else ""
                file.write(f"see <http://host{one % 3000}.example/p/{one}{fault}>\n\n")


def run(binary, path, home, names):
    """Seconds, peak in MB."""
    reports = [f"--format={name}={home}/{name}" for name in names]
    start = time.monotonic()
    process = subprocess.Popen([binary, "scan", "--quiet", "--exit-zero", "--threads", "2",
                                *reports, path])
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"the run ended with {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def count(home, findings):
    with open(f"{home}/ndjson") as file:
        kinds = [json.loads(line)["type"] for line in file]
    with open(f"{home}/json") as file:
        whole = json.load(file)
    with open(f"{home}/csv", newline="") as file:
        rows = sum(1 for _ in csv.reader(file)) - 1
    found = {"ndjson": kinds.count("finding"), "json": len(whole["findings"]), "csv": rows}
    wrong = {name: number for name, number in found.items() if number != findings}
    if wrong:
        sys.exit(f"expected {findings} findings, found {wrong}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--binary", default="target/release/linktrawl")
    parser.add_argument("--findings", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--record")
    parser.add_argument("--date")
    options = parser.parse_args()
    if options.counts:
        options.findings, options.rounds = 1_000, 1
    names = formats(options.binary)
    with tempfile.TemporaryDirectory() as home:
        path = os.path.join(home, "links.mbox")
        write_mailbox(path, options.findings)
        runs = {"ndjson alone": ["ndjson"], f"all {len(names)} formats": names}
        results = {title: [] for title in runs}
        for _ in range(options.rounds):
            for title, wanted in runs.items():
                results[title].append(run(options.binary, path, home, wanted))
        count(home, options.findings)
    commit = subprocess.run(["git", "describe", "--always", "--abbrev=12", "--dirty"],
                            capture_output=True, text=True).stdout.strip()
    lines = [f"date      {options.date}", f"commit    {commit}",
             f"system    {platform.system()} {platform.machine()}, {os.cpu_count()} processors", "",
             f"{options.findings} findings", f"{'reports':<24}{'seconds':>9}{'peak MB':>9}"]
    for title, taken in results.items():
        seconds, peak = statistics.median(s for s, _ in taken), max(p for _, p in taken)
        lines.append(f"{title:<24}{seconds:>9.2f}{peak:>9.1f}")
    print("\n".join(lines))
    if options.record:
        with open(options.record, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
