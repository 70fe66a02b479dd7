//! The fuzz targets: what each one does with its input, and its seeds.
//!
//! The targets of `tests/fuzz/targets` run these under libFuzzer; `tests/safety/fuzzed.rs` runs
//! them for a bounded count, without one.

mod anchors;
mod apart;
mod archive;
mod compare;
mod configuration;
mod containers;
mod cuts;
mod differential;
mod exchanges;
mod grammar;
mod kept;
mod languages;
mod letters;
mod patch;
mod reading;
mod resolve;
mod robots;
mod scan;
mod settings;
mod split;
mod unwrap;
mod whatwg;

/// One parser of hostile bytes.
pub(crate) struct Target {
    /// The name of its program.
    pub(crate) name: &'static str,
    /// Files and folders below `corpus/` that it begins with.
    pub(crate) seeds: &'static [&'static str],
    /// How dear an execution is.
    pub(crate) cost: Cost,
    /// Runs one input; panics where something does not hold.
    pub(crate) run: fn(&[u8]),
}

/// The resources that an execution needs besides the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Nothing: some microseconds.
    Memory,
    /// A read of an input with its buffers, or several: some hundred microseconds.
    Input,
    /// A file or a connection: some milliseconds.
    System,
}

const fn target(
    name: &'static str,
    seeds: &'static [&'static str],
    cost: Cost,
    run: fn(&[u8]),
) -> Target {
    Target { name, seeds, cost, run }
}

const ARCHIVES: &[&str] = &["archives"];
const MAIL: &[&str] = &["mail/mime", "mail/small.mbox", "mail/boxes"];
const DOCUMENTS: &[&str] = &["documents"];
const GRAMMAR: &[&str] = &["grammar"];

/// Every target.
pub(crate) static TARGETS: &[Target] = &[
    target("anchors", DOCUMENTS, Cost::Memory, anchors::run),
    target("archive", &["probe/archives"], Cost::Memory, archive::run),
    target("compare", GRAMMAR, Cost::Memory, compare::run),
    target("cuts", &["extraction", "bench/mail.txt"], Cost::Input, cuts::run),
    target("differential", GRAMMAR, Cost::Memory, differential::run),
    target("grammar", GRAMMAR, Cost::Memory, grammar::run),
    target("resolve", GRAMMAR, Cost::Memory, resolve::run),
    target("robots", &["probe/robots.tsv"], Cost::Memory, robots::run),
    target("scan", &["extraction", "bench", "text"], Cost::Memory, scan::run),
    target("patch", &["plans/change.patch"], Cost::Memory, patch::run),
    target("settings", &["local/tree", "local/kinds/book"], Cost::Memory, settings::run),
    target("split", &["plans/splits.ndjson"], Cost::Memory, split::run),
    target("unwrap", &["unwrap/links.tsv"], Cost::Memory, unwrap::run),
    target("whatwg", GRAMMAR, Cost::Memory, whatwg::run),
    target("gzip", ARCHIVES, Cost::Input, containers::gzip),
    target("zlib", ARCHIVES, Cost::Input, containers::zlib),
    target("bzip2", ARCHIVES, Cost::Input, containers::bzip2),
    target("bzip2_block", ARCHIVES, Cost::Input, apart::block),
    target("xz", ARCHIVES, Cost::Input, containers::xz),
    target("xz_blocks", ARCHIVES, Cost::Input, apart::blocks),
    target("lzma", ARCHIVES, Cost::Input, containers::lzma),
    target("lzip", ARCHIVES, Cost::Input, containers::lzip),
    target("zstd", ARCHIVES, Cost::Input, containers::zstd),
    target("zstd_frames", ARCHIVES, Cost::Input, apart::frames),
    target("lz4", ARCHIVES, Cost::Input, containers::lz4),
    target("lzw", ARCHIVES, Cost::Input, containers::lzw),
    target("tar", ARCHIVES, Cost::Input, containers::tar),
    target("zip", ARCHIVES, Cost::Input, containers::zip),
    target("ar", ARCHIVES, Cost::Input, containers::ar),
    target("cpio", ARCHIVES, Cost::Input, containers::cpio),
    target("warc", ARCHIVES, Cost::Input, containers::warc),
    target("arc", ARCHIVES, Cost::Input, containers::arc),
    target("dbox", ARCHIVES, Cost::Input, containers::dbox),
    target("exim", ARCHIVES, Cost::Input, containers::exim),
    target("postfix", ARCHIVES, Cost::Input, containers::postfix),
    target("rpm", ARCHIVES, Cost::Input, containers::rpm),
    target("batch", &["news"], Cost::Input, containers::batch),
    target("message", MAIL, Cost::Input, letters::message),
    target("mailbox", MAIL, Cost::Input, letters::mailbox),
    target("saved_page", MAIL, Cost::Input, letters::saved_page),
    target("header", MAIL, Cost::Memory, letters::header),
    target("transfer", MAIL, Cost::Memory, letters::transfer),
    target("wide", &["text"], Cost::Input, letters::wide),
    target("html", DOCUMENTS, Cost::Memory, languages::html),
    target("markdown", DOCUMENTS, Cost::Memory, languages::markdown),
    target("lightweight", DOCUMENTS, Cost::Memory, languages::lightweight),
    target("css", DOCUMENTS, Cost::Memory, languages::css),
    target("xml", DOCUMENTS, Cost::Memory, languages::xml),
    target("folded", DOCUMENTS, Cost::Memory, languages::folded),
    target("escapes", DOCUMENTS, Cost::Memory, languages::escapes),
    target("shown", DOCUMENTS, Cost::Memory, languages::shown),
    target("replies", &["probe/lines.tsv"], Cost::System, exchanges::replies),
    target("http", &["probe/http.tsv"], Cost::System, exchanges::http),
    target("dns", &["probe/zone.tsv"], Cost::System, exchanges::dns),
    target("saved_run", &["runs"], Cost::System, kept::saved_run),
    target("baseline", &["runs"], Cost::System, kept::baseline),
    target("config", &["config"], Cost::System, configuration::run),
    target("state", &["runs"], Cost::System, kept::state),
];
