#!/usr/bin/env python3
"""Measures `linktrawl check` against a server on this machine, beside lychee.

    benches/reach.py [--counts] [--binary FILE] [--lychee FILE] [--nginx FILE] [--links N]
                     [--hosts N] [--many N] [--local N] [--in-flight N] [--rounds N]
                     [--record FILE --date DATE]

nginx answers at every address of 127.0.0.0/8, of which each is a host of its own. Loopback is
named as the user's own (`--own-host`): each host is asked sixteen questions at once without a gap,
and nobody is asked for robots.txt, as lychee without its limits does. What strangers are spared is
not measured; as strangers, all hosts of a /24 would share eight questions. Client and
server have a processor each, where there are two. What is counted is asserted first: every
link answers, in each program. Programs take turns; the median of the rounds is told, as a
ratio. Memory is the peak of the process; one below that of this script is not seen. With `--counts`, the counts are all that is done.

- checks a second: `--links` links over `--hosts` hosts
- memory: `--many` links over `--hosts` hosts
- `--local` links between files of a tree
- fairness: one link to a second host behind 600 to a slow first one: when it is answered
- in flight: `--in-flight` hosts that answer late, all at once
"""

import argparse
import itertools
import json
import os
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

NGINX = """
worker_processes 1;
daemon off;
pid {home}/pid;
error_log {home}/error.log;
events {{ worker_connections 20000; }}
http {{
    access_log off;
    client_body_temp_path {home}/a; proxy_temp_path {home}/b; fastcgi_temp_path {home}/c;
    uwsgi_temp_path {home}/d; scgi_temp_path {home}/e;
    keepalive_requests 1000000;
    server {{ listen {port} backlog=16384 reuseport; location / {{ return 200 "here\\n"; }} }}
}}
"""

CODES_OF_FINDINGS = (0, 1)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start_nginx(options, home, pin):
    port = free_port()
    config = os.path.join(home, "nginx.conf")
    with open(config, "w") as file:
        file.write(NGINX.format(home=home, port=port))
    nginx = subprocess.Popen(pin + [options.nginx, "-e", home + "/error.log", "-p", home,
                                    "-c", config])
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return nginx, port
        except ConnectionRefusedError:
            if nginx.poll() is not None:
                sys.exit("nginx did not start")
            time.sleep(0.01)


def address(number):
    """A host of its own for each number."""
    return f"127.{1 + number // 65025}.{number // 255 % 255}.{1 + number % 255 % 254}"


def write_links(path, links):
    with open(path, "w") as file:
        for link in links:
            file.write(f"<{link}>\n\n")


def links_over_hosts(count, hosts, port):
    return [f"http://{address(n % hosts)}:{port}/p/{n}" for n in range(count)]


def ours(options, path, *more):
    return [options.binary, "check", "--quiet", "--exit-zero", "--format=ndjson", "--threads", "1",
            "--allow-net", "127.0.0.0/8", "--own-host", "127.0.0.0/8", *more, path]


def theirs(options, path, *more):
    return [options.lychee, "--no-progress", "--format", "json", "--mode", "plain", *more, path]


FAST = ("--host-request-interval", "0s", "--host-concurrency", "1000", "--max-concurrency", "1000")


