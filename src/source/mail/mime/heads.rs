//! Records where headers identify their messages. Reading a header for its body finds these fields
//! anyway, and most of them are needed later.

/// Maximum number of fields that are kept of one header; a header with more is searched again.
const FIELDS_MAX: usize = 64;

/// Fields of message headers, in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Heads {
    /// Offsets of fields that describe their message.
    fields: Vec<usize>,
    /// Offset of each message, and the number of fields up to the end of its header.
    messages: Vec<(usize, usize)>,
}

impl Heads {
    /// Returns the list to which the next header's fields are appended; drops those of an
    /// unfinished one.
    pub(super) fn begin(&mut self) -> &mut Vec<usize> {
        self.fields.truncate(self.known());
        &mut self.fields
    }

    /// Marks the header of the message at `start` as complete.
    pub(super) fn end(&mut self, start: usize) {
        if self.fields.len() - self.known() <= FIELDS_MAX {
            self.messages.push((start, self.fields.len()));
        }
    }

    /// Returns the number of fields in complete headers.
    fn known(&self) -> usize {
        self.messages.last().map_or(0, |(_, fields)| *fields)
    }

    /// Returns the fields of the message that begins at `start`, if its header was read.
    #[must_use]
    pub fn of(&self, start: usize) -> Option<&[usize]> {
        let idx = self.messages.binary_search_by_key(&start, |(start, _)| *start).ok()?;
        let before = idx.checked_sub(1).and_then(|idx| self.messages.get(idx));
        self.fields.get(before.map_or(0, |(_, fields)| *fields)..self.messages.get(idx)?.1)
    }

    /// Returns the start of each message whose header was read, and its fields.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[usize])> {
        let mut before = 0;
        self.messages.iter().map(move |(start, end)| {
            let fields = self.fields.get(before..*end).unwrap_or_default();
            before = *end;
            (*start, fields)
        })
    }

    pub(super) fn clear(&mut self) {
        self.fields.clear();
        self.messages.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{FIELDS_MAX, Heads};

    #[test]
    fn fields_are_known_of_headers_that_were_read_whole() {
        let mut heads = Heads::default();
        heads.begin().extend([3, 5]);
        heads.end(0);
        // The end of this header was not visible.
        heads.begin().extend([12, 13]);
        heads.begin();
        heads.end(20);
        heads.begin().extend([31]);
        heads.end(30);
        heads.begin().extend(40..=40 + FIELDS_MAX);
        heads.end(40);
        heads.begin().extend([200]);
        heads.end(199);
        for (start, fields) in heads.iter() {
            assert_eq!(heads.of(start), Some(fields));
        }
        assert_eq!(heads.iter().count(), 4);
        let known = [0, 10, 20, 30, 40, 199].map(|start| heads.of(start));
        let (none, all): (Option<&[usize]>, &[usize]) = (None, &[]);
        assert_eq!(known, [Some(&[3, 5][..]), none, Some(all), Some(&[31]), none, Some(&[200])]);
        heads.clear();
        assert_eq!(heads.of(0), None);
    }
}
