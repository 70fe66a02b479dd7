#!/usr/bin/env python3
"""Shows the table of README, "Beside other tools": makes the inputs of each row and runs the tools.

    benches/peers.py [--binary FILE] [--lychee FILE] [--urlscan FILE] [--xurls FILE]
                     [--readme FILE] [--record FILE --date DATE]

Each row below makes a few small inputs, runs every tool that is given on them, and says in the
words of the table what came of it. Where README says something else, the row and what was found
are told, and the script fails. A row of README that stands neither here nor in ELSEWHERE fails it,
too. Servers are of this script, on loopback; nobody else is asked: links have names of a
top-level domain that there is not, since lychee passes by those of `.example`.

linkify is a library, whose column tests/scan/peers.rs shows; a tool that is not given is not shown.
urlscan is on PyPI: python3 -m venv DIR && DIR/bin/pip install urlscan==1.2.0
"""

import argparse
import base64
import contextlib
import gzip
import http.server
import io
import json
import os
import platform
import shutil
import signal
import socketserver
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import xml.etree.ElementTree
import zipfile

TOOLS = ("linktrawl", "lychee", "linkify", "xurls", "urlscan")

# Rows that others show.
ELSEWHERE = {
    "checks a second of one processor, lychee's as 1": "benches/reach.py",
    "memory for 500,000 links": "benches/reach.py",
    "in parts on many machines, with the findings of one run": "tests/scan/splits.rs",
}
# What a cell says beyond what is shown: the rest of a list, and what needs more than loopback.
BEYOND = {
    ("asks", "linktrawl"): ", …",
    ("asks", "lychee"): ", mail",
    ("formats for machines", "linktrawl"): ", …",
}

# No tool needs more for such inputs; a hang is to be told.
SECONDS_MAX = 60
# Runs that are compared: files of a tree come to lychee in another order nearly every time.
RUNS = 5
# Between requests to one host, where a tool is told so. Tools count in whole milliseconds, and
# begin to count in the midst of one.
GAP_MS, TICK_MS = 400, 1
# Links that are asked for with gaps between them.
POLITE = ("/1", "/2", "/3", "/4")
# Until what was learnt is on the disk, for tools other than ours: where theirs is, they alone know.
PEER_WRITES_SECONDS = 2


class Tools:
    """The programs that were given, in an environment without proxies and settings of a user."""

    def __init__(self, paths, home):
        self.paths = {name: path for name, path in paths.items() if path}
        self.environment = {"PATH": os.environ["PATH"], "HOME": home, "LANG": "C.UTF-8"}
        self.home = home

    def path(self, name):
        return os.path.join(self.home, name)

    def write(self, name, content):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(content)
        return name

    def run(self, *command, **more):
        environment = self.environment | more
        return subprocess.run(command, capture_output=True, cwd=self.home, env=environment,
                              timeout=SECONDS_MAX)

    def command(self, name, path):
        """Lists the links of one input."""
        return [self.paths[name]] + {
            "linktrawl": ["scan", "--quiet", "--format=ndjson", path],
            "lychee": ["--dump", path],
            "xurls": [path],
            "urlscan": ["--no-browser", path],
        }[name]

    def links(self, name, path):
        """What `name` finds at `path`, without addresses of mail."""
        out = self.run(*self.command(name, path)).stdout
        if name == "linktrawl":
            records = map(json.loads, out.splitlines())
            return [record["uri"] for record in records if record["type"] == "finding"]
        lines = out.decode("utf-8", "replace").splitlines()
        return [line for line in lines if line and not line.startswith("mailto:")]

    def each(self, answer):
        """A cell for each tool that finds links in files."""
        return {name: answer(name) for name in TOOLS if name in self.paths}

    def asking(self, answer):
        """A cell for each tool that asks, and can be told to keep to loopback."""
        return {name: answer(name) for name in ("linktrawl", "lychee") if name in self.paths}


def asking(tools, name, path, *more):
    """Asks the links of `path`; linktrawl is let to one host of loopback."""
    start = {
        "linktrawl": ["check", "--quiet", "--allow-net", "127.0.0.2/32"],
        "lychee": ["--no-progress"],
    }[name]
    return [tools.paths[name], *start, *more, path]


def check(tools, name, path, *more, **environment):
    return tools.run(*asking(tools, name, path, *more), **environment)


