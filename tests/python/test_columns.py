"""Holds what pyarrow, DuckDB and polars read of a run to its records, row by row."""

from __future__ import annotations

import base64
import datetime
import json
from typing import Any, Optional

import duckdb
import polars
import pyarrow
import pyarrow.parquet
from conftest import Report

Row = dict[str, Any]

DERIVED = {"host", "site", "surt", "year", "fate", "inaccessible"}
SYNTAX = ["grammar", "ok", "repairs", "rule", "at", "expected", "spec", "message", "hint"]
PLACE = [
    "path",
    "path_bytes",
    "members",
    "members_bytes",
    "date",
    "offset",
    "len",
    "line",
    "column",
    "column_bytes",
    "file_offset",
]


def parts(holder: Optional[Row], prefix: str, names: list[str]) -> Row:
    """Returns the values of `holder` with `prefix` before their names."""
    return {prefix + name: (holder or {}).get(name) for name in names}


def place(holder: Row, prefix: str) -> Row:
    row = parts(holder, prefix, PLACE)
    return row | parts(holder.get("decoded"), prefix + "decoded_", ["line", "column"])


def flat(record: Row) -> Row:
    """Returns the row that a record must have become."""
    names = "uri uri_bytes raw raw_bytes wrapped_by target target_unknown cue scheme base base_bytes"
    row = parts(record, "", [*names.split(), "warnings", "verdict", "known"])
    row |= place(record["place"], "place_")
    row["is_mail"] = record["message"] is not None
    names = "id id_bytes date list_id list_id_bytes number header header_bytes part"
    row |= parts(record["message"], "message_", names.split())
    row |= parts(record["syntax"], "syntax_", SYNTAX)
    names = "class probe status message message_bytes hops dead_runs changed_since hint hint_bytes"
    row |= parts(record["reach"], "reach_", names.split())
    if row["reach_hops"] is not None:
        row["reach_hops"] = [parts(hop, "", ["status", "to", "to_bytes"]) for hop in row["reach_hops"]]
    row |= {name: record.get(name) for name in ["archived", "archived_unknown"]}
    row |= parts(record.get("memento"), "memento_", ["uri", "datetime", "distance_days", "archive"])
    row["also"] = [parts(it, "", SYNTAX) for it in record.get("also", [])] or None
    twins = record.get("twins", [])
    row["twins"] = [{"part": it["part"], **place(it["place"], "place_")} for it in twins] or None
    return row


def plain(value: object) -> object:
    """Returns `value` in the form of the records."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, datetime.datetime):
        utc = value.astimezone(datetime.timezone.utc)
        return utc.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: plain(it) for name, it in value.items()}
    if isinstance(value, list):
        return [plain(it) for it in value]
    return value


def hold(rows: list[Row], report: Report) -> None:
    """Holds `rows` to the records of the run."""
    assert len(rows) == len(report.findings) > 1000
    for row, record in zip(rows, report.findings):
        kept = {name: plain(value) for name, value in row.items() if name not in DERIVED}
        assert kept == flat(record)


def stream(report: Report) -> pyarrow.Table:
    with open(report.home / "run.arrow", "rb") as file:
        return pyarrow.ipc.open_stream(file).read_all()


def test_pyarrow_reads_the_stream(report: Report) -> None:
    hold(stream(report).to_pylist(), report)


def test_pyarrow_reads_the_file(report: Report) -> None:
    table = pyarrow.parquet.read_table(report.home / "run.parquet")
    assert table.schema.equals(stream(report).schema)
    assert table.equals(stream(report))


def test_polars_reads_both(report: Report) -> None:
    frame = polars.read_ipc_stream(report.home / "run.arrow")
    hold(frame.to_dicts(), report)
    assert frame.equals(polars.read_parquet(report.home / "run.parquet"))


def test_duckdb_reads_both(report: Report) -> None:
    file = str(report.home / "run.parquet")
    table = duckdb.sql(f"SELECT * FROM '{file}'").to_arrow_table()
    hold(table.to_pylist(), report)
    links = stream(report)
    again = duckdb.sql("SELECT * FROM links").to_arrow_table()
    assert again.num_rows == links.num_rows
    hold(again.to_pylist(), report)


def test_the_stream_and_the_file_end_with_the_totals(report: Report) -> None:
    wanted = {name: value for name, value in report.summary.items() if name != "type"}
    with open(report.home / "run.arrow", "rb") as file:
        reader = pyarrow.ipc.open_stream(file)
        metadata = None
        for _ in range(10_000):
            try:
                last, metadata = reader.read_next_batch_with_custom_metadata()
            except StopIteration:
                break
        assert last.num_rows == 0
    assert json.loads(metadata[b"linktrawl.summary"]) == wanted
    metadata = pyarrow.parquet.read_metadata(report.home / "run.parquet").metadata
    assert json.loads(metadata[b"linktrawl.summary"]) == wanted
    assert metadata[b"linktrawl.schema_version"] == b"1"


def test_groups_of_rows_have_what_readers_skip_them_by(report: Report) -> None:
    file = str(report.home / "run.parquet")
    rows = duckdb.sql(
        "SELECT path_in_schema, stats_min_value, stats_max_value, bloom_filter_offset"
        f" FROM parquet_metadata('{file}')"
    ).fetchall()
    found = {name: (least, most, blooms) for name, least, most, blooms in rows}
    for name in ("host", "site", "message_date", "year", "place_path"):
        least, most, blooms = found[name]
        assert least is not None and most is not None, name
        assert (blooms is not None) == (name in ("host", "site")), name
