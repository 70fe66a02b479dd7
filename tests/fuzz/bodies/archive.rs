//! Any bytes as an answer of a web archive, in whatever form they are taken for.

use linktrawl::internal::probe::archive::{digits, link_format, nearest, read, relevant, stamp};

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    let found = read(bytes, b"http://a.example/tm/");
    for snapshot in &found {
        assert!(snapshot.uri.is_some() || snapshot.original.is_some());
        // A copy has a time that can be written and read again.
        assert!(stamp(digits(snapshot.time).as_bytes()).is_some());
        let _ = snapshot.is_of(|uri| uri.starts_with(b"http://h.example/"));
    }
    let all = link_format::links(bytes).count();
    assert!(all <= bytes.len());
    let date = stamp(b"20040101000000");
    let kept = relevant(found.clone(), [date, date]);
    assert!(kept.len() <= found.len());
    // An omitted memento is never nearer.
    let of = |list: &[_]| nearest(list, date, |it| *it).map(|it| it.time);
    assert_eq!(of(&found), of(&kept));
}
