//! The columns of the `arrow` and `parquet` formats: names and types. New columns are appended;
//! corpus/schema/arrow.json describes each.

/// The type of a column.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Text,
    Bytes,
    Int,
    Flag,
    Day,
    Time,
    Texts,
    Blobs,
    /// Items with fields of their own.
    Rows(&'static [Part]),
}

/// A column: its name, its type, and whether it always has a value.
#[derive(Clone, Copy)]
pub(super) struct Item {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) is_always: bool,
}

/// Columns that belong together.
#[derive(Clone, Copy)]
pub(super) enum Group {
    Link,
    Place,
    Mail,
    Message,
    Syntax,
    More,
    Reach,
    End,
    Archived,
    Memento,
    Rot,
    /// The next groups occur in items of lists only.
    Warning,
    Twin,
    Hop,
}

/// A group within a table, and the beginning of the names that its columns have there.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) prefix: &'static str,
    pub(super) group: Group,
}

const fn always(name: &'static str, kind: Kind) -> Item {
    Item { name, kind, is_always: true }
}

const fn maybe(name: &'static str, kind: Kind) -> Item {
    Item { name, kind, is_always: false }
}

const fn part(prefix: &'static str, group: Group) -> Part {
    Part { prefix, group }
}

const LINK: &[Item] = &[
    always("uri", Kind::Text),
    maybe("uri_bytes", Kind::Bytes),
    always("raw", Kind::Text),
    maybe("raw_bytes", Kind::Bytes),
    maybe("wrapped_by", Kind::Texts),
    maybe("target", Kind::Text),
    maybe("target_unknown", Kind::Text),
    always("cue", Kind::Text),
    maybe("scheme", Kind::Text),
    maybe("base", Kind::Text),
    maybe("base_bytes", Kind::Bytes),
];
const PLACE: &[Item] = &[
    always("path", Kind::Text),
    maybe("path_bytes", Kind::Bytes),
    always("members", Kind::Texts),
    maybe("members_bytes", Kind::Blobs),
    maybe("date", Kind::Day),
    always("offset", Kind::Int),
    always("len", Kind::Int),
    always("line", Kind::Int),
    always("column", Kind::Int),
    maybe("column_bytes", Kind::Int),
    maybe("file_offset", Kind::Int),
    maybe("decoded_line", Kind::Int),
    maybe("decoded_column", Kind::Int),
];
const MAIL: &[Item] = &[always("is_mail", Kind::Flag)];
const MESSAGE: &[Item] = &[
    maybe("id", Kind::Text),
    maybe("id_bytes", Kind::Bytes),
    maybe("date", Kind::Time),
    maybe("list_id", Kind::Text),
    maybe("list_id_bytes", Kind::Bytes),
    maybe("number", Kind::Int),
    maybe("header", Kind::Text),
    maybe("header_bytes", Kind::Bytes),
    maybe("part", Kind::Text),
];
const SYNTAX: &[Item] = &[
    maybe("grammar", Kind::Text),
    maybe("ok", Kind::Flag),
    maybe("repairs", Kind::Texts),
    maybe("rule", Kind::Text),
    maybe("at", Kind::Int),
    maybe("expected", Kind::Text),
    maybe("spec", Kind::Text),
    maybe("message", Kind::Text),
    maybe("hint", Kind::Text),
];
const MORE: &[Item] = &[
    maybe("also", Kind::Rows(&[part("", Group::Syntax)])),
    maybe("warnings", Kind::Rows(&[part("", Group::Warning)])),
    maybe("twins", Kind::Rows(&[part("", Group::Twin), part("place_", Group::Place)])),
];
const REACH: &[Item] = &[
    maybe("class", Kind::Text),
    maybe("probe", Kind::Text),
    maybe("status", Kind::Int),
    maybe("message", Kind::Text),
    maybe("message_bytes", Kind::Bytes),
    maybe("hops", Kind::Rows(&[part("", Group::Hop)])),
    maybe("dead_runs", Kind::Int),
    maybe("hint", Kind::Text),
    maybe("hint_bytes", Kind::Bytes),
];
const END: &[Item] = &[
    always("verdict", Kind::Text),
    maybe("known", Kind::Text),
    maybe("host", Kind::Text),
    maybe("site", Kind::Text),
    maybe("surt", Kind::Text),
    maybe("year", Kind::Int),
];
const ARCHIVED: &[Item] = &[maybe("archived", Kind::Flag)];
const MEMENTO: &[Item] = &[
    maybe("uri", Kind::Text),
    maybe("datetime", Kind::Time),
    maybe("distance_days", Kind::Int),
    maybe("archive", Kind::Text),
];
const ROT: &[Item] = &[
    maybe("fate", Kind::Text),
    maybe("inaccessible", Kind::Flag),
    maybe("reach_changed_since", Kind::Text),
    maybe("archived_unknown", Kind::Text),
];
const WARNING: &[Item] = &[
    always("rule", Kind::Text),
    always("at", Kind::Int),
    always("message", Kind::Text),
    always("spec", Kind::Text),
];
const TWIN: &[Item] = &[maybe("part", Kind::Text)];
const HOP: &[Item] =
    &[always("status", Kind::Int), always("to", Kind::Text), maybe("to_bytes", Kind::Bytes)];

/// The columns of each group, in the order of [`Group`].
const GROUPS: [&[Item]; 14] = [
    LINK, PLACE, MAIL, MESSAGE, SYNTAX, MORE, REACH, END, ARCHIVED, MEMENTO, ROT, WARNING, TWIN,
    HOP,
];

/// The parts of a report, in order.
pub(super) static REPORT: &[Part] = &[
    part("", Group::Link),
    part("place_", Group::Place),
    part("", Group::Mail),
    part("message_", Group::Message),
    part("syntax_", Group::Syntax),
    part("", Group::More),
    part("reach_", Group::Reach),
    part("", Group::End),
    part("", Group::Archived),
    part("memento_", Group::Memento),
    part("", Group::Rot),
];

/// The number of all columns of all groups.
pub(super) const COUNT: usize = {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        count += GROUPS[group].len();
        group += 1;
    }
    count
};

impl Group {
    /// Returns the columns of the group.
    pub(super) const fn items(self) -> &'static [Item] {
        GROUPS[self as usize]
    }

    /// Returns the number of the group's first column among the columns of all groups.
    pub(super) const fn first(self) -> u8 {
        let (mut first, mut group) = (0, 0);
        while group < self as usize {
            let mut item = 0;
            while item < GROUPS[group].len() {
                (first, item) = (first + 1, item + 1);
            }
            group += 1;
        }
        first
    }
}

/// Returns the number of the column called `name` among the columns of all groups. It is called at
/// compile time only, where a name that the group does not have is an error.
pub(super) const fn number(group: Group, name: &str) -> u8 {
    let (mut number, mut item) = (group.first(), 0);
    while !is_same(group.items()[item].name.as_bytes(), name.as_bytes()) {
        (number, item) = (number + 1, item + 1);
    }
    number
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
