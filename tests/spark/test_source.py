"""Holds the format `linktrawl` to the findings of one machine, whatever fails."""

from __future__ import annotations

import datetime
import gzip
import io
import pathlib
import re
import subprocess
from collections.abc import Callable, Iterator
from typing import IO, Any

import pyarrow
import pyarrow.parquet
import pytest
from conftest import IS_CLUSTER, SPLIT_SIZE, one_digest, reading, rows, script
from pyspark.sql import SparkSession, datasource
from pyspark.sql.types import StructType

import linktrawl
from linktrawl import spark as engine
from linktrawl.spark import _objects
from linktrawl.spark._source import FilteringReader

# A program that fails once with each part, in turn: it is killed behind a part of its output, the
# process of Spark that reads it is, its stream is cut and all else is well, and in a cluster, the
# machine of Java above both is killed.
FAULTS = """
[ "$1 $2" = 'scan --split=-' ] || exec "$PROGRAM" "$@"
split="$(cat)"
id="$(printf %s "$split" | sed 's/.*"id":"\\([0-9a-f]*\\)".*/\\1/')"
parent() {{ sed 's/.*) . \\([0-9]*\\) .*/\\1/' "/proc/$1/stat"; }}
again() {{ printf %s "$split" | "$PROGRAM" "$@"; }}
if mkdir "{marks}/$id" 2>/dev/null; then
    case "$(($(ls "{marks}" | wc -l) % {faults}))" in
    0) again "$@" | head -c 20000; touch "{marks}/$id/killed"; kill -9 $$ ;;
    1) again "$@" | head -c 20000; touch "{marks}/$id/worker"; kill -9 "$PPID"; exit 1 ;;
    2) touch "{marks}/$id/cut"; again "$@" | head -c 20000; exit 0 ;;
    3) touch "{marks}/$id/executor"; kill -9 "$(parent "$(parent "$PPID")")"; exit 1 ;;
    esac
fi
again "$@"
"""


def test_the_tables_are_those_of_one_machine_whatever_fails(
    spark: SparkSession, archive: pathlib.Path, alone: pyarrow.Table, tmp_path: pathlib.Path
) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    faults = 4 if IS_CLUSTER else 3
    program = script(tmp_path / "faults", FAULTS.format(marks=marks, faults=faults))
    table = reading(spark, archive, table="all", program=program)
    home = str(tmp_path / "table")
    table.write.parquet(home)
    findings, skips, splits = engine.parts(spark.read.parquet(home))
    happened = {path.name for path in marks.glob("*/*")}
    assert happened == {"killed", "worker", "cut", *(["executor"] if IS_CLUSTER else [])}

    assert rows(findings.toArrow()) == rows(alone)
    done = splits.toArrow().to_pylist()
    assert len(done) == len({it["split"] for it in done}) == len(list(marks.iterdir())) > 6
    assert sum(it["records"] for it in done) == alone.num_rows
    assert engine.digest(splits) == one_digest(archive)
    # The corrupt member costs itself.
    lost = skips.toArrow().to_pylist()
    assert [it["kind"] for it in lost] == ["archive-broken"]
    assert lost[0]["path"] == str(archive / "broken.warc.gz")
    assert [it["split"] for it in done if not it["complete"]] == [lost[0]["split"]]


# A program that writes less than it says in one part, is killed before it writes in another, and
# after that in a third one, each once.
WRITING = """
[ "$1 $2" = 'scan --split=-' ] || exec "$PROGRAM" "$@"
split="$(cat)"
id="$(printf %s "$split" | sed 's/.*"id":"\\([0-9a-f]*\\)".*/\\1/')"
if mkdir "{marks}/$id" 2>/dev/null; then
    case "$(ls "{marks}" | wc -l)" in
    1) kill -9 $$ ;;
    2) printf %s "$split" | "$PROGRAM" "$@"; kill -9 $$ ;;
    3) printf %s "$split" | "$PROGRAM" "$@" 2>&1 | sed 's/"records":/&1/' >&2; exit 0 ;;
    esac
fi
printf %s "$split" | exec "$PROGRAM" "$@"
"""


