//! A page without an end, of which a place is looked for: how much memory that takes.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use crate::{command, directory, document};

/// More than a run over a short page takes, at most: a megabyte of the page is read, and what
/// finds places in it takes some times that.
const MORE_KB_MAX: u64 = 20 * 1024;

/// Answers one connection: `/a-short` is a page, `/b-endless` is a page without an end, and
/// `/c-held` is reported to `held` and never answered.
fn serve(mut stream: TcpStream, held: &Sender<()>) -> Option<()> {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    loop {
        let mut lines = BufReader::new(stream.try_clone().ok()?).lines().map_while(Result::ok);
        let first = lines.next()?;
        lines.take_while(|line| !line.is_empty()).for_each(drop);
        match first.split(' ').nth(1)? {
            "/a-short" => write!(stream, "{head}Content-Length: 3\r\n\r\n<p>").ok()?,
            "/b-endless" => {
                write!(stream, "{head}Transfer-Encoding: chunked\r\n\r\n").ok()?;
                let chunk = format!("10000\r\n{}\r\n", "<a id=x>".repeat(0x2000));
                while stream.write_all(chunk.as_bytes()).is_ok() {}
                return None;
            }
            _ => {
                held.send(()).ok()?;
                return stream.read_to_end(&mut Vec::new()).map(drop).ok();
            }
        }
    }
}

/// The most memory that a run takes over `path` with a place, in kB.
fn peak(path: &str) -> u64 {
    let listener = TcpListener::bind("127.0.7.1:0").expect("a free port");
    let port = listener.local_addr().expect("its address").port();
    let (tell, held) = channel();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let tell = tell.clone();
            thread::spawn(move || serve(stream, &tell));
        }
    });
    let uris = [path, "/c-held"].map(|path| format!("http://127.0.7.1:{port}{path}"));
    let home = directory(&[("a.md", &document(&uris))]);
    let args = ["--fragments=all", "--host-concurrency=1", "--timeout=1h", "a.md"];
    let mut child =
        command(home.path(), &args).stdout(Stdio::null()).spawn().expect("the binary runs");
    // One at a time: when the last is asked for, the page is done with.
    held.recv().expect("it is asked for");
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[test]
fn a_page_without_an_end_takes_little_memory() {
    let (short, endless) = (peak("/a-short#y"), peak("/b-endless#y"));
    assert!(endless <= short + MORE_KB_MAX, "{endless} kB, and {short} kB for a short page");
}
