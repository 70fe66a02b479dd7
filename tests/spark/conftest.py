"""A session of Spark, and inputs that are divided."""

from __future__ import annotations

import gzip
import io
import os
import pathlib
import random
import subprocess
import tarfile
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow
import pytest
from pyspark.sql import SparkSession

import linktrawl
import linktrawl.spark

MASTER = os.environ["LINKTRAWL_MASTER"]
IS_CLUSTER = MASTER.startswith("local-cluster")

# Small, so that each kind of input is divided.
SPLIT_SIZE = "300KiB"


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session that tries each task up to four times."""
    builder = SparkSession.builder.master(MASTER).appName("linktrawl")
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        # What runs for seconds is not worth more than a quick compiler.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.task.maxFailures": "4",
        # Executors that are killed in a test are no fault of their machine.
        "spark.excludeOnFailure.enabled": "false",
        "spark.deploy.maxExecutorRetries": "-1",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
        "spark.sql.session.timeZone": "UTC",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    linktrawl.spark.register(session)
    yield session
    session.stop()


def messages(chance: random.Random, count: int) -> Iterator[str]:
    """Yields messages with links, one of which is malformed in each tenth."""
    for number in range(count):
        day = f"{number % 28 + 1:02}"
        links = [f"http://h{chance.randrange(50)}.example/{chance.randrange(10**9)}" for _ in "abc"]
        links += ["<URL:news:comp.infosystems.www>", "ftp://ftp.example/%zz" * (number % 10 == 0)]
        words = " ".join(f"{chance.randrange(10**6)}" for _ in range(150))
        yield (
            f"From: a@b.example\nDate: {day} Jan {1994 + number % 6} 10:00:00 +0000\n"
            f"Message-ID: <{number}@b.example>\nSubject: {number}\n\n"
            + "\n".join([*links, words])
            + "\n"
        )


def record(chance: random.Random, number: int) -> bytes:
    """Returns a record of a WARC."""
    words = " ".join(f"{chance.randrange(10**9)}" for _ in range(400))
    page = f'<p>{words}</p><a href="http://w{number}.example/">x</a>'.encode()
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\n"
        f"WARC-Target-URI: http://site{number % 7}.example/{number}\r\n"
        "WARC-Date: 1998-02-03T04:05:06Z\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A directory with an mbox, a Maildir, a tar and WARCs, of which one is corrupt."""
    home = tmp_path_factory.mktemp("archive")
    chance = random.Random(1994)
    with open(home / "list.mbox", "w") as box:
        for message in messages(chance, 1200):
            box.write(f"From a@b.example Sat Jan  1 00:00:00 1994\n{message}\n")
    for name in ("cur", "new", "tmp"):
        (home / "Maildir" / name).mkdir(parents=True)
    for number, message in enumerate(messages(chance, 40)):
        (home / "Maildir" / "cur" / f"{number}.host:2,S").write_text(message)
    with tarfile.open(home / "texts.tar", "w") as tar:
        for number, message in enumerate(messages(chance, 400)):
            member = tarfile.TarInfo(f"texts/{number}.txt")
            member.size = len(message)
            member.mtime = 900_000_000
            tar.addfile(member, io.BytesIO(message.encode()))
    records = [gzip.compress(record(chance, number), mtime=0) for number in range(400)]
    (home / "crawl.warc.gz").write_bytes(b"".join(records))
    broken = bytearray(records[3])
    broken[len(broken) // 2] ^= 0xFF
    (home / "broken.warc.gz").write_bytes(b"".join([*records[:3], bytes(broken), *records[4:9]]))
    return home


@pytest.fixture(scope="session")
def alone(archive: pathlib.Path) -> pyarrow.Table:
    """The findings of one machine."""
    table = linktrawl.scan(archive, allow_incomplete=True, no_config=True).read_all()
    assert table.num_rows > 5000
    return table


def one_digest(archive: pathlib.Path) -> str:
    """Returns the digest of one scan."""
    command = [linktrawl.binary(), "scan", "-q", "--no-config", "--digest", "--format=ndjson"]
    ended = subprocess.run([*command, str(archive)], capture_output=True, check=False)
    return ended.stderr.decode().partition("digest: ")[2].split()[0]


def rows(table: pyarrow.Table, leave_out: Iterable[str] = ()) -> list[str]:
    """Returns all values of each row, in an order that does not depend on that of rows."""
    names = sorted(set(table.schema.names) - set(leave_out))
    return sorted(repr([(name, row[name]) for name in names]) for row in table.to_pylist())


def reading(spark: SparkSession, path: pathlib.Path | str, **options: Any) -> Any:
    """Returns the table of `path`."""
    reader = spark.read.format("linktrawl").option("splitSize", SPLIT_SIZE)
    for name, value in options.items():
        reader = reader.option(name, str(value))
    return reader.load(str(path))


def script(path: pathlib.Path, text: str) -> str:
    """Writes a program of the shell in which PROGRAM is the real one, and returns its path."""
    path.write_text(f"#!/bin/sh\nPROGRAM='{linktrawl.binary()}'\n{text}")
    path.chmod(0o755)
    return str(path)
