//! Joins the text of consecutive records into one member.

use std::io::{self, Read};

use crate::source::container::{Broken, Cause, Cut, Fault, Feed, Nest, Progress, Unpacker};

/// The next record.
pub(super) enum Record {
    /// Text of so many bytes.
    Text(u64),
    /// The same, without the line end that follows it.
    Line(u64),
    /// No further record.
    End,
    /// A violation of the format.
    Broken(Broken),
    /// An end that comes too early.
    Cut,
}

/// A format of records.
pub(super) trait Records {
    /// Takes bytes up to the text of the next record.
    fn next(&mut self, feed: &mut Feed<'_>) -> io::Result<Record>;
}

/// A reader of the text of all records.
struct Joined<'f, 'i, R> {
    feed: &'f mut Feed<'i>,
    records: R,
    /// Bytes of the current record that are not read.
    left: u64,
    /// Whether a line end follows them.
    ends_line: bool,
    /// The scope of the archive, which faults are about.
    scope: usize,
}

/// The name of the member.
const MESSAGE: &[u8] = b"1.eml";

/// Reads the text of `records` as the only message of the archive `nest`, and takes all of it.
pub(super) fn message(
    unpacker: &mut Unpacker<'_>,
    feed: &mut Feed<'_>,
    nest: &Nest,
    records: impl Records,
) -> Progress {
    let inside = unpacker.member(nest, MESSAGE, None)?;
    let (left, ends_line, scope) = (0, false, nest.scope);
    let mut joined = Joined { feed, records, left, ends_line, scope };
    let result = unpacker.stream(&mut joined, &inside);
    unpacker.settle(result, &inside)?;
    io::copy(&mut joined, &mut io::sink())?;
    Ok(())
}

impl<R: Records> Joined<'_, '_, R> {
    /// Turns to the next record; returns false at the end.
    fn turn(&mut self) -> io::Result<bool> {
        let record = self.records.next(self.feed)?;
        let cause = match record {
            Record::Text(len) | Record::Line(len) => {
                (self.left, self.ends_line) = (len, matches!(record, Record::Line(_)));
                return Ok(true);
            }
            Record::End => return Ok(false),
            Record::Broken(broken) => broken.into(),
            Record::Cut => Cut::Archive.into(),
        };
        Err(self.fault(cause))
    }

    fn fault(&self, cause: Cause) -> io::Error {
        Fault { scope: self.scope, offset: Some(self.feed.consumed()), cause }.into()
    }
}

impl<R: Records> Read for Joined<'_, '_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some(first) = out.first_mut() else { return Ok(0) };
        while self.left == 0 {
            if std::mem::take(&mut self.ends_line) {
                *first = b'\n';
                return Ok(1);
            }
            if !self.turn()? {
                return Ok(0);
            }
        }
        let len = usize::try_from(self.left).unwrap_or(out.len()).min(out.len());
        let read = self.feed.read(out.get_mut(..len).unwrap_or_default())?;
        self.left -= read as u64;
        if read == 0 { Err(self.fault(Cut::Bytes(self.left).into())) } else { Ok(read) }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::ops::ControlFlow;
    use std::sync::Arc;

    use crate::finding::Origin;
    use crate::source::container::{Budget, Members, Nest, Progress, Unpacker, unpack};
    use crate::source::event::Event;
    use crate::source::kind::Packing;

    /// The text of all members, and the notes.
    #[derive(Default)]
    struct Taken {
        text: String,
        notes: Vec<(Option<u64>, String)>,
    }

    impl Members for Taken {
        fn stream(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
            assert_eq!(nest.origin.members, [b"1.eml"]);
            Ok(input.read_to_string(&mut self.text).map(|_| ())?)
        }

        fn plain(&mut self, input: &mut dyn Read, nest: &Nest) -> Progress {
            self.stream(input, nest)
        }

        fn event(&mut self, event: Event) -> ControlFlow<()> {
            if let Event::Note(note) = event {
                self.notes.push((note.offset, note.message));
            }
            ControlFlow::Continue(())
        }
    }

