#!/usr/bin/env python3
"""Measures the Data Source for Spark on two threads against one scan on two threads.

    PYTHONPATH=src/python benches/spark.py [--counts] [--binary FILE] [--size MB] [--split-size SIZE]
                                           [--rounds N] [--record FILE --date DATE] [PATH...]

Needs PySpark and Java, as tests/spark/run has them. The inputs are PATHs; without them, an mbox and
a WARC with a compressed stream for each record, of `--size` MB of text each, are made here. Whole
processes are timed, with inputs in the page cache, in turns:

    scan      linktrawl scan --threads 2 --format parquet=FILE
    start-up  a session of Spark that writes the findings of one small file as Parquet
    spark     the same of the inputs
    count     the same session, whose rows are counted and not written
    files     a session in which the program of each task writes its Parquet itself

Counts come first, and again in each round: the rows of both must be as many, and so must be the
digests. With `--counts`, nothing else is done.
"""

import argparse
import contextlib
import gzip
import json
import os
import platform
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import typing

MASTER = "local[2]"


class Cost(typing.NamedTuple):
    """What was spent: seconds by the clock, and those of the processors."""

    clock: float
    processor: float

    @classmethod
    def now(cls):
        """What is spent by now, by children that were waited for."""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return cls(time.perf_counter(), used.ru_utime + used.ru_stime)

    def __sub__(self, other):
        return Cost(*(mine - its for mine, its in zip(self, other)))


def text_of(chance):
    """A text with some links."""
    words = [f"{chance.randrange(10**6)}" for _ in range(150)]
    for _ in range(3):
        place = chance.randrange(len(words))
        words[place] = f"http://h{chance.randrange(3000)}.example/{chance.randrange(10**9)}"
    return "\n".join(" ".join(words[at:at + 9]) for at in range(0, len(words), 9)) + "\n"


def make_inputs(home, length):
    """Writes an mbox and a WARC, and returns their paths."""
    chance = random.Random(1994)
    box, crawl = os.path.join(home, "list.mbox"), os.path.join(home, "crawl.warc.gz")
    with open(box, "w") as file:
        number = written = 0
        while written < length:
            number += 1
            written += file.write(
                "From a@b.example Sat Jan  1 00:00:00 1994\nFrom: a@b.example\n"
                f"Date: {number % 28 + 1} Jan {1994 + number % 6} 10:00:00 +0000\n"
                f"Message-ID: <{number}@b.example>\nSubject: {number}\n\n{text_of(chance)}\n")
    with open(crawl, "wb") as file:
        number = written = 0
        while written < length:
            number += 1
            body = f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{text_of(chance)}"
            record = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://w.example/{number}"
                      f"\r\nWARC-Date: 1998-02-03T04:05:06Z\r\nContent-Type: application/http; "
                      f"msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n{body}\r\n\r\n")
            written += len(record)
            file.write(gzip.compress(record.encode(), 6, mtime=0))
    return [box, crawl]


def length_of(paths):
    """The bytes of all files at `paths`."""
    total = 0
    for path in paths:
        files = [os.path.join(root, name) for root, _, names in os.walk(path) for name in names]
        total += sum(os.path.getsize(file) for file in files or [path])
    return total


def scan(options, home):
    """The findings of one scan, and what it costs."""
    report = os.path.join(home, "one.parquet")
    with contextlib.suppress(FileNotFoundError):
        os.unlink(report)
    before = Cost.now()
    code = subprocess.run([options.binary, "scan", "--quiet", "--no-config", "--exit-zero",
                           "--threads=2", f"--format=parquet={report}", "--", *options.paths],
                          stderr=subprocess.DEVNULL).returncode
    cost = Cost.now() - before
    if code not in (0, 2):
        sys.exit(f"the scan ended with {code}")
    import pyarrow.parquet
    return pyarrow.parquet.read_metadata(report).num_rows, cost


