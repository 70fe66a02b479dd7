//! Finds links that mail offers as actions in the vocabularies of schema.org and of cards: mail
//! programs show them as buttons, and follow them at a click.

use memchr::{memchr, memmem, memrchr};

/// Part of the names of types that act: `ConfirmAction`, `HttpActionHandler`, `Action.Http`.
const ACTING: &[u8] = b"Action";
/// Actions that only lead to a page.
const READING: [&[u8]; 5] =
    [b"ViewAction", b"SearchAction", b"ReadAction", b"WatchAction", b"ListenAction"];
/// Keys of objects and lists of actions.
const KEYS: [&[u8]; 4] = [b"potentialAction", b"actions", b"action", b"selectAction"];
/// Objects around a link that are read, from the inside.
const DEPTH_MAX: usize = 8;

/// Reports whether the link between `before` and `after` is the target of an action in JSON.
pub(super) fn acts_in_json(before: &[u8], after: &[u8]) -> bool {
    if !is_value(before) {
        return false;
    }
    let (mut inner, mut following) = (before, after);
    let mut is_keyed = false;
    for _ in 0..DEPTH_MAX {
        let Some(open) = opening(inner) else { break };
        let close = closing(following).unwrap_or(following.len());
        let (ahead, rest) = (inner.get(open + 1..), following.get(..close));
        let types = [ahead.unwrap_or_default(), rest.unwrap_or_default()].map(own_type);
        let acting = types.into_iter().flatten().find(|kind| memmem::find(kind, ACTING).is_some());
        if let Some(kind) = acting {
            return !READING.contains(&kind);
        }
        inner = inner.get(..open).unwrap_or_default();
        following = following.get(close + 1..).unwrap_or_default();
        is_keyed |= key(inner).is_some_and(|key| KEYS.contains(&key));
    }
    is_keyed
}

/// Reports whether the link between `before` and `after` is the target of an action in microdata.
pub(super) fn acts_in_tag(before: &[u8], after: &[u8]) -> bool {
    of_tag(before, after).is_some_and(|kind| {
        memmem::find(kind, ACTING).is_some() && !READING.iter().any(|name| kind.ends_with(name))
    })
}

/// Reports whether a string of JSON that is a value, or one of a list, begins after `before`.
fn is_value(before: &[u8]) -> bool {
    let text = before.strip_suffix(b"\"").map(<[u8]>::trim_ascii_end);
    text.is_some_and(|text| text.ends_with(b":") || text.ends_with(b"[") || text.ends_with(b","))
}

/// Returns the offset of the bracket that opens the object or list in which `text` ends.
fn opening(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate().rev() {
        match byte {
            b'}' | b']' => depth += 1,
            b'{' | b'[' if depth == 0 => return Some(at),
            b'{' | b'[' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the offset of the bracket that closes the object or list in which `text` begins.
fn closing(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return Some(at),
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the key whose value begins after `text`; of an object in a list, that of the list.
fn key(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end().strip_suffix(b"\"")?;
    text.get(memrchr(b'"', text)? + 1..)
}

/// Returns the type that a member of `text`, a part of an object, has; not one of an object in it.
fn own_type(text: &[u8]) -> Option<&[u8]> {
    const NAMES: [&[u8]; 2] = [b"\"@type\"", b"\"type\""];
    NAMES.iter().find_map(|name| {
        memmem::find_iter(text, name).find_map(|at| {
            let is_own = depth_is_even(text.get(..at)?);
            let value = text.get(at + name.len()..)?.trim_ascii_start().strip_prefix(b":")?;
            let value = value.trim_ascii_start().strip_prefix(b"\"")?;
            value.get(..memchr(b'"', value)?).filter(|_| is_own)
        })
    })
}

/// Reports whether as many brackets open as close in `text`.
fn depth_is_even(text: &[u8]) -> bool {
    let count = |signs: [u8; 2]| text.iter().filter(|byte| signs.contains(byte)).count();
    count([b'{', b'[']) == count([b'}', b']'])
}

/// Returns the type of the item around the tag of which the link is a property.
fn of_tag<'t>(before: &'t [u8], after: &[u8]) -> Option<&'t [u8]> {
    const PROPERTY: &[u8] = b"itemprop";
    const TYPE: &[u8] = b"itemtype=";
    let open = memrchr(b'<', before)?;
    let close = memchr(b'>', after)?;
    let [ahead, rest] = [before.get(open..)?, after.get(..close)?];
    let is_property = [ahead, rest].iter().any(|tag| memmem::find(tag, PROPERTY).is_some());
    let outer = before.get(..open).filter(|_| is_property)?;
    let text = outer.get(memmem::rfind(outer, TYPE)? + TYPE.len()..)?;
    let text = text.strip_prefix(b"\"").or_else(|| text.strip_prefix(b"'")).unwrap_or(text);
    let is_of_value = |byte: &&u8| !matches!(byte, b'"' | b'\'' | b'>' | b' ');
    text.get(..text.iter().take_while(is_of_value).count())
}

#[cfg(test)]
mod tests {
    use super::{acts_in_json, acts_in_tag};

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
            (r#"{"potentialAction":[{"target":{"@type":"EntryPoint","urlTemplate":"|"}}]}"#, true),
            (r#"{"@type":"CancelAction","target":{"@type":"EntryPoint","url":"|"}}"#, true),
            (r#"{"potentialAction":{"@type":"ViewAction","target":["|"]}}"#, false),
            (r#"{"@type":"OpenUri","targets":[{"uri":"|"}],"name":"Go"}"#, false),
            (r#"{"potentialAction":[{"@type":"OpenUri","targets":[{"uri":"|"}]}]}"#, true),
            (r#"{"type":"Action.Http","title":"Approve","url":"|"}"#, true),
            (r#"{"actions":[{"type":"button","text":"Go","url":"|"}]}"#, true),
            (r#"{"actions":[{"type":"button"}],"url":"|"}"#, false),
            (r#"{"x":{"@type":"SaveAction"},"url":"|"}"#, false),
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
            let (before, after) = (before.as_bytes(), after.as_bytes());
            let acts = acts_in_json(before, after) || acts_in_tag(before, after);
            assert_eq!(acts, expected, "{text}");
        }
    }
}
