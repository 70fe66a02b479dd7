"""Holds `check` to what a server on this machine sees of it."""

from __future__ import annotations

import collections
import http.server
import pathlib
import threading
import time
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from conftest import script
from pyspark.sql import DataFrame, SparkSession

from linktrawl import spark as engine

HOSTS = [f"127.0.0.{number}" for number in range(2, 8)]
PAGES = 4
GAP_S = 1.0
TASKS = 3
RATE = 9.0


class Asked(NamedTuple):
    """A request: when, how, of which host, for what, and by which process."""

    at: float
    method: str
    host: str
    path: str
    agent: str


class Server(http.server.ThreadingHTTPServer):
    """A server of all hosts that writes down who asks for what."""

    def __init__(self) -> None:
        super().__init__(("0.0.0.0", 0), Handler)
        self.log: list[Asked] = []

    def pages(self) -> list[Asked]:
        """Returns who asks for pages, without what follows within one question."""
        return [it for it in self.log if it.method == "HEAD"]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        host = (self.headers["Host"] or "").partition(":")[0]
        agent = self.headers["User-Agent"] or ""
        server = self.server
        assert isinstance(server, Server)
        server.log.append(Asked(time.monotonic(), self.command, host, self.path, agent))
        # Hosts of this machine have no gap but that which they ask for.
        body = f"User-agent: *\nCrawl-delay: {GAP_S:.0f}\n".encode()
        self.send_response(404 if self.path.endswith("/3") else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_GET = do_HEAD

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    it = Server()
    threading.Thread(target=it.serve_forever, daemon=True).start()
    yield it
    it.shutdown()
    it.server_close()


def gaps(moments: list[float]) -> list[float]:
    return [after - before for before, after in zip(moments, moments[1:])]


# The name that the server sees has the number of the process.
NAMED = """
[ "$1" = check ] || exec "$PROGRAM" "$@"
shift
exec "$PROGRAM" check --contact "mailto:$$@a.example" --allow-net 127.0.0.0/8 "$@"
"""


def found(spark: SparkSession, home: pathlib.Path, port: int) -> DataFrame:
    """Returns findings of pages of each host, all twice, and of a message."""
    home.mkdir()
    links = [f"http://{host}:{port}/{page}" for host in HOSTS for page in range(PAGES)]
    for name in ("a", "b"):
        (home / f"{name}.txt").write_text("\n".join(links) + "\n")
    mail = f"From: a@b.example\nSubject: x\n\nhttp://127.0.0.9:{port}/secret\n"
    (home / "mail.eml").write_text(mail + "news:a.b@c\n")
    return spark.read.format("linktrawl").load(str(home))


def test_each_host_is_asked_by_one_task_alone_and_with_its_gap(
    spark: SparkSession, server: Server, tmp_path: pathlib.Path
) -> None:
    port = server.server_port
    findings = found(spark, tmp_path / "home", port)
    program = script(tmp_path / "named", NAMED)
    state = str(tmp_path / "state")
    table = engine.check(findings, state, tasks=TASKS, rate=RATE, in_flight=30, program=program)
    answers = {row["uri"]: row for row in table.collect()}

    links = {f"http://{host}:{port}/{page}" for host in HOSTS for page in range(PAGES)}
    secret = f"http://127.0.0.9:{port}/secret"
    assert answers.keys() == links | {secret, "news:a.b@c"}
    for uri in links:
        row = answers[uri]
        wanted = ("missing", 404, "error") if uri.endswith("/3") else ("alive", 200, "ok")
        assert (row["reach_class"], row["reach_status"], row["verdict"]) == wanted
        assert (row["occurrences"], row["is_mail"]) == (2, False)
    # Of links in mail, no path is told.
    assert (answers[secret]["reach_class"], answers[secret]["is_mail"]) == ("alive", True)
    assert "127.0.0.9" not in {it.host for it in server.log}

    times = collections.defaultdict(list)
    agents = collections.defaultdict(set)
    for it in server.log:
        agents[it.host].add(it.agent)
    for it in server.pages():
        times[it.host].append(it.at)
    assert times.keys() == set(HOSTS)
    assert {len(it) for it in agents.values()} == {1}, "one task a host"
    assert 1 < len(set.union(*agents.values())) <= TASKS, "several tasks"
    for host, moments in times.items():
        # Each page once, though it was found twice.
        assert len(moments) == PAGES
        assert min(gaps(moments)) > GAP_S * 0.9, host
    for agent in set.union(*agents.values()):
        questions = [it.at for it in server.pages() if it.agent == agent]
        assert min(gaps(questions)) > TASKS / RATE * 0.8, "its share of the rate"


# Loses the process of Spark when it has asked some, the first time of each part, and goes on for a
# while: the next attempt finds the state in use.
KILLED = """
[ "$1" = check ] || exec "$PROGRAM" "$@"
shift
set -- check --allow-net 127.0.0.0/8 "$@"
state="$(printf '%s\\n' "$@" | sed -n 's/^--state=//p')"
if mkdir "$state.killed" 2>/dev/null; then
    trap '' TERM
    "$PROGRAM" "$@" > /dev/null 2>&1 &
    sleep 3
    kill -9 "$PPID"
    sleep 2
    kill -9 $!
    exit 1
fi
exec "$PROGRAM" "$@"
"""


def test_a_task_that_is_killed_goes_on_where_it_was(
    spark: SparkSession, server: Server, tmp_path: pathlib.Path
) -> None:
    findings = found(spark, tmp_path / "home", server.server_port)
    program = script(tmp_path / "killed", KILLED)
    state = tmp_path / "state"
    table = engine.check(findings.where("NOT is_mail"), str(state), tasks=2, program=program)
    rows = table.collect()
    assert len(rows) == len(HOSTS) * PAGES
    assert {row["verdict"] for row in rows} == {"ok", "error"}
    assert len(list(state.glob("*.killed"))) == 2
    asked = collections.Counter((it.host, it.path) for it in server.pages())
    assert len(asked) == len(rows)
    # No more than was under way when it was killed is asked twice: one of each host.
    again = collections.Counter(host for (host, _), count in asked.items() if count > 1)
    assert max(asked.values()) <= 2 and all(count == 1 for count in again.values()), asked

    # The same call again has all answers, and asks nobody.
    count = len(server.log)
    assert sorted(table.collect()) == sorted(rows)
    assert len(server.log) == count


def test_what_would_ask_twice_or_too_much_is_refused(
    spark: SparkSession, server: Server, tmp_path: pathlib.Path
) -> None:
    settings = {"spark.speculation": "true"}
    session = types.SimpleNamespace(conf=settings)
    racing: Any = types.SimpleNamespace(sparkSession=session)
    with pytest.raises(ValueError, match="speculation"):
        engine.check(racing, str(tmp_path / "state"))
    findings = found(spark, tmp_path / "home", server.server_port)
    with pytest.raises(ValueError, match="mail_without_words"):
        engine.check(findings, str(tmp_path / "state"), probe="head")
    with pytest.raises(TypeError, match="--archive"):
        engine.check(findings, str(tmp_path / "state"), archive="wayback")
    assert not (tmp_path / "state").exists() and not server.log