def one_digest(options):
    """The digest of one scan."""
    ended = subprocess.run([options.binary, "scan", "--quiet", "--no-config", "--digest",
                            "--format=ndjson", "--", *options.paths],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return ended.stderr.partition("digest: ")[2].split()[0]


def spark(options, home, task, paths):
    """What a process with a session of its own says of `task`, and what it costs."""
    table = os.path.join(home, "table")
    shutil.rmtree(table, ignore_errors=True)
    order = {"task": task, "paths": paths, "table": table, "binary": os.path.abspath(options.binary),
             "split_size": options.split_size}
    # Workers are of the first Python in PATH otherwise.
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    with tempfile.TemporaryFile("w+") as said:
        before = Cost.now()
        ended = subprocess.run([sys.executable, __file__, "--session", json.dumps(order)],
                               stdout=subprocess.PIPE, stderr=said, text=True, env=environment)
        cost = Cost.now() - before
        if ended.returncode != 0:
            said.seek(0)
            sys.exit(f"{said.read()}\nthe session for {task} ended with {ended.returncode}")
    said = json.loads(ended.stdout.splitlines()[-1])
    if task in ("write", "files"):
        import pyarrow.parquet
        names = [os.path.join(table, name) for name in os.listdir(table) if name.endswith(".parquet")]
        said = sum(pyarrow.parquet.read_metadata(name).num_rows for name in names)
    return said, cost


def session(order):
    """Does one task in a session, and prints what it found."""
    import linktrawl.spark
    from pyspark.sql import SparkSession
    builder = SparkSession.builder.master(MASTER).config("spark.ui.enabled", "false")
    engine = builder.config("spark.driver.host", "127.0.0.1").getOrCreate()
    linktrawl.spark.register(engine)
    reader = engine.read.format("linktrawl").option("program", order["binary"])
    if order["split_size"]:
        reader = reader.option("splitSize", order["split_size"])
    found = 0
    if order["task"] == "digest":
        table = reader.option("table", "splits").load(order["paths"])
        found = linktrawl.spark.digest(table)
    elif order["task"] == "files":
        given = {"splitSize": order["split_size"]} if order["split_size"] else {}
        given["program"] = order["binary"]
        linktrawl.spark.write(engine, order["paths"], order["table"], **given)
    elif order["task"] == "count":
        found = reader.load(order["paths"]).count()
    else:
        reader.load(order["paths"]).write.parquet(order["table"])
    gateway = engine.sparkContext._gateway
    engine.stop()
    # Java ends with its input, and is waited for, so that its time is counted.
    gateway.proc.stdin.close()
    gateway.proc.wait()
    print(json.dumps(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--binary", default="target/dist/linktrawl")
    parser.add_argument("--size", type=int, default=400)
    parser.add_argument("--split-size")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--record")
    parser.add_argument("--date")
    parser.add_argument("--session", help=argparse.SUPPRESS)
    parser.add_argument("paths", nargs="*", metavar="PATH")
    options = parser.parse_args()
    if options.session:
        session(json.loads(options.session))
        return
    with tempfile.TemporaryDirectory() as home:
        if options.counts:
            options.size = min(options.size, 2)
        if not options.paths:
            options.paths = make_inputs(home, options.size * 1_000_000)
        options.paths = [os.path.abspath(path) for path in options.paths]
        small = os.path.join(home, "small.txt")
        with open(small, "w") as file:
            file.write("see http://a.example/\n")
        rows, _ = scan(options, home)
        digest = one_digest(options)
        found, _ = spark(options, home, "digest", options.paths)
        if found != digest:
            sys.exit(f"expected the digest {digest}, found {found}")
        found, _ = spark(options, home, "write", options.paths)
        if found != rows:
            sys.exit(f"expected {rows} rows, found {found}")
        found, _ = spark(options, home, "files", options.paths)
        if found != rows:
            sys.exit(f"expected {rows} rows in files, found {found}")
        if options.counts:
            return
        tasks = {
            "scan": (lambda: scan(options, home), rows),
            "start-up": (lambda: spark(options, home, "write", [small]), 1),
            "spark": (lambda: spark(options, home, "write", options.paths), rows),
            "count": (lambda: spark(options, home, "count", options.paths), rows),
            "files": (lambda: spark(options, home, "files", options.paths), rows),
        }
        costs = {name: [] for name in tasks}
        for _ in range(options.rounds):
            for name, (task, wanted) in tasks.items():
                found, cost = task()
                if found != wanted:
                    sys.exit(f"{name}: expected {wanted} rows, found {found}")
                costs[name].append(cost)
        bytes_count = length_of(options.paths)
    medians = {name: Cost(*map(statistics.median, zip(*each))) for name, each in costs.items()}
    commit = subprocess.run(["git", "describe", "--always", "--abbrev=12", "--dirty"],
                            capture_output=True, text=True).stdout.strip()
    import pyspark
    lines = [f"date      {options.date}", f"commit    {commit}",
             f"system    {platform.system()} {platform.machine()}, {os.cpu_count()} processors",
             f"spark     {pyspark.__version__}, {MASTER}, split size "
             f"{options.split_size or 'as it is'}", "",
             f"{bytes_count} bytes with {rows} findings; seconds of whole processes, the median of "
             f"{options.rounds} rounds", f"digest of both  {digest}", "",
             f"{'':10}{'clock':>9}{'processor':>11}   less start-up, beside scan"]
    for name, cost in medians.items():
        line = f"{name:10}{cost.clock:9.2f}{cost.processor:11.2f}"
        if name in ("spark", "count", "files"):
            beside = [mine / its for mine, its in zip(cost - medians["start-up"], medians["scan"])]
            line += f"   {beside[0]:.2f} by the clock, {beside[1]:.2f} of the processors"
        lines.append(line)
    print("\n".join(lines))
    if options.record:
        with open(options.record, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