def run(command, pin, output):
    """Seconds, peak in MB."""
    with open(output, "wb") as out:
        start = time.monotonic()
        process = subprocess.Popen(pin + command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
    code = os.waitstatus_to_exitcode(status)
    if code not in CODES_OF_FINDINGS:
        sys.exit(f"{command[0]} ended with {code}")
    return seconds, usage.ru_maxrss / 1024


def count_ours(output):
    alive = 0
    with open(output) as file:
        for line in file:
            record = json.loads(line)
            reach = record.get("reach") or {}
            alive += reach.get("class") == "alive"
    return alive


def count_theirs(output):
    with open(output) as file:
        return json.load(file)["successful"]


def turns(options, programs, pin, home, wanted):
    """For each program the median of seconds, and the highest peak."""
    output = os.path.join(home, "output")
    seconds, peaks = {name: [] for name in programs}, dict.fromkeys(programs, 0)
    for _ in range(options.rounds):
        for name, (command, count) in programs.items():
            took, peak = run(command, pin, output)
            found = count(output)
            if wanted is not None and found != wanted:
                sys.exit(f"{name}: expected {wanted} links that answer, found {found}")
            seconds[name].append(took)
            peaks[name] = max(peaks[name], peak)
    return {name: (statistics.median(seconds[name]), peaks[name]) for name in programs}


def table(title, results, count):
    first = next(iter(results.values()))
    lines = [f"{title}", f"{'program':<34}{'seconds':>9}{'links/s':>10}{'/first':>8}{'peak MB':>9}"]
    for name, (seconds, peak) in results.items():
        lines.append(f"{name:<34}{seconds:>9.2f}{count / seconds:>10.0f}"
                     f"{seconds / first[0]:>8.2f}{peak:>9.1f}")
    return lines + [""]


def programs(options, path, defaults):
    found = {"linktrawl check": (ours(options, path, "--in-flight", "1000"), count_ours)}
    if options.lychee:
        found["lychee, unlimited"] = (theirs(options, path, *FAST), count_theirs)
        if defaults:
            found["lychee, defaults"] = (theirs(options, path), count_theirs)
    return found


def late_server(delay, order=None, backlog=16384):
    """Answers each connection `delay` seconds after its request; hears all addresses."""
    import selectors
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("0.0.0.0", 0))
    listener.listen(backlog)
    listener.setblocking(False)
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    port = listener.getsockname()[1]
    most = [0]

    def serve():
        due, open_ones = [], 0
        while True:
            wait = max(0, due[0][0] - time.monotonic()) if due else None
            for key, _ in selector.select(wait):
                if key.fileobj is listener:
                    try:
                        while True:
                            client, _ = listener.accept()
                            client.setblocking(False)
                            selector.register(client, selectors.EVENT_READ)
                            open_ones += 1
                            most[0] = max(most[0], open_ones)
                    except BlockingIOError:
                        continue
                try:
                    data = key.fileobj.recv(4096)
                except OSError:
                    data = b""
                if data:
                    if order is not None:
                        order.append(port)
                    due.append((time.monotonic() + delay, key.fileobj))
                else:
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
                    open_ones -= 1
            while due and due[0][0] <= time.monotonic():
                client = due.pop(0)[1]
                try:
                    client.send(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                except OSError:
                    pass

    threading.Thread(target=serve, daemon=True).start()
    return port, most


def fairness(options, home, pin):
    """How many links of a slow host were asked before the one of another host behind them."""
    order = []
    slow, _ = late_server(0.02, order)
    other, _ = late_server(0, order)
    links = [f"http://127.0.0.1:{slow}/{n}" for n in range(600)] + [f"http://127.0.0.2:{other}/"]
    path, output = os.path.join(home, "fair.txt"), os.path.join(home, "output")
    write_links(path, links)
    run(ours(options, path, "--host-concurrency", "1"), pin, output)
    before = order.index(other)
    if count_ours(output) != 601 or before > 10:
        sys.exit(f"fairness: {before} links of the slow host were asked before the other's")
    return [f"fairness: 600 links of a slow host, {before} asked before the other host's", ""]


def in_flight(options, home, pin):
    port, most = late_server(3)
    path, output = os.path.join(home, "flight.txt"), os.path.join(home, "output")
    write_links(path, [f"http://{address(n)}:{port}/" for n in range(options.in_flight)])
    command = ours(options, path, "--in-flight", str(options.in_flight))
    seconds, peak = run(command, pin, output)
    found = count_ours(output)
    if found != options.in_flight:
        sys.exit(f"in flight: expected {options.in_flight} answers, found {found}")
    return [f"in flight: {options.in_flight} hosts, {most[0]} at once, {seconds:.2f} s,"
            f" peak {peak:.1f} MB", ""]


def local(options, home, pin):
    """Links between files: ours with the places that fragments name, theirs without."""
    tree, output = os.path.join(home, "tree"), os.path.join(home, "output")
    files = max(options.local // 100, 1)
    os.mkdir(tree)
    for number in range(files):
        links = (f"[n](./{(number + 7 * n) % files}.md#part-{n % 9})" for n in range(100))
        parts = (f"## Part {n}\n" for n in range(9))
        with open(f"{tree}/{number}.md", "w") as file:
            file.write("\n".join(itertools.chain(parts, links)) + "\n")
    offline = (options.binary, "check", "--quiet", "--exit-zero", "--format=ndjson", "--threads",
               "1", "--offline")
    found = {"linktrawl check --offline": ([*offline, tree], count_ours)}
    if options.lychee:
        plain = [options.lychee, "--no-progress", "--format", "json", "--offline"]
        found["lychee --offline"] = ([*plain, tree], count_theirs)
        found["lychee --offline, fragments"] = (
            [*plain, "--include-fragments", tree], count_theirs)
    results = turns(options, found, pin, home, None)
    return table(f"{files * 100} links between {files} files", results, files * 100)


def head(options):
    commit = subprocess.run(["git", "describe", "--always", "--abbrev=12", "--dirty"],
                            capture_output=True, text=True).stdout.strip()
    with open("/proc/cpuinfo") as file:
        model = next(line.split(":")[1].strip() for line in file if "model name" in line)
    return [f"date      {options.date}", f"commit    {commit}",
            f"profile   {os.path.basename(os.path.dirname(os.path.abspath(options.binary)))}",
            f"cpu       {model}, {os.cpu_count()} hardware threads",
            f"system    {platform.system()} {platform.release()} {platform.machine()}", ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--counts", action="store_true")
    parser.add_argument("--binary", default="target/dist/linktrawl")
    parser.add_argument("--lychee")
    parser.add_argument("--nginx", default=shutil.which("nginx") or "/usr/sbin/nginx")
    parser.add_argument("--links", type=int, default=50_000)
    parser.add_argument("--hosts", type=int, default=2_000)
    parser.add_argument("--many", type=int, default=500_000)
    parser.add_argument("--local", type=int, default=200_000)
    parser.add_argument("--in-flight", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--record")
    parser.add_argument("--date")
    options = parser.parse_args()
    two = os.cpu_count() > 1 and shutil.which("taskset")
    client, server = (["taskset", "-c", "0"], ["taskset", "-c", "1"]) if two else ([], [])
    lines = head(options)
    with tempfile.TemporaryDirectory() as home:
        nginx, port = start_nginx(options, home, server)
        try:
            path = os.path.join(home, "links.txt")
            if options.counts:
                options.rounds, options.links, options.many = 1, 2_000, 0
                options.hosts, options.in_flight, options.local = 100, 500, 2_000
            write_links(path, links_over_hosts(options.links, options.hosts, port))
            results = turns(options, programs(options, path, True), client, home, options.links)
            lines += table(f"{options.links} links, {options.hosts} hosts", results, options.links)
            if options.many:
                write_links(path, links_over_hosts(options.many, options.hosts, port))
                options.rounds = 1
                results = turns(options, programs(options, path, False), client, home,
                                options.many)
                lines += table(f"{options.many} links, {options.hosts} hosts", results,
                               options.many)
            lines += local(options, home, client)
            lines += fairness(options, home, client)
            lines += in_flight(options, home, client)
        finally:
            nginx.terminate()
            nginx.wait()
    print("\n".join(lines))
    if options.record:
        with open(options.record, "w") as file:
            file.write("\n".join(lines))


if __name__ == "__main__":
    main()