def test_files_are_written_whole_and_beside_spark(
    spark: SparkSession, archive: pathlib.Path, alone: pyarrow.Table, tmp_path: pathlib.Path
) -> None:
    marks, home = tmp_path / "marks", tmp_path / "table"
    marks.mkdir()
    program = script(tmp_path / "writing", WRITING.format(marks=marks))
    options = {"splitSize": SPLIT_SIZE, "program": program}
    skips, splits = engine.write(spark, [str(archive)], str(home), **options)

    done = splits.toArrow().to_pylist()
    assert len(done) == len({it["split"] for it in done}) == len(list(marks.iterdir())) > 6
    names = {f"part-{it['split']}.parquet" for it in done}
    assert {path.name for path in home.iterdir()} == {"_SUCCESS"} | names
    table = pyarrow.parquet.read_table([home / name for name in names])
    assert rows(table) == rows(alone)
    assert spark.read.parquet(str(home)).count() == alone.num_rows
    assert engine.digest(splits) == one_digest(archive)
    lost = skips.toArrow().to_pylist()
    assert [it["kind"] for it in lost] == ["archive-broken"]
    assert [it["split"] for it in done if not it["complete"]] == [lost[0]["split"]]
    # Nothing is written beside what is there, and nothing else is taken for a whole table.
    with pytest.raises(FileExistsError, match="table"):
        engine.write(spark, str(archive), str(home))
    with pytest.raises(TypeError, match="--unique"):
        engine.write(spark, str(archive), str(tmp_path / "other"), unique="true")


def read(reader: Any) -> list[dict[str, Any]]:
    """Returns the rows of all parts, as tasks would give them."""
    parts = [part for part in reader.partitions()]
    return [row for part in parts for batch in reader.read(part) for row in batch.to_pylist()]


def reader_of(path: pathlib.Path | str, **options: Any) -> Any:
    source = engine.Source({"path": str(path), "splitsize": SPLIT_SIZE, **options})
    return source.reader(source.schema())


