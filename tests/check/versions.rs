//! Versions of HTTP that a server requires.

use crate::support::servers::secure::{Secure, Shown};
use crate::{check, directory, document};

/// Frames of HTTP/2 (RFC 9113 §6.5, §6.4, §6.8): settings, and the error `HTTP_1_1_REQUIRED` for
/// the first request, or for the connection.
const SETTINGS_AND_RESET: &[u8] =
    &[0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 13];
const SETTINGS_AND_GOAWAY: &[u8] =
    &[0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 13];

#[test]
fn a_server_that_requires_http_1_1_gets_it() {
    let shown = [SETTINGS_AND_RESET, SETTINGS_AND_GOAWAY].map(Shown::Frames);
    let server = Secure::start(&[(1, shown[0]), (2, shown[1]), (3, Shown::Trusted)]);
    let uris = [1, 2, 3].map(|host| format!("https://127.0.7.{host}:{}/a", server.port));
    let home = directory(&[("a.md", &document(&uris)), ("ca.pem", &server.authority)]);
    let (report, code) = check(home.path(), &["--ca-file=ca.pem", "a.md"]);
    assert_eq!((report.matches(": ok ").count(), code), (3, Some(0)), "{report}");
}
