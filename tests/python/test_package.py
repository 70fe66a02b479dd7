"""Holds the functions of the package to what the program reports, and to their errors."""

from __future__ import annotations

import copy
import gc
import os
import pathlib
import pickle
import signal
import stat

import duckdb
import polars
import pyarrow
import pytest
from conftest import CORPUS, Report

import linktrawl


def test_check_gives_what_the_program_reports(report: Report) -> None:
    reader = linktrawl.check(CORPUS, offline=True, grammar="current,rfc1738", allow_incomplete=True)
    with open(report.home / "run.arrow", "rb") as file:
        assert reader.read_all().equals(pyarrow.ipc.open_stream(file).read_all())


def test_scan_takes_one_path_or_several_and_options(tmp_path: pathlib.Path) -> None:
    for name in ("a.txt", "b.txt", ".c.txt"):
        (tmp_path / name).write_text(f"http://{name[-5]}.example/ <URL:news:x.y>\n")
    assert linktrawl.scan(tmp_path).read_all().num_rows == 4
    assert linktrawl.scan(tmp_path, hidden=True).read_all().num_rows == 6
    assert linktrawl.scan(str(tmp_path), hidden=None, find="bare").read_all().num_rows == 2
    assert linktrawl.scan(os.fsencode(tmp_path)).read_all().num_rows == 4
    both = [tmp_path / "a.txt", tmp_path / "b.txt"]
    found = linktrawl.scan(both, include=["^news:", "//a"]).read_all()
    assert found["uri"].to_pylist() == ["http://a.example/", "news:x.y", "news:x.y"]
    assert found.schema.metadata[b"linktrawl.schema_version"] == b"1"


def test_frames_and_databases_take_the_reader(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.txt").write_text("http://a.example/ http://b.example/\n")
    hosts = ["a.example", "b.example"]
    assert list(linktrawl.scan(tmp_path).read_pandas()["host"]) == hosts
    frame = polars.from_arrow(linktrawl.scan(tmp_path).read_all())
    assert isinstance(frame, polars.DataFrame) and frame["host"].to_list() == hosts
    found = linktrawl.scan(tmp_path)
    assert duckdb.sql("SELECT host FROM found").fetchall() == [(host,) for host in hosts]


def test_what_cannot_be_done_is_an_error(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.txt").write_text("http://a.example/\n")
    paths = [tmp_path / "a.txt", tmp_path / "gone.txt"]
    with pytest.raises(linktrawl.Error, match="gone.txt") as caught:
        linktrawl.scan(paths).read_all()
    assert caught.value.returncode == 2
    assert linktrawl.scan(paths, allow_incomplete=True).read_all().num_rows == 1
    for again in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value)):
        assert isinstance(again, linktrawl.Error) and str(again) == str(caught.value)
        assert (again.returncode, again.said) == (2, caught.value.said)
    with pytest.raises(linktrawl.Error, match="grammar"):
        linktrawl.scan(tmp_path, grammar="nope")
    with pytest.raises(TypeError, match="--format"):
        linktrawl.scan(tmp_path, format="text")
    with pytest.raises(ValueError, match="path"):
        linktrawl.scan([])
    for wrong in (b"a", ["a", None], ["a", b"a"], {"a": 1}.values):
        with pytest.raises(TypeError):
            linktrawl.scan(tmp_path, exclude=wrong)


def test_any_number_of_paths_is_taken(tmp_path: pathlib.Path) -> None:
    names = [f"{number:05}-{'x' * 90}\n-é.txt" for number in range(200)]
    for name in [*names, "-"]:
        (tmp_path / name).write_text("http://h.example/\n")
    paths = [tmp_path / name for name in names]
    assert linktrawl.scan(paths).read_all().num_rows == 200
    assert linktrawl.scan([*map(os.fsencode, paths * 100)]).read_all().num_rows >= 200
    (tmp_path / "list").write_bytes(b"".join(os.fsencode(path) + b"\0" for path in paths[:3]))
    listed = {"files_from": tmp_path / "list", "null": True}
    assert linktrawl.scan([], **listed).read_all().num_rows == 3
    assert linktrawl.scan(paths[5:7], **listed).read_all().num_rows == 5


