//! A name server on loopback that gives the answers of a test, over UDP.
//!
//! It is no resolver and no authority: it reads one question, and appends its answer. Format: RFC
//! 1035 §4.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::{Arc, Mutex};

/// Types of records (RFC 1035 §3.2.2, RFC 3596 §2.1).
pub(crate) const A: u16 = 1;
const CNAME: u16 = 5;
const MX: u16 = 15;
const AAAA: u16 = 28;
/// A name that is an alias leads to another at most so often.
const ALIASES_MAX: usize = 8;

/// The reply to one question.
pub(crate) enum Reply {
    /// These records, which may be none.
    Records(Vec<Record>),
    /// This RCODE (RFC 1035 §4.1.1).
    Code(u8),
    /// Nothing, ever.
    Silence,
}

/// One record of an answer.
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) kind: u16,
    pub(crate) ttl: u32,
    pub(crate) data: Vec<u8>,
}

impl Record {
    /// An address of `name` that lives for `ttl` seconds.
    pub(crate) fn address(name: &str, address: IpAddr, ttl: u32) -> Self {
        let (kind, data) = match address {
            IpAddr::V4(v4) => (A, v4.octets().to_vec()),
            IpAddr::V6(v6) => (AAAA, v6.octets().to_vec()),
        };
        Self { name: name.to_owned(), kind, ttl, data }
    }
}

/// The server.
pub(crate) struct NameServer {
    pub(crate) address: SocketAddr,
    asked: Arc<Mutex<HashMap<String, usize>>>,
}

impl NameServer {
    /// Answers with what `reply` says to a name in lower case and a type.
    pub(crate) fn start(mut reply: impl FnMut(&str, u16) -> Reply + Send + 'static) -> Self {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("loopback");
        let address = socket.local_addr().expect("bound");
        let asked = Arc::new(Mutex::new(HashMap::new()));
        let counts = Arc::clone(&asked);
        std::thread::spawn(move || {
            let mut buffer = [0; 512];
            while let Ok((len, peer)) = socket.recv_from(&mut buffer) {
                let query = &buffer[..len];
                let (name, kind, end) = question(query);
                *counts.lock().expect("whole").entry(name.clone()).or_default() += 1;
                if let Some(answer) = answer(&query[..end], &reply(&name, kind)) {
                    socket.send_to(&answer, peer).expect("sent");
                }
            }
        });
        Self { address, asked }
    }

    /// A server for the zone in `text`, as corpus/probe/zone.tsv has it.
    pub(crate) fn of_zone(text: &str) -> Self {
        let zone = Zone::read(text);
        Self::start(move |name, kind| zone.reply(name, kind))
    }

    /// How many questions there were about `name`.
    pub(crate) fn asked(&self, name: &str) -> usize {
        self.asked.lock().expect("whole").get(name).copied().unwrap_or_default()
    }

    /// How many questions there were.
    pub(crate) fn asked_in_all(&self) -> usize {
        self.asked.lock().expect("whole").values().sum()
    }
}

/// Name and type that are asked for, and where the question ends.
fn question(query: &[u8]) -> (String, u16, usize) {
    let mut at = 12;
    let mut labels = Vec::new();
    while query[at] != 0 {
        let len = usize::from(query[at]);
        labels.push(String::from_utf8_lossy(&query[at + 1..=at + len]).to_ascii_lowercase());
        at += len + 1;
    }
    let kind = u16::from_be_bytes([query[at + 1], query[at + 2]]);
    (labels.join("."), kind, at + 5)
}

/// The answer to `query`, which ends with its one question.
fn answer(query: &[u8], reply: &Reply) -> Option<Vec<u8>> {
    let (code, records) = match reply {
        Reply::Records(records) => (0, records.as_slice()),
        Reply::Code(code) => (*code, [].as_slice()),
        Reply::Silence => return None,
    };
    let mut out = query.to_vec();
    // An answer to a recursive query, by one who recurses; one question, no other sections.
    out[2..4].copy_from_slice(&[0x81, 0x80 | code]);
    out[4..12].copy_from_slice(&[0, 1, 0, u8::try_from(records.len()).expect("few"), 0, 0, 0, 0]);
    for record in records {
        out.extend(encoded(&record.name));
        out.extend(record.kind.to_be_bytes());
        out.extend([0, 1]);
        out.extend(record.ttl.to_be_bytes());
        out.extend(u16::try_from(record.data.len()).expect("short").to_be_bytes());
        out.extend(&record.data);
    }
    Some(out)
}

/// A name as labels with their lengths (RFC 1035 §3.1).
fn encoded(name: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for label in name.split('.').filter(|label| !label.is_empty()) {
        out.push(u8::try_from(label.len()).expect("short"));
        out.extend(label.as_bytes());
    }
    out.push(0);
    out
}

/// Rows of name, type and data.
struct Zone(Vec<[String; 3]>);

impl Zone {
    fn read(text: &str) -> Self {
        let rows = text.lines().filter(|line| !line.starts_with('#'));
        let row = |line: &str| {
            let fields: Vec<_> = line.split('\t').map(str::to_owned).collect();
            <[String; 3]>::try_from(fields).expect("three fields")
        };
        Self(rows.map(row).collect())
    }

    fn reply(&self, asked: &str, kind: u16) -> Reply {
        let mut records = Vec::new();
        let mut name = asked.to_owned();
        for _ in 0..ALIASES_MAX {
            let rows: Vec<_> = self.0.iter().filter(|row| matches(&row[0], &name)).collect();
            if rows.is_empty() {
                // RFC 2308 §2.1: the code is about the last name of the chain.
                return Reply::Code(3);
            }
            let mut alias = None;
            for [_, what, data] in rows {
                let (found, data) = match what.as_str() {
                    "A" => (A, data.parse::<Ipv4Addr>().expect("A").octets().to_vec()),
                    "AAAA" => (AAAA, data.parse::<Ipv6Addr>().expect("AAAA").octets().to_vec()),
                    "CNAME" => {
                        alias = Some(data.clone());
                        (CNAME, encoded(data))
                    }
                    "MX" => {
                        let (preference, name) = data.split_once(' ').expect("two words");
                        let preference = preference.parse::<u16>().expect("a number");
                        (MX, [preference.to_be_bytes().to_vec(), encoded(name)].concat())
                    }
                    "FAIL" => return Reply::Code(data.parse().expect("a code")),
                    "SILENT" => return Reply::Silence,
                    _ => continue,
                };
                if found == kind || found == CNAME {
                    records.push(Record { name: name.clone(), kind: found, ttl: 60, data });
                }
            }
            match alias {
                Some(alias) => name = alias,
                None => break,
            }
        }
        Reply::Records(records)
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_prefix('*') {
        Some(end) => name.ends_with(end),
        None => pattern == name,
    }
}
