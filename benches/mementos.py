#!/usr/bin/env python3
"""Counts what `linktrawl check --archive` asks of an archive of the Web, in a run that is killed once.

    benches/mementos.py [--binary FILE] [--links N] [--pywb FOLDER] [--pywb-links N]
                        [--record FILE --date DATE]

A site on loopback has nothing but dead links, and an archive beside it has copies of half of them.
The run is killed (SIGKILL) when the archive was asked for half of the links, and begun again with
the same state. The script fails unless each link has its copy, or none, as the archive has; no link
is asked of the archive twice but those whose answers were not on the disk yet; and a third run asks
nothing at all.

Archives are one of this script, which answers at once, and with --pywb pywb itself, as
`tests/support/servers/fetch` unpacks it, behind a counting proxy: it takes some milliseconds for an
answer, so that fewer links are the default. Its TimeMaps are asked for each link, and its CDX server
for all of them at once: that run is killed as soon as it has asked.
"""

import argparse
import collections
import contextlib
import gzip
import http.client
import http.server
import json
import os
import platform
import signal
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time

# A run that hangs is to be told.
SECONDS_MAX = 1200
# Until pywb listens, in tenths of a second.
TRIES_MAX = 600
# What is learnt is on the disk after a quarter of a second. By then, an archive that is asked at full
# speed has answered some hundred links more.
SECONDS_LOST_MAX = 1.0
COPY = "20010203040506"


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, *_):
        """Says nothing: the program that is killed leaves its connections open."""


