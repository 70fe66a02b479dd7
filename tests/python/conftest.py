"""Runs over the corpus, which several tests read."""

from __future__ import annotations

import json
import pathlib
import subprocess
from typing import Any

import pytest

import linktrawl

CORPUS = pathlib.Path(__file__).parents[2] / "corpus"


class Report:
    """One run in all formats.

    Attributes:
        home: the directory of the files `run.arrow`, `run.parquet` and `run.ndjson`.
        findings: the records of the findings.
        summary: the totals.
    """

    def __init__(self, home: pathlib.Path, *args: str) -> None:
        self.home = home
        formats = [f"--format={name}=run.{name}" for name in ("arrow", "parquet", "ndjson")]
        command = [linktrawl.binary(), *args, "--quiet", *formats]
        assert subprocess.run(command, cwd=home, stdin=subprocess.DEVNULL).returncode <= 2
        lines = (home / "run.ndjson").read_bytes().splitlines()
        records: list[dict[str, Any]] = [json.loads(line) for line in lines]
        self.findings = [record for record in records if record["type"] == "finding"]
        self.summary = records[-1]


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A run of `check --offline` over the corpus."""
    grammars = "--grammar=current,rfc1738"
    return Report(tmp_path_factory.mktemp("run"), "check", "--offline", grammars, str(CORPUS))
