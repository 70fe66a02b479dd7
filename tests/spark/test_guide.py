"""Runs the examples of the guide as they are printed, but for their paths."""

from __future__ import annotations

import functools
import pathlib
import threading
from typing import Any

import pytest
from pyspark.sql import SparkSession
from test_check import Server

from linktrawl import spark as engine

GUIDE = pathlib.Path(__file__).parents[2] / "src/guide/spark.md"


def blocks() -> list[str]:
    """Returns the blocks of Python, in their order."""
    return [block.partition("\n```")[0] for block in GUIDE.read_text().split("```python\n")[1:]]


def test_the_examples_do_what_is_said(
    spark: SparkSession, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rot, files, content, store = blocks()
    # A host that is there, and two that are gone.
    server = Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    ports = (server.server_port, 9, 9)
    links = [f"http://127.0.0.{host}:{port}/" for host, port in enumerate(ports, 2)]
    (tmp_path / "archive").mkdir()
    with open(tmp_path / "archive" / "list.mbox", "w") as box:
        for year, text in ((1994, links[0]), (1994, links[1]), (1999, links[2])):
            date = f"1 Jan {year} 10:00:00 +0000"
            box.write(f"From a@b Sat Jan  1 00:00:00 1994\nFrom: a@b\nDate: {date}\n\n{text}\n\n")
    for directory in ("archive", "tables", "shared"):
        rot = rot.replace(f'"/{directory}', f'"{tmp_path}/{directory}')
        files = files.replace(f'"/{directory}', f'"{tmp_path}/{directory}')
        content = content.replace(f'"/{directory}', f'"{tmp_path}/{directory}')
    # The guard lets nobody ask this machine.
    monkeypatch.setattr(engine, "check", functools.partial(engine.check, allow_net="127.0.0.0/8"))
    names: dict[str, Any] = {}
    try:
        exec(compile(rot.replace("tasks=64", "tasks=2"), str(GUIDE), "exec"), names)
        dead = {row["year"]: (row["avg(dead)"], row["count(1)"]) for row in names["rot"].collect()}
    finally:
        server.shutdown()
        server.server_close()
    assert dead == {1994: (0.5, 2), 1999: (1.0, 1)}
    exec(compile(files, str(GUIDE), "exec"), names)
    assert {row["uri"] for row in names["findings"].collect()} == set(links)
    exec(compile(content, str(GUIDE), "exec"), names)
    assert {row["uri"] for row in names["findings"].collect()} == set(links)
    # No store is there to be asked.
    compile(store, str(GUIDE), "exec")
