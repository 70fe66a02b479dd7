//! The redirector of Google, in search, mail and documents, under the name of any country.
//!
//! `url` is the link in results of a search, which has its words in `q`, and `q` is the link
//! elsewhere.

use super::{Row, decode};
use crate::uri::Gateway;

pub(super) const ROW: Row = Row {
    gateway: Gateway::Google,
    name: "google",
    about: "redirector of Google",
    form: "www.google.com/url?q=LINK&usg=TOKEN",
    read: decode::parameter,
};
