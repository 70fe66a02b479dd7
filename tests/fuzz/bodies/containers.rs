//! Any bytes after the signature of a format: unpacking ends, and what is found has a place.

use linktrawl::internal::source::InputKind;

use super::reading::read;

/// Reads `bytes` with their beginning replaced by `signature`, which makes them that format.
fn signed(name: &str, signature: &[u8], bytes: &[u8]) {
    let mut input = bytes.to_vec();
    input.resize(input.len().max(signature.len()), 0);
    input[..signature.len()].copy_from_slice(signature);
    read(name, InputKind::Auto, &input);
}

pub(crate) fn gzip(bytes: &[u8]) {
    signed("a.gz", b"\x1F\x8B\x08", bytes);
}

pub(crate) fn zlib(bytes: &[u8]) {
    signed("a.zz", b"\x78\x9C", bytes);
}

pub(crate) fn bzip2(bytes: &[u8]) {
    signed("a.bz2", b"BZh91AY&SY", bytes);
}

pub(crate) fn xz(bytes: &[u8]) {
    signed("a.xz", b"\xFD7zXZ\0", bytes);
}

pub(crate) fn lzma(bytes: &[u8]) {
    signed("a.lzma", b"\x5D\0\0", bytes);
}

pub(crate) fn lzip(bytes: &[u8]) {
    signed("a.lz", b"LZIP\x01", bytes);
}

pub(crate) fn zstd(bytes: &[u8]) {
    signed("a.zst", b"\x28\xB5\x2F\xFD", bytes);
}

pub(crate) fn lz4(bytes: &[u8]) {
    signed("a.lz4", b"\x04\x22\x4D\x18", bytes);
}

pub(crate) fn lzw(bytes: &[u8]) {
    signed("a.Z", b"\x1F\x9D", bytes);
}

/// The magic field of a header of tar is at offset 257, and its checksum before it.
pub(crate) fn tar(bytes: &[u8]) {
    let mut input = bytes.to_vec();
    for block in input.chunks_exact_mut(512).filter(|block| block[257..262] == *b"ustar") {
        block[148..156].fill(b' ');
        let sum: u32 = block.iter().copied().map(u32::from).sum();
        block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
    read("a.tar", InputKind::Auto, &input);
}

pub(crate) fn zip(bytes: &[u8]) {
    signed("a.zip", b"PK\x03\x04", bytes);
}

pub(crate) fn ar(bytes: &[u8]) {
    signed("a.a", b"!<arch>\n", bytes);
}

pub(crate) fn cpio(bytes: &[u8]) {
    let signatures = [b"070701", b"070702", b"070707"];
    let first = bytes.first().copied().map_or(0, usize::from);
    signed("a.cpio", signatures[first % signatures.len()], bytes);
}

pub(crate) fn warc(bytes: &[u8]) {
    signed("a.warc", b"WARC/1.0\r\n", bytes);
}

pub(crate) fn arc(bytes: &[u8]) {
    signed("a.arc", b"filedesc://", bytes);
}

pub(crate) fn dbox(bytes: &[u8]) {
    read("a.dbox", InputKind::Auto, bytes);
}

pub(crate) fn exim(bytes: &[u8]) {
    signed("a-H", b"1abcDE-0001Fg-2H-H\nmail 8 8\n", bytes);
}

pub(crate) fn postfix(bytes: &[u8]) {
    read("a", InputKind::Auto, bytes);
}

pub(crate) fn rpm(bytes: &[u8]) {
    signed("a.rpm", b"\xED\xAB\xEE\xDB", bytes);
}

pub(crate) fn batch(bytes: &[u8]) {
    signed("a.batch", b"#! rnews ", bytes);
}
