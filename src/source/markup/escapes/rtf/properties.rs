//! The properties by which text in RTF is decoded: the code page of the document, the fonts, and
//! the number of replacements after a character of Unicode (RTF 1.9.1, "Character Set", "Font
//! Table", "Unicode RTF").
//!
//! A group begins with the properties around it, and its end restores them. Not done: fonts with
//! numbers above [`FONTS_MAX`], which text of programs that write Unicode has, and groups in more
//! than [`LEVELS_MAX`] others, whose properties are those of the last level.

use crate::source::mail::charset::Charset;

/// Fonts whose character set is known, by their numbers.
const FONTS_MAX: usize = 96;

/// Nested groups with properties of their own.
const LEVELS_MAX: usize = 16;

/// Maximum number of replacements after a character: of one, code pages need two bytes, and UTF-8
/// four.
const REPLACEMENTS_MAX: u8 = 8;

/// The character sets of fonts, each with its code page. The default is that of the document.
const CHARSETS: [(i32, u16); 17] = [
    (0, 1252),
    (77, 10_000),
    (128, 932),
    (129, 949),
    (134, 936),
    (136, 950),
    (161, 1253),
    (162, 1254),
    (163, 1258),
    (177, 1255),
    (178, 1256),
    (186, 1257),
    (204, 1251),
    (222, 874),
    (238, 1250),
    (254, 437),
    (255, 850),
];

/// Code pages whose labels are not `cp` and their number.
const LABELS: [(u16, &str); 16] = [
    (1250, "windows-1250"),
    (1251, "windows-1251"),
    (1252, "windows-1252"),
    (1253, "windows-1253"),
    (1254, "windows-1254"),
    (1255, "windows-1255"),
    (1256, "windows-1256"),
    (1257, "windows-1257"),
    (1258, "windows-1258"),
    (874, "windows-874"),
    (932, "shift_jis"),
    (936, "gbk"),
    (949, "euc-kr"),
    (950, "big5"),
    (10_000, "macintosh"),
    (10_007, "x-mac-cyrillic"),
];

/// The code page of UTF-8.
const UTF_8: u16 = 65_001;

/// The properties of text at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::source::markup::escapes) struct Properties {
    /// The code page of the document.
    page: u16,
    /// The row of [`CHARSETS`] for each font, from 1 on; 0 for the code page of the document.
    /// Properties are copied, so that they are small.
    fonts: [u8; FONTS_MAX],
    /// The number of the font of text without one.
    font: u8,
    /// The number of open groups.
    depth: u32,
    /// The properties of the open groups, outermost first.
    levels: [Level; LEVELS_MAX],
}

/// The properties of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    /// The number of its font.
    font: u8,
    /// The number of replacements after a character of Unicode.
    replacements: u8,
    /// Whether the group is a destination of its own, so that its text is none of the text around.
    is_apart: bool,
}

impl Level {
    /// The level of text outside of every group.
    const START: Self = Self { font: 0, replacements: 1, is_apart: false };
}

impl Properties {
    /// The properties at the beginning of a document.
    pub(in crate::source::markup::escapes) const START: Self = Self {
        page: 1252,
        fonts: [0; FONTS_MAX],
        font: 0,
        depth: 0,
        levels: [Level::START; LEVELS_MAX],
    };

    /// Returns the number of replacements after a character of Unicode.
    pub(super) fn replacements(&self) -> u8 {
        self.level().replacements
    }

    fn level(&self) -> Level {
        self.levels.get(self.last()).copied().unwrap_or(Level::START)
    }

    /// Returns the index of the innermost level.
    fn last(&self) -> usize {
        usize::try_from(self.depth).unwrap_or(LEVELS_MAX).min(LEVELS_MAX - 1)
    }

    /// Returns the properties after the beginning of a group.
    pub(super) fn begun(mut self) -> Self {
        let level = self.level();
        self.depth = self.depth.saturating_add(1);
        self.with(Level { is_apart: false, ..level })
    }

    /// Returns the properties after a control word that makes the group a destination of its own.
    pub(super) fn set_apart(self) -> Self {
        self.with(Level { is_apart: true, ..self.level() })
    }

    /// Reports whether the innermost group is a destination of its own.
    pub(super) fn is_apart(&self) -> bool {
        self.level().is_apart
    }

    /// Returns the properties after the end of a group.
    pub(super) const fn ended(mut self) -> Self {
        self.depth = self.depth.saturating_sub(1);
        self
    }

    /// Returns the properties with `level` as the innermost one.
    fn with(mut self, level: Level) -> Self {
        let last = self.last();
        if let Some(current) = self.levels.get_mut(last) {
            *current = level;
        }
        self
    }

    /// Returns the properties after the control word called `name`; `None` if it changes nothing.
    pub(super) fn after(mut self, name: &[u8], number: Option<i32>) -> Option<Self> {
        let level = self.level();
        let number_or = |default: i32| number.unwrap_or(default);
        let font = || u8::try_from(number_or(0)).unwrap_or(u8::MAX);
        let row = |at: Option<usize>| at.and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(0);
        match name {
            b"ansi" => self.page = 1252,
            b"mac" => self.page = 10_000,
            b"pc" => self.page = 437,
            b"pca" => self.page = 850,
            b"ansicpg" => self.page = u16::try_from(number_or(1252)).unwrap_or(1252),
            b"deff" => {
                self.font = font();
                self = self.with(Level { font: self.font, ..level });
            }
            b"f" => self = self.with(Level { font: font(), ..level }),
            b"plain" => self = self.with(Level { font: self.font, ..level }),
            b"uc" => {
                let replacements = u8::try_from(number_or(1)).unwrap_or(1).min(REPLACEMENTS_MAX);
                self = self.with(Level { replacements, ..level });
            }
            b"fcharset" => {
                let at = CHARSETS.iter().position(|(charset, _)| Some(*charset) == number);
                *self.fonts.get_mut(usize::from(level.font))? = row(at);
            }
            b"cpg" => {
                let at = CHARSETS.iter().position(|(_, page)| Some(i32::from(*page)) == number);
                *self.fonts.get_mut(usize::from(level.font))? = row(at);
            }
            _ => return None,
        }
        Some(self)
    }

    /// Returns the character that `bytes` encode in the code page of the current font.
    pub(super) fn character(&self, bytes: &[u8]) -> Option<char> {
        let row = self.fonts.get(usize::from(self.level().font)).copied().unwrap_or_default();
        let charset_of_font = usize::from(row).checked_sub(1).and_then(|at| CHARSETS.get(at));
        let page = charset_of_font.map_or(self.page, |(_, page)| *page);
        let text = match charset(page) {
            Some(charset) => charset.text(bytes),
            None if page == UTF_8 => String::from_utf8_lossy(bytes),
            None => Charset::legacy(b"windows-1252")?.text(bytes),
        };
        let mut chars = text.chars();
        let made = chars.next().filter(|made| *made != char::REPLACEMENT_CHARACTER)?;
        chars.next().is_none().then_some(made)
    }
}

/// Returns the charset of a code page.
fn charset(page: u16) -> Option<Charset> {
    match LABELS.iter().find(|(number, _)| *number == page) {
        Some((_, label)) => Charset::legacy(label.as_bytes()),
        None => Charset::legacy(format!("cp{page}").as_bytes()),
    }
}
