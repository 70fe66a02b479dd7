//! Files, directories, standard input, mailboxes.
