//! Any bytes as what a server of FTP, gopher or NNTP says: each question has its answer.
//!
//! The bytes come over loopback, since nothing but a connection makes a dialogue.
#![no_main]

use std::io::Write as _;
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use linktrawl::grammar::split;
use linktrawl::probe::guard::Guard;
use linktrawl::probe::tcp::{Net, NetOptions, Timeouts};
use linktrawl::probe::{self, Level, Question};

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, reply)) = bytes.split_first() else { return };
    let schemes = ["ftp", "gopher", "nntp"];
    let scheme = schemes[usize::from(first) % schemes.len()];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let reply = reply.to_vec();
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.write_all(&reply);
    });
    let second = Duration::from_secs(1);
    let options = NetOptions {
        guard: Guard { allow: vec!["127.0.0.0/8".parse().unwrap()], ..Guard::default() },
        timeouts: Timeouts { connect: second, tls: second, total: second },
        ..NetOptions::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let text = format!("{scheme}://{address}/1/2");
    let uri = split(text.as_bytes());
    let question = Question { uri, level: Level::Head, wants_body: false, validators: None };
    runtime.block_on(async {
        let net = Net::new(options).unwrap();
        probe::find(scheme).unwrap().ask(question, &net, &mut None).await;
    });
    server.join().unwrap();
});
