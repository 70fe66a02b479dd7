#!/usr/bin/env python3
"""Measures what reports cost: one run in every format beside the same run in one.

    benches/reports.py [--counts] [--binary FILE] [--findings N] [--rounds N]
                       [--record FILE --date DATE]

Two mailboxes have `--findings` links each: short ones, one of fifty malformed, and long ones, all
malformed, of which every format says something. What is counted is asserted first: the records of
the run, and what each format that is easy to count has of them. Programs take turns; the median of
the rounds is told. All formats may take 150 MB for 100,000 findings, and 2 seconds more than one
format where most links are well; what takes more fails. Of the others, reports are four times as
long, and how long they take is told. With `--counts`, the counts are all that is done.
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

# A title; of how many links one is malformed; how much longer than others they are; how many
# seconds more than one format all may take, where that is bounded.
MAILBOXES = [("one of 50 malformed", 50, 0, 2.0), ("all malformed, of 200 bytes", 1, 165, None)]

PEAK_MAX = 150.0


def formats(binary):
    """Every format that goes into a file."""
    listed = subprocess.run([binary, "--generate", "guide-formats"], capture_output=True,
                            text=True, check=True).stdout
    rows = [line for line in listed.splitlines() if line.startswith("| `")]
    return [row.split("`")[1] for row in rows]


def write_mailbox(path, findings, bad, more):
    with open(path, "w") as file:
        for number in range(findings // 10):
            year = 1994 + number % 30
            file.write(f"From a@example.org Thu Dec  1 00:00:00 {year}\n"
                       f"Message-ID: <{number}@example.org>\n"
                       f"Date: Thu, 01 Dec {year} 00:00:00 +0000\nSubject: links\n\n")
            for link in range(10):
                one = 10 * number + link
                fault = "x" * more + ("%zz" if one % bad == 0 else "")
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


FINDINGS = """
import json, sys
with open(sys.argv[1]) as file:
    print(len(json.load(file)["findings"]))
"""


def count(home, findings):
    with open(f"{home}/ndjson") as file:
        kinds = [json.loads(line)["type"] for line in file]
    # By another process: the peak of what this one starts is never less than what it takes itself.
    whole = subprocess.run([sys.executable, "-c", FINDINGS, f"{home}/json"],
                           capture_output=True, text=True, check=True).stdout
    with open(f"{home}/csv", newline="") as file:
        rows = sum(1 for _ in csv.reader(file)) - 1
    found = {"ndjson": kinds.count("finding"), "json": int(whole), "csv": rows}
    wrong = {name: number for name, number in found.items() if number != findings}
    if wrong:
        sys.exit(f"expected {findings} findings, found {wrong}")


def measure(options, names, mailbox):
    """What every round of one format, and of all, took."""
    alone, together = [], []
    with tempfile.TemporaryDirectory() as home:
        path = os.path.join(home, "links.mbox")
        write_mailbox(path, options.findings, *mailbox)
        for _ in range(options.rounds):
            alone.append(run(options.binary, path, home, ["ndjson"]))
            together.append(run(options.binary, path, home, names))
        count(home, options.findings)
    return alone, together


def middle(taken):
    """The median of the seconds, the most of the memory."""
    return statistics.median(seconds for seconds, _ in taken), max(peak for _, peak in taken)


def hold_to_bounds(title, seconds_max, alone, together):
    (before, _), (seconds, peak) = middle(alone), middle(together)
    if peak > PEAK_MAX:
        sys.exit(f"{title}: expected at most {PEAK_MAX} MB, found {peak:.1f} MB")
    if seconds_max is not None and seconds - before > seconds_max:
        sys.exit(f"{title}: expected at most {seconds_max} s more, found {seconds - before:.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--binary", default="target/dist/linktrawl")
    parser.add_argument("--findings", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--record")
    parser.add_argument("--date")
    options = parser.parse_args()
    if options.counts:
        options.findings, options.rounds = 1_000, 1
    names = formats(options.binary)
    results = {title: measure(options, names, mailbox) for title, *mailbox, _ in MAILBOXES}
    commit = subprocess.run(["git", "describe", "--always", "--abbrev=12", "--dirty"],
                            capture_output=True, text=True).stdout.strip()
    lines = [f"date      {options.date}", f"commit    {commit}",
             f"profile   {os.path.basename(os.path.dirname(os.path.abspath(options.binary)))}",
             f"system    {platform.system()} {platform.machine()}, {os.cpu_count()} processors", "",
             f"{options.findings} findings"]
    for title, taken in results.items():
        lines += ["", f"{title:<32}{'seconds':>9}{'peak MB':>9}"]
        for name, of_one in zip(["ndjson alone", f"all {len(names)} formats"], taken):
            seconds, peak = middle(of_one)
            lines.append(f"{name:<32}{seconds:>9.2f}{peak:>9.1f}")
    print("\n".join(lines))
    if not options.counts:
        for title, _, _, seconds_max in MAILBOXES:
            hold_to_bounds(title, seconds_max, *results[title])
    if options.record:
        with open(options.record, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