class Site(http.server.BaseHTTPRequestHandler):
    """Answers with nothing, and remembers who was asked for what, and when."""

    protocol_version = "HTTP/1.1"
    asked, slow, came, gate = [], None, threading.Event(), threading.Event()

    def do_GET(self):
        path = self.path.removeprefix("http://links.dom")
        address, port = self.server.server_address
        Site.asked.append((time.monotonic(), address, path))
        if path == Site.slow:
            Site.came.set()
            Site.gate.wait(SECONDS_MAX)
        body = b"User-agent: *\nDisallow: /closed\n" if path == "/robots.txt" else b""
        away = path == "/away"
        with contextlib.suppress(OSError):
            self.send_response(302 if away else 200)
            if away:
                self.send_header("Location", f"http://127.0.0.3:{port}/inner")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(handler, addresses):
    """A server at one port of each address; gives the port."""
    port, servers = 0, []
    for address in addresses:
        server = http.server.ThreadingHTTPServer((address, port), handler)
        port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
    try:
        yield port
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


def asked(path=None):
    """Paths that were asked for, or the addresses that `path` was asked at."""
    return [(where if path else what) for _, where, what in Site.asked if path in (None, what)]


def message(number, coding, charset="utf-8"):
    """A message with one link, which nobody has who does not decode it."""
    text = f"see {link(number)} now\n"
    body = {
        "quoted-printable": text.replace("/of/", "/o=\nf/").encode("ascii"),
        "base64": base64.encodebytes(text.encode(charset)),
    }[coding]
    return (f"From: a@links.dom\nMessage-ID: <{number}@links.dom>\nSubject: links\n"
            f"MIME-Version: 1.0\nContent-Type: text/plain; charset={charset}\n"
            f"Content-Transfer-Encoding: {coding}\n\n").encode() + body


def link(number):
    return f"http://links.dom/part/of/message/{number}"


def wrapped(tools):
    path = tools.write("wrapped.txt", b"see <http://links.dom/one/\ntwo> and more\n")
    words = {("http://links.dom/one/two",): "whole", ("http://links.dom/one/",): "cut"}
    return tools.each(lambda name: said(words, tools.links(name, path)))


def said(words, found):
    """The word for what was found, or just that."""
    return words.get(tuple(found), f"found {found}")


def all_or_none(found, wanted):
    """`yes`, `no`, or how many."""
    hits = [one for one in wanted if one in found]
    return {0: "no", len(wanted): "yes"}.get(len(hits), f"{len(hits)} of {len(wanted)}")


def decoded(tools):
    parts = [("quoted-printable", "us-ascii"), ("base64", "utf-8"), ("base64", "utf-16le")]
    paths = [tools.write(f"{number}.eml", message(number, coding, charset))
             for number, (coding, charset) in enumerate(parts)]
    wanted = [link(number) for number in range(len(parts))]
    return tools.each(lambda name: all_or_none(
        [found for path in paths for found in tools.links(name, path)], wanted))


def spools(tools):
    """Two messages in each kind of spool."""
    both = [message(0, "quoted-printable"), message(1, "base64")]
    begin = b"From a@links.dom Thu Dec  1 00:00:00 1994\n"
    mailbox = tools.write("two.mbox", b"".join(begin + one + b"\n" for one in both))
    folders = {"mail": ("cur/0.links:2,S", "new/1.links"), "mh": ("1", "2")}
    for folder, names in folders.items():
        for name, one in zip(names, both):
            tools.write(f"{folder}/{name}", one)
    os.mkdir(tools.path("mail/tmp"))
    news = [one.replace(b"Subject", b"Newsgroups: links.test\nSubject") for one in both]
    batch = tools.write("batch", b"".join(b"#! rnews %d\n" % len(one) + one for one in news))
    paths = [mailbox, *folders, batch]

    def answer(name):
        found = [[number for number in range(2) if link(number) in tools.links(name, path)]
                 for path in paths]
        # A directory is no message, and of a mailbox the first is taken.
        words = {"[[0, 1], [0, 1], [0, 1], [0, 1]]": "yes", "[[], [], [], []]": "no",
                 "[[0], [], [], []]": "one message"}
        return words.get(str(found), f"found {found}")

    return tools.each(answer)


