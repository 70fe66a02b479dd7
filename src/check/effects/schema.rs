//! Finds links that mail offers as actions in the vocabulary of schema.org: mail programs show them
//! as buttons, and follow them at a click.

use memchr::{memchr, memmem, memrchr};

/// Endings of the names of types that act: `ConfirmAction`, `HttpActionHandler`.
const ACTING: [&[u8]; 2] = [b"Action", b"ActionHandler"];
/// Actions that only lead to a page.
const READING: [&[u8]; 5] =
    [b"ViewAction", b"SearchAction", b"ReadAction", b"WatchAction", b"ListenAction"];

/// Reports whether the link between `before` and `after` is the target of an action, in a script
/// with JSON-LD or in microdata.
pub(super) fn acts(before: &[u8], after: &[u8]) -> bool {
    let kind = of_json(before, after).or_else(|| of_tag(before, after));
    kind.is_some_and(|kind| {
        ACTING.iter().any(|name| kind.ends_with(name))
            && !READING.iter().any(|name| kind.ends_with(name))
    })
}

/// Returns the type of the JSON object that holds the link as a value.
fn of_json<'t>(before: &'t [u8], after: &'t [u8]) -> Option<&'t [u8]> {
    const TYPE: &[u8] = b"\"@type\"";
    let name = before.strip_suffix(b"\"")?.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end();
    name.strip_suffix(b"\"")?;
    let value = |text: &'t [u8]| {
        let text = text.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let text = text.strip_prefix(b"\"")?;
        text.get(..memchr(b'"', text)?)
    };
    let open = memrchr(b'{', before)?;
    let object = before.get(open..)?;
    let close = memchr(b'}', after).unwrap_or(after.len());
    let behind = after.get(..close)?;
    [object, behind, before].into_iter().find_map(|text| {
        let at = memmem::rfind(text, TYPE)?;
        value(text.get(at + TYPE.len()..)?)
    })
}

/// Returns the type of the item around the tag of which the link is a property.
fn of_tag<'t>(before: &'t [u8], after: &[u8]) -> Option<&'t [u8]> {
    const PROPERTY: &[u8] = b"itemprop";
    const TYPE: &[u8] = b"itemtype=";
    let open = memrchr(b'<', before)?;
    let close = memchr(b'>', after)?;
    let [ahead, behind] = [before.get(open..)?, after.get(..close)?];
    let is_property = [ahead, behind].iter().any(|tag| memmem::find(tag, PROPERTY).is_some());
    let outer = before.get(..open).filter(|_| is_property)?;
    let text = outer.get(memmem::rfind(outer, TYPE)? + TYPE.len()..)?;
    let text = text.strip_prefix(b"\"").or_else(|| text.strip_prefix(b"'")).unwrap_or(text);
    let is_of_value = |byte: &&u8| !matches!(byte, b'"' | b'\'' | b'>' | b' ');
    text.get(..text.iter().take_while(is_of_value).count())
}

#[cfg(test)]
mod tests {
    use super::acts;

    #[test]
    fn actions_act_and_other_items_do_not() {
        for (text, expected) in [
            (
                r#"{"@type":"ConfirmAction","handler":{"@type":"HttpActionHandler","url":"|"}}"#,
                true,
            ),
            (r#"{"handler": {"url" : "|", "@type" : "HttpActionHandler"}}"#, true),
            (r#"{"@type":"ViewAction","name":"View","url":"|"}"#, false),
            (r#"{"@type":"Organization","url":"|"}"#, false),
            (
                r#"<div itemtype="http://schema.org/RsvpAction"><link itemprop="url" href="|">"#,
                true,
            ),
            (r#"<div itemtype=http://schema.org/SaveAction><a href="|" itemprop=url>"#, true),
            (
                r#"<div itemtype="http://schema.org/ViewAction"><link itemprop="url" href="|">"#,
                false,
            ),
            (r#"<div itemtype="http://schema.org/Order"><link itemprop="url" href="|">"#, false),
            (r#"<div itemtype="http://schema.org/SaveAction"></div><a href="|">"#, false),
        ] {
            let (before, after) = text.split_once('|').unwrap();
            assert_eq!(acts(before.as_bytes(), after.as_bytes()), expected, "{text}");
        }
    }
}