def serve(answer):
    """Starts a server whose requests `answer` answers: a status, fields and a page."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            status, fields, page = answer(self)
            self.send_response(status)
            for name, value in fields:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(page)

        do_HEAD = do_GET

        def log_message(self, *_):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Asked:
    """The requests that an archive saw, each with its time."""

    def __init__(self):
        self.times = collections.defaultdict(list)
        self.count = 0
        self.lock = threading.Lock()

    def add(self, path):
        with self.lock:
            self.times[path].append(time.monotonic())
            self.count += 1


def is_kept(link):
    return int(link.rsplit("/", 1)[1]) % 2 == 0


def scripted(asked):
    def answer(request):
        asked.add(request.path)
        link = request.path.removeprefix("/timemap/link/")
        if not is_kept(link):
            return 404, [], b""
        base = f"http://{request.headers['Host']}"
        text = (f'<{link}>; rel="original",\n<{base}/{COPY}/{link}>; rel="memento"; '
                'datetime="Sat, 03 Feb 2001 04:05:06 GMT"\n')
        return 200, [("Content-Type", "application/link-format")], text.encode()
    return answer


def proxied(asked, port):
    def answer(request):
        asked.add(request.path)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", request.path, headers={"Host": request.headers["Host"]})
        response = connection.getresponse()
        page = response.read()
        connection.close()
        kept = ("content-type", "memento-datetime", "location", "vary", "link")
        return response.status, [it for it in response.getheaders() if it[0].lower() in kept], page
    return answer


def warc(links):
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>"
    for number, link in enumerate(link for link in links if is_kept(link)):
        head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {link}\r\n"
                f"WARC-Date: 2001-02-03T04:05:06Z\r\n"
                f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012x}>\r\n"
                f"Content-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(page)}\r\n\r\n")
        yield gzip.compress(head.encode() + page + b"\r\n\r\n", 1)


@contextlib.contextmanager
def pywb(folder, home, links):
    """Starts pywb with copies of half of `links`; gives its port."""
    environment = os.environ | {"PYTHONPATH": folder}
    quiet = {"cwd": home, "env": environment, "stdout": subprocess.DEVNULL,
             "stderr": subprocess.DEVNULL}
    with open(os.path.join(home, "x.warc.gz"), "wb") as file:
        file.writelines(warc(links))
    for words in (["init", "c1"], ["add", "c1", "x.warc.gz"]):
        subprocess.run(["python3", os.path.join(folder, "bin/wb-manager"), *words], check=True,
                       **quiet)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["-p", str(port), "-b", "127.0.0.1"]
    daemon = subprocess.Popen(["python3", os.path.join(folder, "bin/wayback"), *words], **quiet)
    try:
        for _ in range(TRIES_MAX):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield port
    finally:
        daemon.kill()
        daemon.wait()


def run(binary, home, service, kill_at=None, asked=None):
    """Runs to the end, or until the archive was asked `kill_at` times; gives the seconds."""
    words = ["check", "links.md", "--quiet", "--exit-zero", "--retries=0", "--state=state.db",
             "--allow-net=127.0.0.0/8", "--own-host=127.0.0.0/8", f"--archive={service}",
             "--format=ndjson=run.ndjson"]
    begun = time.monotonic()
    child = subprocess.Popen([binary, *words], cwd=home, stdin=subprocess.DEVNULL)
    while child.poll() is None:
        if kill_at and asked.count >= kill_at:
            child.send_signal(signal.SIGKILL)
            child.wait()
            return time.monotonic() - begun
        if time.monotonic() - begun > SECONDS_MAX:
            child.kill()
            sys.exit("the run hangs")
        time.sleep(0.005)
    if kill_at or child.returncode != 0:
        sys.exit(f"the run ended with {child.returncode}")
    return time.monotonic() - begun


def held(home, links):
    """Holds the records to what the archive has."""
    with open(os.path.join(home, "run.ndjson"), encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    found = {it["uri"]: it.get("archived") for it in records if it["type"] == "finding"}
    wrong = [link for link in links if found.get(link) is not is_kept(link)]
    if wrong:
        sys.exit(f"{len(wrong)} links are told otherwise than the archive has them: {wrong[:3]}")


def bench(binary, name, count, interface, begin):
    """Gives a row of the table: the `interface` of the archive called `name`, that `begin` starts, and
    `count` links."""
    site = serve(lambda _: (404, [], b""))
    base = f"http://127.0.0.1:{site.server_port}/dead"
    links = [f"{base}/{number}" for number in range(count)]
    asked = Asked()
    with tempfile.TemporaryDirectory() as home, begin(home, links) as answer:
        with open(os.path.join(home, "links.md"), "w", encoding="utf-8") as file:
            file.writelines(f"- <{link}>\n" for link in links)
        archive = serve(answer(asked))
        service = f"http://127.0.0.1:{archive.server_port}{interface}"
        lists = interface.endswith("url=")
        first = run(binary, home, service, 1 if lists else count // 2, asked)
        at_kill, killed = asked.count, time.monotonic()
        second = run(binary, home, service)
        held(home, links)
        total = asked.count
        twice = [times for times in asked.times.values() if len(times) > 1]
        early = [it for it in twice if len(it) > 2 or killed - it[0] > SECONDS_LOST_MAX]
        if lists and total > count:
            sys.exit(f"{total} requests for {count} links")
        if not lists and (len(asked.times) != count or early):
            sys.exit(f"{len(early)} links were asked again though their answers were kept")
        run(binary, home, service)
        held(home, links)
        if asked.count != total:
            sys.exit(f"a third run asked {asked.count - total} times")
        archive.shutdown()
    site.shutdown()
    return f"{name:<10}{count:>8}{at_kill:>10}{total - at_kill:>10}{len(twice):>8}{total / count:>10.4f}" \
           f"{first:>9.1f}{second:>9.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", default="target/release/linktrawl")
    parser.add_argument("--links", type=int, default=10_000)
    parser.add_argument("--pywb")
    parser.add_argument("--pywb-links", type=int, default=1_000)
    parser.add_argument("--record")
    parser.add_argument("--date")
    given = parser.parse_args()
    binary = os.path.abspath(given.binary)

    @contextlib.contextmanager
    def ours(*_):
        yield scripted

    @contextlib.contextmanager
    def theirs(home, links):
        with pywb(os.path.abspath(given.pywb), home, links) as port:
            yield lambda asked: proxied(asked, port)

    rows = [bench(binary, "scripted", given.links, "/timemap/link/", ours)]
    if given.pywb:
        for name, interface in (("pywb", "/c1/timemap/link/"), ("pywb, cdx", "/c1/cdx?url=")):
            rows.append(bench(binary, name, given.pywb_links, interface, theirs))
    version = subprocess.run([binary, "--version"], capture_output=True, text=True).stdout.strip()
    text = "\n".join([
        f"date      {given.date}",
        f"command   benches/mementos.py {' '.join(sys.argv[1:])}",
        f"program   {version}",
        f"system    {platform.system()} {platform.release()} {platform.machine()}, "
        f"{os.cpu_count()} hardware threads, Python {platform.python_version()}",
        "",
        "Dead links of one site, half of which an archive has. Requests that the archive saw until the",
        "run was killed, and after it was begun again; links that it was asked for twice, since their",
        "answers were not on the disk when the run was killed; requests a link; and the seconds of",
        "both runs. A third run asked nothing. Links are the user's own host here, with many requests",
        "at once, all of which are lost by the kill; any other archive gets one at a time.",
        "",
        f"{'archive':<10}{'links':>8}{'to kill':>10}{'after':>10}{'twice':>8}{'a link':>10}"
        f"{'seconds':>9}{'':>9}",
        *rows,
        "",
    ])
    print(text)
    if given.record:
        with open(given.record, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
