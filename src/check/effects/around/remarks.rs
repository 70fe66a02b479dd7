//! Finds words about a link that are not beside it: a line below that names the link above, and the
//! subject of a message that begins with its link.

use std::sync::LazyLock;

use super::{BORDER, GAP_MAX};
use crate::check::effects::headline::Text;
use crate::check::effects::prose::{Says, folded};

/// Names of a link that is above.
#[rustfmt::skip]
const ABOVE: &[&str] = &[
    "link above", "above link", "address above", "link oben", "obige link", "obigen link",
    "lien ci dessus", "enlace de arriba", "enlace anterior", "link qui sopra", "link sopra",
    "link acima", "bovenstaande link", "lanken ovan", "lenken ovenfor", "linket ovenfor",
    "ylla oleva link", "powyzszy link", "powyzszego link", "odkaz vyse", "vyse uvedeny odkaz",
    "odkaz vyssie", "fenti link", "linkul de mai sus", "link iznad", "ссылка выше", "ссылке выше",
    "посилання вище", "връзката по горе", "συνδεσμοσ παραπανω", "παραπανω συνδεσμο",
    "yukaridaki baglanti", "الرابط أعلاه", "הקישור למעלה", "لینک بالا", "ऊपर दिए लिंक",
    "liên kết trên", "tautan di atas", "pautan di atas", "上のリンク", "上記のリンク", "上面的链接",
    "上方連結", "위 링크", "위의 링크", "ลิงก์ด้านบน",
];

/// Words for the writer of such a line, and of the link.
#[rustfmt::skip]
const WRITERS: &[&str] = &[
    "we", "us", "wir", "uns", "nous", "nos", "nosotros", "noi", "ci", "ons", "wij", "vi", "oss",
    "os", "meille", "nam", "nas", "my", "nekunk", "ne", "нам", "нас", "мы", "ми", "ни", "μας",
    "bize", "biz", "لنا", "לנו", "ما", "हमें", "chúng tôi", "kami",
];

/// The names of [`ABOVE`], folded, without the blanks around them.
static ABOVE_FOLDED: LazyLock<Vec<String>> =
    LazyLock::new(|| ABOVE.iter().map(|entry| folded(entry).trim().to_owned()).collect());

/// The words of [`WRITERS`], folded, each between blanks.
static WRITERS_FOLDED: LazyLock<Vec<String>> =
    LazyLock::new(|| WRITERS.iter().map(|word| folded(word)).collect());

/// Reports whether a line below the link before `after` is about the link, and about its reader or
/// its writer.
pub(super) fn act(after: &str) -> bool {
    about_above(after).is_some_and(|text| {
        let line = folded(text);
        Text { says: &Says::default(), text }.tells_reader()
            || WRITERS_FOLDED.iter().any(|word| line.contains(&**word))
    })
}

/// Returns the line below a link, the first that is not empty, if it names the link above.
fn about_above(after: &str) -> Option<&str> {
    let mut lines = after.split('\n');
    let is_end = |text: &str| text.chars().all(|c| !c.is_alphanumeric());
    lines.next().filter(|rest| is_end(rest))?;
    let line = lines.take(GAP_MAX).find(|line| !line.trim().is_empty())?;
    let text = folded(line);
    let names_link = ABOVE_FOLDED.iter().any(|entry| text.contains(&**entry));
    (names_link && !line.contains(BORDER)).then_some(line)
}

/// Returns the subject in `header`, in US-ASCII or UTF-8.
pub(super) fn subject(header: &[u8]) -> Option<&[u8]> {
    const NAME: &[u8] = b"subject:";
    let mut lines = header.split(|byte| *byte == b'\n');
    let is_subject =
        |line: &&[u8]| line.get(..NAME.len()).is_some_and(|it| it.eq_ignore_ascii_case(NAME));
    lines.rfind(is_subject).and_then(|line| line.get(NAME.len()..)).map(<[u8]>::trim_ascii)
}

#[cfg(test)]
mod tests {
    use super::{about_above, subject};

    #[test]
    fn a_line_below_may_name_its_link() {
        let line = "The link above tells us that you come.";
        assert_eq!(about_above(&["\n\n\n", line, "\n"].concat()), Some(line));
        assert_eq!(about_above(&[" and so on\n", line].concat()), None);
        assert_eq!(about_above("\n\nThe weather was fine.\n"), None);
    }

    #[test]
    fn the_subject_is_a_field_of_the_header() {
        assert_eq!(subject(b"From: a\nSubject: Say yes\nDate: b\n\n"), Some(&b"Say yes"[..]));
        assert_eq!(subject(b"From: a\n\n"), None);
    }
}