def nested(tools):
    outer = (b"From: a@links.dom\nSubject: fwd\nMIME-Version: 1.0\n"
             b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: message/rfc822\n\n")
    path = tools.write("nested.eml", outer + message(7, "base64") + b"\n--x--\n")
    return tools.each(lambda name: all_or_none(tools.links(name, path), [link(7)]))


def charsets(tools):
    path = tools.write("latin.txt", b"caf\xe9 <http://links.dom/latin> \xe9t\xe9\n")

    def answer(name):
        if tools.links(name, path) == ["http://links.dom/latin"]:
            return "read"
        words = tools.run(*tools.command(name, path)).stderr
        return "file left out" if b"Skipping file" in words else "no"

    return tools.each(answer)


def packed(tools):
    """The same text packed in five ways, none of which leaves a link to be seen."""
    if not shutil.which("zstd"):
        sys.exit("expected the program zstd, which packs an input")
    texts = [" ".join(str(number) for number in range(one, 3 * one)) for one in range(90, 99)]
    wanted = "http://links.dom/packed"
    text = f"{texts}\nsee <{wanted}> now\n{texts}\n".encode()
    archive, packet = io.BytesIO(), io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as file:
        member = tarfile.TarInfo("a.txt")
        member.size = len(text)
        file.addfile(member, io.BytesIO(text))
    with zipfile.ZipFile(packet, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.txt", text)
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + text
    record = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2001-12-31T00:00:00Z\r\n"
              f"WARC-Target-URI: http://links.dom/\r\n"
              f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
              f"Content-Type: application/http; msgtype=response\r\n"
              f"Content-Length: {len(answer)}\r\n\r\n").encode() + answer + b"\r\n\r\n"
    zstd = subprocess.run(["zstd", "-q", "-c"], input=text, capture_output=True, check=True)
    contents = {"a.txt.gz": gzip.compress(text), "a.txt.zst": zstd.stdout,
                "a.tar.gz": archive.getvalue(), "a.zip": packet.getvalue(),
                "a.warc.gz": gzip.compress(record)}
    for name, content in contents.items():
        if b"links.dom" in content:
            sys.exit(f"{name} shows its link")
        tools.write(name, content)

    def cell(name):
        found = [wanted in tools.links(name, path) for path in contents]
        return {(True,): "yes", (False,): "no"}.get(tuple(set(found)), f"found {found}")

    return tools.each(cell)


def rules(tools):
    path = tools.write("malformed.txt", b"see <http://links.dom/%zz> now\n")

    def answer(name):
        ran = [tools.run(*tools.command(name, path))]
        if name == "lychee":
            ran.append(tools.run(tools.paths[name], "--no-progress", "-vv", "--offline", path))
        words = b"".join(one.stdout + one.stderr for one in ran)
        told = ("RFC 3986 §2.1".encode(), b"pct-encoded")
        return all_or_none(words, told)

    return tools.each(answer)


def asks(tools):
    """Which servers get a connection from a list of links."""

    class Listener(socketserver.BaseRequestHandler):
        def handle(self):
            came.append(self.server.scheme)

    came, servers = [], []
    for scheme in ("http", "ftp", "gopher", "nntp"):
        server = socketserver.ThreadingTCPServer(("127.0.0.2", 0), Listener)
        server.scheme = scheme
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
    uris = [f"<{one.scheme}://127.0.0.2:{one.server_address[1]}/1>\n\n" for one in servers]
    path = tools.write("schemes.txt", "".join(uris).encode())

    def answer(name):
        came.clear()
        check(tools, name, path, *{
            "linktrawl": ["--retries=0"], "lychee": ["--max-retries=0"]}[name])
        return ", ".join(one.scheme for one in servers if one.scheme in came)

    cells = tools.asking(answer)
    for server in servers:
        server.shutdown()
        server.server_close()
    return cells


def private(tools):
    """Each tool as strict as it can be, and a redirect that leads where it should not go.

    What lychee asks stands at a public name, behind a proxy of this machine.
    """

    def answer(name):
        with served(Site, ("127.0.0.2", "127.0.0.3", "127.0.0.1")) as port:
            Site.asked.clear()
            if name == "lychee":
                path = tools.write("away.txt", b"<http://links.dom/away>\n")
                check(tools, name, path, "--exclude-all-private",
                      http_proxy=f"http://127.0.0.2:{port}", no_proxy="127.0.0.3")
            else:
                hosts = ("127.0.0.2:{}/away", "127.0.0.3:{}/inner", "localhost:{}/inner")
                path = tools.write("away.txt", "".join(
                    f"<http://{host.format(port)}>\n\n" for host in hosts).encode())
                check(tools, name, path)
            if "/away" not in asked():
                return "did not ask at all"
            return "no" if asked("/inner") else "yes"

    return tools.asking(answer)


def polite(tools):
    """The last of some links comes no earlier than the gaps before it take.

    It is counted from the start of the tool: what is slow makes that longer and never shorter.
    """
    settings = (f'[hosts."127.0.0.2"]\nown = false\nrobots = true\nconcurrency = 1\n'
                f'gap = "{GAP_MS}ms"\n')
    more = {
        "linktrawl": ["--config", tools.write("polite/linktrawl.toml", settings.encode())],
        "lychee": ["--host-request-interval", f"{GAP_MS}ms"],
    }

    def answer(name):
        with served(Site, ("127.0.0.2",)) as port:
            Site.asked.clear()
            path = tools.write("polite.txt", "".join(
                f"<http://127.0.0.2:{port}{path}>\n\n" for path in (*POLITE, "/closed")).encode())
            start = time.monotonic()
            check(tools, name, path, *more[name])
            if not set(POLITE).issubset(asked()):
                return f"asked {asked()}"
        last = max(when for when, _, path in Site.asked if path in POLITE)
        gaps = last - start >= (len(POLITE) - 1) * (GAP_MS - TICK_MS) / 1000
        robots = "/robots.txt" in asked() and "/closed" not in asked()
        return {(True, True): "yes", (False, True): "gaps", (True, False): "robots.txt"}.get(
            (robots, gaps), "no")

    return tools.asking(answer)


def killed(tools):
    """A run that is killed at its last link, and the same again; then once more."""
    more = {
        "linktrawl": ["--state", "state.db", "--host-concurrency", "1"],
        "lychee": ["--cache", "--host-concurrency", "1"],
    }

    def answer(name):
        paths = [f"/{number}" for number in range(5)]
        with served(Site, ("127.0.0.2",)) as port:
            path = tools.write("killed.txt", "".join(
                f"<http://127.0.0.2:{port}{path}>\n\n" for path in paths).encode())
            kill_late(tools, name, path, more[name], paths[-1])
            Site.asked.clear()
            check(tools, name, path, *more[name])
            again = set(asked())
            Site.asked.clear()
            check(tools, name, path, *more[name])
            cached = not asked()
        if again == set(paths):
            return "no, a cache of finished runs" if cached else "no"
        return "yes" if again == {paths[-1]} else f"asked again {sorted(again)}"

    return tools.asking(answer)


def kill_late(tools, name, path, more, last):
    """Kills a run when it waits for nothing but the answer of `last`, and all else is written."""
    Site.asked.clear()
    Site.slow = last
    Site.came.clear()
    Site.gate.clear()
    run = subprocess.Popen(asking(tools, name, path, *more), cwd=tools.home,
                           env=tools.environment, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    if not Site.came.wait(SECONDS_MAX):
        sys.exit(f"{name} did not ask for {last}")
    if name == "linktrawl":
        others = len(set(asked()) - {last, "/robots.txt"})
        while run.poll() is None and written(tools.path("state.db")) < others:
            time.sleep(0.02)
    else:
        time.sleep(PEER_WRITES_SECONDS)
    run.send_signal(signal.SIGKILL)
    if run.wait() != -signal.SIGKILL:
        sys.exit(f"{name} ended before it was killed")
    Site.slow = None
    Site.gate.set()


def written(path):
    """Answers that a run would find that begins now.

    The file is held by the run, so that a copy is looked into: what SQLite takes of the log is
    what was committed.
    """
    with tempfile.TemporaryDirectory() as home:
        try:
            for end in ("-wal", ""):
                with contextlib.suppress(FileNotFoundError):
                    shutil.copy(path + end, os.path.join(home, "state.db" + end))
            with contextlib.closing(sqlite3.connect(os.path.join(home, "state.db"))) as state:
                return state.execute("SELECT count(*) FROM results").fetchone()[0]
        except sqlite3.Error:
            # Not there in full: copied while it is written.
            return 0


def same_bytes(tools):
    for number in range(100):
        uris = "".join(f"<http://{number}.links.dom/{part}>\n\n" for part in range(3))
        tools.write(f"tree/{number}.md", uris.encode())

    def answer(name):
        runs = {tools.run(*tools.command(name, "tree")).stdout for _ in range(RUNS)}
        return "yes" if len(runs) == 1 and b"".join(runs) else "no"

    return tools.asking(answer)


def formats(tools):
    """Reports that a parser of their format takes, with the broken link in them."""
    path = tools.write("formats.md", b"<http://127.0.0.2:1/formats>\n\n[x](missing.md)\n")
    offered = {"linktrawl": ["sarif", "junit", "gitlab", "json"],
               "lychee": ["json", "junit", "sarif", "gitlab"]}
    shown = {"sarif": "SARIF", "junit": "JUnit", "gitlab": "GitLab", "json": "JSON"}
    parse = {"junit": xml.etree.ElementTree.fromstring}

    def answer(name):
        cell = []
        for form in offered[name]:
            out = check(tools, name, path, "--offline", "--format", form).stdout
            with contextlib.suppress(ValueError, xml.etree.ElementTree.ParseError):
                parse.get(form, json.loads)(out)
                cell += [shown[form]] * (b"missing.md" in out)
        # README names three; linktrawl's JSON is told of no more than lychee's Markdown.
        return ", ".join(cell[:3])

    return tools.asking(answer)


ROWS = {
    "URIs in `<…>` over two lines": wrapped,
    "quoted-printable, base64 and charsets of mail": decoded,
    "mbox, Maildir, MH, news": spools,
    "messages in messages": nested,
    "text that is not UTF-8": charsets,
    "`.gz`, `.zst`, `.tar.gz`, `.zip`, `.warc.gz`": packed,
    "which rule of which RFC a link breaks": rules,
    "asks": asks,
    "never asks private addresses, whatever a name or redirect says": private,
    "robots.txt, gaps for each host": polite,
    "goes on after a kill": killed,
    "the same bytes in each run": same_bytes,
    "formats for machines": formats,
}


def table(path):
    """The cells of README's table, by row and tool."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n## Beside other tools\n")[1].split("\n## ")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in lines if line.startswith("|")]
    if tuple(rows[0][1:]) != TOOLS:
        sys.exit(f"expected the columns {TOOLS}, found {rows[0][1:]}")
    return {row[0]: dict(zip(TOOLS, row[1:])) for row in rows[2:]}


def compare(tools, told):
    """The lines of the table as found, and what README says otherwise."""
    lines, faults = [], []
    unknown = set(told).symmetric_difference([*ROWS, *ELSEWHERE])
    faults += [f"{row}: stands in README alone, or here alone" for row in sorted(unknown)]
    for row, cells in told.items():
        if row not in ROWS:
            lines.append(f"{row}\n    shown by {ELSEWHERE.get(row, 'nothing')}")
            continue
        found = ROWS[row](tools)
        lines.append(row)
        for tool, cell in found.items():
            beyond = BEYOND.get((row, tool), "")
            lines.append(f"    {tool:<10} {cell}{f' ({beyond[2:]}: not shown)' if beyond else ''}")
            if cells[tool] != cell + beyond:
                faults.append(f"{row}: {tool}: README says {cells[tool]!r}, found {cell!r}")
    return lines, faults


def version(tools, name):
    words = tools.run(tools.paths[name], "--version").stdout.decode("utf-8", "replace")
    return words.split("\n")[0].strip() or "of unknown version"


def head(options, tools):
    commit = subprocess.run(["git", "describe", "--always", "--abbrev=12", "--dirty"],
                            capture_output=True, text=True).stdout.strip()
    absent = [name for name in TOOLS if name not in tools.paths]
    return [f"date      {options.date}", "command   benches/peers.py --record",
            f"commit    {commit}",
            f"profile   {os.path.basename(os.path.dirname(os.path.abspath(options.binary)))}",
            f"system    {platform.system()} {platform.machine()}",
            *(f"tool      {name}: {version(tools, name)}" for name in tools.paths),
            f"not run   {', '.join(absent)}", ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default="target/dist/linktrawl")
    for name in ("lychee", "urlscan", "xurls"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--readme", default="README.md")
    parser.add_argument("--record")
    parser.add_argument("--date")
    options = parser.parse_args()
    given = {"linktrawl": options.binary, "lychee": options.lychee, "xurls": options.xurls,
             "urlscan": options.urlscan}
    paths = {name: path and (shutil.which(path) or sys.exit(f"no program {path}"))
             for name, path in given.items()}
    with tempfile.TemporaryDirectory() as home:
        tools = Tools({name: path and os.path.abspath(path) for name, path in paths.items()}, home)
        found, faults = compare(tools, table(options.readme))
        lines = head(options, tools) + found
    print("\n".join(lines))
    if faults:
        sys.exit("\n".join(["", *faults]))
    if options.record:
        with open(options.record, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