def test_a_report_that_is_cut_is_an_error_of_the_task(
    archive: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    (part,) = reader_of(archive / "Maildir").partitions()
    with_split = f'[ "$2" = --split=- ] || exec "$PROGRAM" "$@"\n'
    ends = {
        # Up to the last batch, which has the totals; all else is well.
        "cut off": '"$PROGRAM" "$@" > {it}.arrow; head -c 30000 {it}.arrow',
        "exit code -9": '"$PROGRAM" "$@"; kill -9 $$',
        "no record of its work": '"$PROGRAM" "$@" 2>/dev/null',
        "counted 1 findings": '"$PROGRAM" "$@" 2>/dev/null\n'
        'echo \'{{"type":"done","split":"x","records":1}}\' >&2',
        "exit code 75": '"$PROGRAM" "$@"; exit 75',
    }
    for message, text in ends.items():
        path = tmp_path / message.replace(" ", "-")
        program = script(path, with_split + text.format(it=path))
        faulty = reader_of(archive / "Maildir", program=program)
        with pytest.raises(engine.Error, match=message):
            list(faulty.read(part))


def test_a_file_that_vanishes_is_an_error_or_a_skip(
    spark: SparkSession, tmp_path: pathlib.Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    for name in ("a", "b"):
        (home / f"{name}.txt").write_text(f"http://{name}.example/\n")
    plan = subprocess.run([linktrawl.binary(), "plan", "-q", str(home)], capture_output=True)
    splits = tmp_path / "splits.ndjson"
    splits.write_bytes(plan.stdout)
    (home / "a.txt").unlink()
    with pytest.raises(Exception, match="exit code 75"):
        reading(spark, home, splits=splits).count()
    options = {"splits": str(splits), "ignoreMissingFiles": "true"}
    assert [row["uri"] for row in read(reader_of(home, **options))] == ["http://b.example/"]
    (lost,) = read(reader_of(home, table="skips", **options))
    assert (lost["kind"], lost["path"]) == ("input-vanished", str(home / "a.txt"))


def test_modes(archive: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with pytest.raises(engine.Error, match="exit code 3"):
        read(reader_of(archive / "broken.warc.gz", mode="FAILFAST"))
    with pytest.raises(FileNotFoundError):
        reader_of(tmp_path / "gone").partitions()
    with pytest.raises(ValueError, match="linktrawl.spark.scan"):
        reader_of("s3a://bucket/a")
    with pytest.raises(ValueError, match="findings, skips"):
        reader_of(archive, table="nope")
    with pytest.raises(TypeError, match="--unique"):
        reader_of(archive, unique="true")
    with pytest.raises(ValueError, match="FAILFAST"):
        reader_of(archive, mode="DROPMALFORMED")
    (tmp_path / "a.txt").write_text("http://a.example/ <URL:b>\n")
    found = read(reader_of(f"file://{tmp_path}/a.txt", find="bare", grammar="rfc1738"))
    assert [(row["uri"], row["syntax_grammar"]) for row in found] == [
        ("http://a.example/", "rfc1738")
    ]


def test_what_cannot_be_planned_is_a_skip(tmp_path: pathlib.Path) -> None:
    split = '{"id":"x"}'
    program = script(tmp_path / "plans", f"echo '{split}'; echo 'warning: d: denied' >&2; exit 2\n")
    reader = reader_of(tmp_path, table="skips", program=program)
    parts = reader.partitions()
    assert [part.descriptor for part in parts] == [split, ""]
    ((lost,),) = [batch.to_pylist() for batch in reader.read(parts[1])]
    assert (lost["kind"], lost["message"]) == ("not-planned", "warning: d: denied")
    with pytest.raises(engine.Error, match="denied"):
        reader_of(tmp_path, mode="FAILFAST", program=program).partitions()


def test_more_skips_than_the_stream_holds(tmp_path: pathlib.Path) -> None:
    for number in range(2500):
        (tmp_path / f"{number}.gz").write_bytes(gzip.compress(b"http://a.example/ " * 9)[:24])
    found = read(reader_of(tmp_path, table="skips"))
    assert {it["path"] for it in found} == {str(path) for path in tmp_path.iterdir()}


DAY = datetime.datetime(1994, 1, 1, 10, tzinfo=datetime.timezone.utc)
YEAR = datetime.datetime(1996, 12, 31, 23, tzinfo=datetime.timezone.utc)

Test = Callable[[dict[str, Any]], bool]

CASES: list[tuple[datasource.Filter, Test]] = [
    (datasource.EqualTo(("scheme",), "ftp"), lambda row: row["scheme"] == "ftp"),
    (datasource.In(("scheme",), ("ftp", "news")), lambda row: row["scheme"] in ("ftp", "news")),
    (datasource.EqualTo(("verdict",), "error"), lambda row: row["verdict"] == "error"),
    (datasource.EqualTo(("host",), "h7.example"), lambda row: row["host"] == "h7.example"),
    (
        datasource.Not(datasource.In(("host",), ("h7.example",))),
        lambda row: row["host"] not in (None, "h7.example"),
    ),
    (datasource.IsNull(("host",)), lambda row: row["host"] is None),
    (datasource.StringStartsWith(("host",), "h1"), lambda row: (row["host"] or "")[:2] == "h1"),
    (datasource.EqualTo(("message_date",), DAY), lambda row: row["message_date"] == DAY),
    (
        datasource.GreaterThan(("message_date",), YEAR),
        lambda row: row["message_date"] is not None and row["message_date"] > YEAR,
    ),
    (
        datasource.LessThanOrEqual(("place_date",), datetime.date(1998, 2, 3)),
        lambda row: row["place_date"] is not None and row["place_date"].year == 1998
        and row["place_date"] <= datetime.date(1998, 2, 3),
    ),
    (datasource.GreaterThanOrEqual(("year",), 1999), lambda row: (row["year"] or 0) >= 1999),
]


def test_filters_are_done_before_spark_has_the_rows(
    archive: pathlib.Path, alone: pyarrow.Table
) -> None:
    names = [
        *("place_path", "place_members", "place_offset", "uri", "scheme", "host", "verdict"),
        *("message_date", "place_date", "year"),
    ]
    everything = alone.select(names).to_pylist()
    source = engine.Source({"path": str(archive), "splitsize": SPLIT_SIZE})
    schema = StructType([source.schema()[name] for name in names])
    for given, test in CASES:
        reader = source.reader(schema)
        assert isinstance(reader, FilteringReader) and list(reader.pushFilters([given])) == []
        wanted = [repr(row) for row in everything if test(row)]
        assert 0 < len(wanted) < len(everything), given
        assert sorted(repr(row) for row in read(reader)) == sorted(wanted), given
    reader = reader_of(archive)
    stay = [
        datasource.EqualTo(("also", "ok"), True),
        datasource.EqualTo(("year",), "text"),
        datasource.EqualNullSafe(("host",), None),
    ]
    assert list(reader.pushFilters(stay)) == stay


def test_every_scheme_is_found_by_the_filter_of_the_program() -> None:
    corpus = pathlib.Path(__file__).parents[2] / "corpus"
    table = linktrawl.scan(corpus, allow_incomplete=True, no_config=True).read_all()
    counts = {it["values"]: it["counts"] for it in table["scheme"].value_counts().to_pylist()}
    names = sorted((name for name in counts if name), key=lambda name: -counts[name])
    chosen = tuple(names[1::2])
    reader = reader_of(corpus, ignoreMissingFiles="true")
    assert list(reader.pushFilters([datasource.In(("scheme",), chosen)])) == []
    assert len(read(reader)) == sum(counts[name] for name in chosen) > 1000


def test_spark_leaves_filters_and_columns_to_the_source(
    spark: SparkSession, archive: pathlib.Path, alone: pyarrow.Table
) -> None:
    reader = spark.read.format("linktrawl").schema("host string, scheme string, year bigint")
    table = reader.load(str(archive)).where("scheme = 'http' AND year >= 1999 AND host LIKE 'h1%'")
    plan = table._jdf.queryExecution().executedPlan().toString()
    assert "BatchScan linktrawl" in plan and not re.search(r"\bFilter\b", plan), plan
    wanted = [
        {name: row[name] for name in ("host", "scheme", "year")}
        for row in alone.to_pylist()
        if row["scheme"] == "http" and (row["year"] or 0) >= 1999 and row["host"][:2] == "h1"
    ]
    assert rows(table.toArrow()) == rows(pyarrow.Table.from_pylist(wanted)) and wanted


def test_objects_are_scanned_as_files_are(
    spark: SparkSession, archive: pathlib.Path, alone: pyarrow.Table
) -> None:
    names = ["broken.warc.gz", "list.mbox", "texts.tar"]
    paths = [str(archive / name) for name in names]
    content = spark.read.format("binaryFile").load(paths)
    findings, skips, done = engine.parts(engine.scan(content).cache())
    wanted = alone.filter(pyarrow.compute.is_in(alone["place_path"], pyarrow.array(paths)))
    uri = [{**row, "place_path": f"file:{row['place_path']}"} for row in wanted.to_pylist()]
    assert rows(findings.toArrow()) == rows(pyarrow.Table.from_pylist(uri, wanted.schema))
    assert {row["path"]: row["kind"] for row in skips.collect()} == {
        f"file:{paths[0]}": "archive-broken"
    }
    assert {row["path"]: row["complete"] for row in done.collect()} == {
        f"file:{path}": path != paths[0] for path in paths
    }


class Failing(io.BytesIO):
    """A connection that breaks."""

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() > 0:
            raise TimeoutError("the store is gone")
        return super().read(10)


def test_an_object_that_breaks_off_is_an_error(archive: pathlib.Path) -> None:
    batch = pyarrow.RecordBatch.from_pydict({"path": ["a", "b"]})

    def found(opener: Callable[[str], IO[bytes]], ignores: bool = False) -> list[dict[str, Any]]:
        known = _objects.columns("all", None)
        arguments = _objects.scan_arguments({})
        task = _objects._Scan(_objects.Shape("all", known), arguments, None, opener, ignores)
        return [row for it in _objects._objects(task, [batch]) for row in it.to_pylist()]

    with pytest.raises(TimeoutError, match="the store is gone"):
        found(lambda name: Failing(b"http://a.example/ " * 100))

    def gone(name: str) -> IO[bytes]:
        if name == "a":
            raise FileNotFoundError("no such key")
        return io.BytesIO(b"http://b.example/")

    with pytest.raises(FileNotFoundError):
        found(gone)
    lost, link, done = found(gone, ignores=True)
    assert (lost["skip"]["kind"], lost["skip"]["path"]) == ("input-vanished", "a")
    assert (link["uri"], link["place_path"]) == ("http://b.example/", "b")
    assert (done["done"]["path"], done["done"]["records"]) == ("b", 1)


# Kills the machine of Java above it, the first time.
def kill_once(mark: str, batches: Iterator[Any]) -> Iterator[Any]:
    import os
    import signal

    try:
        os.mkdir(mark)
    except FileExistsError:
        yield from batches
        return
    daemon = pathlib.Path(f"/proc/{os.getppid()}/stat").read_text()
    os.kill(int(daemon.rpartition(") ")[2].split()[1]), signal.SIGKILL)


@pytest.mark.skipif(not IS_CLUSTER, reason="one process has no executor to lose")
def test_an_executor_that_is_killed_in_a_shuffle_loses_no_row(
    spark: SparkSession, archive: pathlib.Path, alone: pyarrow.Table, tmp_path: pathlib.Path
) -> None:
    table = reading(spark, archive)
    mark = str(tmp_path / "mark")
    shuffled = table.repartition(4, "site").mapInArrow(
        lambda batches: kill_once(mark, batches), table.schema
    )
    assert rows(shuffled.toArrow()) == rows(alone)
    assert pathlib.Path(mark).is_dir()