def test_a_program_that_writes_something_else_is_an_error(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "stranger"
    monkeypatch.setattr("linktrawl._stream.binary", lambda: str(program))
    for written in ("a banner", "[1]", '{"type": "finding"}', "", "x" * 100_000):
        program.write_text(f"#!/bin/sh\nprintf '%s\\n' '{written}'\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        with pytest.raises(linktrawl.Error, match="no report"):
            linktrawl.links(b"http://h.example/")
        with pytest.raises(linktrawl.Error):
            linktrawl.scan("a.txt").read_all()


def many_links(home: pathlib.Path) -> None:
    """Writes a file of more links than pipes hold, so that the program waits for its reader."""
    text = "".join(f"http://h.example/{number}\n" for number in range(200_000))
    (home / "a.txt").write_text(text)


def children() -> list[int]:
    """Returns the running programs."""
    listing = pathlib.Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return [int(child) for child in listing.read_text().split()]


def test_a_reader_that_is_dropped_ends_the_program(tmp_path: pathlib.Path) -> None:
    many_links(tmp_path)
    before = children()
    for batches in (0, 1):
        reader = linktrawl.scan(tmp_path, threads=1)
        for _ in range(batches):
            reader.read_next_batch()
        assert len(children()) == len(before) + 1
        del reader
        gc.collect()
        assert children() == before


def test_a_program_that_is_killed_is_an_error_and_no_short_table(tmp_path: pathlib.Path) -> None:
    many_links(tmp_path)
    reader = linktrawl.scan(tmp_path, threads=1)
    os.kill(children()[-1], signal.SIGKILL)
    rows = 0
    with pytest.raises(linktrawl.Error, match="cut off") as caught:
        for batch in reader:
            rows += batch.num_rows
    assert caught.value.returncode == -signal.SIGKILL
    assert rows < 200_000


# A program that writes the stream that it finds beside it, up to a length, and ends with a code.
IMPOSTOR = """#!/bin/sh
head -c "$LENGTH" "$STREAM"
[ -z "$SAID" ] || printf '%s\\n' "$SAID" >&2
exit "$CODE"
"""


def test_only_a_whole_stream_of_a_program_that_ended_well_is_a_table(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(f"http://h.example/{number}\n" for number in range(30_000))
    (tmp_path / "a.txt").write_text(text)
    stream = tmp_path / "stream"
    table = linktrawl.scan(tmp_path / "a.txt").read_all()
    report = Report(tmp_path, "scan", "a.txt")
    (report.home / "run.arrow").rename(stream)
    # Where each batch ends, the last of which has no rows.
    ends = []
    with open(stream, "rb") as file:
        reader = pyarrow.ipc.open_stream(file)
        ends.append(file.tell())
        for _ in reader:
            ends.append(file.tell())
    program = tmp_path / "impostor"
    program.write_text(IMPOSTOR)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr("linktrawl._stream.binary", lambda: str(program))
    monkeypatch.setenv("STREAM", str(stream))

    def read(length: int, code: int, said: str = "") -> int:
        monkeypatch.setenv("LENGTH", str(length))
        monkeypatch.setenv("CODE", str(code))
        monkeypatch.setenv("SAID", said)
        rows: int = linktrawl.scan("a.txt").read_all().num_rows
        return rows

    whole = stream.stat().st_size
    assert read(whole, 0) == read(whole, 1) == table.num_rows == 30_000
    assert read(whole, 0, '{"type":"done","records":30000}') == 30_000
    with pytest.raises(linktrawl.Error, match="counted 29999"):
        read(whole, 0, '{"type":"done","records":29999}')
    for code in (2, 3, 70, 75, 130):
        with pytest.raises(linktrawl.Error) as caught:
            read(whole, code)
        assert caught.value.returncode == code
    assert len(ends) > 3
    for length in (0, 7, *ends[:-1], ends[1] + 9, whole // 2):
        with pytest.raises(linktrawl.Error):
            read(length, 0)


def test_a_table_may_have_fewer_rows_than_the_run_has_findings(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.txt").write_text("http://h.example/ http://h.example/%zz\n")
    table = linktrawl.scan(tmp_path / "a.txt", show="error").read_all()
    assert table.column("uri").to_pylist() == ["http://h.example/%zz"]


def test_what_is_not_named_is_not_read(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "linktrawl.toml").write_text('show = "error"\n')
    monkeypatch.chdir(tmp_path)
    text = b"http://h.example/ http://h.example/%zz"
    assert len(linktrawl.links(text)) == 2
    assert len(linktrawl.links(text, config="linktrawl.toml")) == 1
    with pytest.raises(ValueError, match="found -"):
        linktrawl.scan("-")


def test_links_of_a_text() -> None:
    found = linktrawl.links("see <URL:http://w3.org/>,\n \u00e9 http://h.example/%zz")
    assert [link.uri for link in found] == ["http://w3.org/", "http://h.example/%zz"]
    assert found[0].scheme == "http" and found[0].fault is None
    assert (found[1].line, found[1].column, found[1].fault) == (2, 4, "pct-encoded")
    assert linktrawl.links(b"\xff http://h.example/\xe9")[0].raw.startswith("http://h.example/")
    assert linktrawl.links(b"http://u:secret@h.example/")[0].uri == "http://u:***@h.example/"
    assert linktrawl.links(b"") == []
    with pytest.raises(linktrawl.Error, match="grammar"):
        linktrawl.links(b"http://h/", grammar="nope")