    /// Unpacks `bytes`, of which one comes at a time.
    fn taken(packing: Packing, bytes: &[u8]) -> Taken {
        let (budget, mut taken) = (Budget::default(), Taken::default());
        let mut slow =
            bytes.chunks(1).fold(Box::new(std::io::empty()) as Box<dyn Read>, |before, byte| {
                Box::new(before.chain(byte))
            });
        let nest = Nest::new(Arc::new(Origin::default()));
        unpack(packing, &mut slow, &mut Unpacker::new(&budget, &mut taken), &nest).unwrap();
        taken
    }

    #[test]
    fn a_header_of_exim_is_its_fields() {
        let envelope = "1abcDE-0001Fg-2H-H\nexim 105 109\n<a@h.example>\n1038592800 0\n\
                        -aclm 0 11\na\n\n012F not\n-local\nXX\n1\nb@h.example\n\n";
        let field = |flag: char, text: &str| format!("{:03}{flag} {text}", text.len());
        let texts =
            ["Received: by h.example\n\t(a)\n", "Subject: a\n", "X-Link: http://h.example/\n"];
        let all: String =
            texts.iter().zip(['P', ' ', '*']).map(|(text, flag)| field(flag, text)).collect();
        let whole = format!("{envelope}{all}");
        let found = taken(Packing::Exim, whole.as_bytes());
        assert_eq!((found.text, found.notes), (texts.concat(), vec![]));
        let cut = taken(Packing::Exim, &whole.as_bytes()[..whole.len() - 3]);
        assert!(texts.concat().starts_with(&cut.text) && cut.notes.len() == 1, "{:?}", cut.notes);
        let broken = taken(Packing::Exim, format!("{whole}no length\nno length\n").as_bytes());
        assert_eq!(broken.notes[0].0, Some(whole.len() as u64));
        let none = taken(Packing::Exim, envelope.as_bytes());
        assert!(none.text.is_empty() && none.notes.is_empty());
        let cut = taken(Packing::Exim, &envelope.as_bytes()[..80]);
        assert!(cut.text.is_empty() && cut.notes.len() == 1);
    }

    #[test]
    fn a_message_of_postfix_is_its_lines() {
        let record = |kind: u8, text: &str| {
            let byte = |len: usize| len.to_le_bytes()[0];
            let prefix = match text.len() {
                len @ 0..=127 => vec![kind, byte(len)],
                len => vec![kind, byte(len % 128) | 0x80, byte(len / 128)],
            };
            [&prefix[..], text.as_bytes()].concat()
        };
        let long = "x".repeat(300);
        let records = [
            (b'C', "            900             600               1"),
            (b'T', "1038592800 12"),
            (b'L', "smtp:h.example"),
            (b'S', "a@h.example"),
            (b'M', ""),
            (b'N', "Subject: a"),
            (b'N', ""),
            (b'L', &*long),
            (b'N', " http://h.example/"),
            (b'p', "            900"),
            (b'w', "deleted"),
            (b'N', ""),
            (b'X', ""),
            (b'L', "smtp:i.example"),
            (b'R', "b@h.example"),
            (b'E', ""),
        ];
        let whole: Vec<u8> = records.iter().flat_map(|(kind, text)| record(*kind, text)).collect();
        let text = format!("Subject: a\n\n{long} http://h.example/\n\n");
        let found = taken(Packing::Postfix, &whole);
        assert_eq!((found.text, found.notes), (text.clone(), vec![]));
        let more = taken(Packing::Postfix, &[&whole[..], &record(b'N', "X-More: a")].concat());
        assert_eq!(more.text, format!("{text}X-More: a\n"));
        for end in [whole.len() - 1, whole.len() - 30, whole.len() - 70] {
            let cut = taken(Packing::Postfix, &whole[..end]);
            assert!(text.starts_with(&cut.text) && cut.notes.len() == 1, "{end}: {:?}", cut.notes);
        }
        let broken = taken(Packing::Postfix, &[&whole[..], b"\0\0\0\0\0\0\0"].concat());
        assert_eq!((broken.text, broken.notes[0].0), (text, Some(whole.len() as u64)));
    }
}
