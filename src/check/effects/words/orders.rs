//! Recognises titles in paths that are those of buttons, and words for actions after a title.
//!
//! A title explains where a link leads, unless it is an order: `cancel-my-order`. An order begins
//! with a verb (or ends with one, in German) and names its reader, or has the number of one record
//! after it. Headlines have verbs as well, but seldom in these forms.

use super::super::link::Argument;
use super::{Around, Form, SEARCHES, Words};

/// The effect of a button with a title.
const ORDER: &str = "do what its title says";
/// The effect of an action after a title.
const ACTION: &str = "do what its last word says";

/// Minimum number of words of a title.
const TITLE_MIN: usize = 3;
/// Maximum number of words before the pronoun of an order.
const BEFORE_PRONOUN_MAX: usize = 4;

/// Verbs that buttons have and headlines seldom begin with.
#[rustfmt::skip]
static VERBS: &[&str] = &[
    "accept", "acknowledge", "activate", "agree", "approve", "authenticate", "authorise",
    "authorize", "cancel", "claim", "close", "complete", "confirm", "deactivate", "decline",
    "delete", "deny", "disable", "disapprove", "dismiss", "dispute", "enable", "enroll", "erase",
    "join", "leave", "log", "login", "logoff", "logout", "mute", "opt", "optout", "pay",
    "postpone", "reactivate", "redeem", "refund", "refuse", "register", "reject", "release",
    "remove", "renew", "resend", "reset", "respond", "restore", "resume", "revoke", "rsvp", "sign",
    "signin", "signoff", "signout", "signup", "snooze", "stop", "subscribe", "suspend",
    "terminate", "undo", "unfollow", "unlock", "unmute", "unsub", "unsubscribe", "unwatch",
    "upvote", "validate", "verify", "vote", "withdraw",
];

/// The beginnings and ends of sessions, in one word or in two.
static SESSIONS: &[&str] =
    &["login", "logoff", "logon", "logout", "signin", "signoff", "signon", "signout"];

/// Verbs that begin headlines, too: they need a word for the reader.
#[rustfmt::skip]
static LOOSE_VERBS: &[&str] = &[
    "add", "adjust", "allow", "answer", "apply", "block", "book", "buy", "change", "check",
    "choose", "download", "edit", "end", "extend", "finish", "follow", "forward", "get", "give",
    "hold", "keep", "let", "lock", "manage", "mark", "merge", "modify", "move", "open", "order",
    "pause", "purchase", "rate", "recover", "remind", "reopen", "reply", "report", "request",
    "reschedule", "retry", "return", "review", "save", "see", "select", "send", "set", "share",
    "skip", "start", "switch", "take", "tell", "track", "transfer", "turn", "update", "upgrade",
    "view", "watch",
];

/// Words for the reader, and for what is the reader's. The first two are the strongest.
static OWN: &[&str] = &["me", "my"];
#[rustfmt::skip]
static PRONOUNS: &[&str] = &[
    "mine", "our", "this", "us", "your", "these",
    "mein", "meine", "meinen", "meinem", "meiner", "mich", "mir", "dein", "deine", "deinen",
    "ihr", "ihre", "ihren",
    "mon", "ma", "mes", "moi", "votre", "vos", "ton", "ta", "tes",
    "mi", "mis", "tu", "tus", "su", "sus", "mio", "mia", "miei", "tuo", "tua", "suo", "sua",
    "meu", "minha", "meus", "seu", "teu", "mijn", "mij", "uw", "jouw", "je", "min", "mitt", "mina",
    "din", "ditt", "dine", "mit", "moj", "moja", "moje", "moi", "twoj", "twoje", "twoja", "svou",
    "svuj", "svoji", "svoje", "vas", "vasi", "vase",
];

/// Actions as the last segment, or as a value: whole words.
#[rustfmt::skip]
static ACTIONS: &[&str] = &[
    "accept", "ack", "activate", "approve", "attend", "authorize", "block", "cancel", "claim",
    "click", "close", "confirm", "deactivate", "decline", "del", "delete", "deny", "destroy",
    "disable", "dislike", "downvote", "enable", "erase", "follow", "join", "leave", "like",
    "logout", "maybe", "mute", "no", "off", "ok", "okay", "on", "open", "optin", "optout", "out",
    "pay", "publish", "purge", "quit", "redeem", "refund", "register", "reject", "release",
    "remove", "renew", "reset", "restore", "revoke", "rm", "rsvp", "snooze", "stop", "subscribe",
    "trash", "unfollow", "unlike", "unlock", "unmute", "unpublish", "unsub", "unsubscribe",
    "unwatch", "upvote", "verify", "vote", "yes",
    "ja", "nein", "nee", "nej", "nei", "oui", "non", "si", "sim", "nao", "tak", "nie", "ano", "da",
    "abmelden", "absagen", "ablehnen", "annehmen", "bestaetigen", "kuendigen", "loeschen",
    "stornieren", "zusagen", "annuler", "confirmer", "supprimer", "valider", "borrar", "cancelar",
    "confirmar", "eliminar", "annulla", "conferma", "elimina", "annuleren", "bevestigen",
    "verwijderen",
];

/// Names of arguments that hold an action.
#[rustfmt::skip]
static ACTION_NAMES: &[&str] = &[
    "a", "act", "action", "answer", "choice", "cmd", "command", "do", "func", "method", "mode",
    "notify", "op", "operation", "reply", "response", "task",
];

/// Names of arguments whose number is an action.
static NUMBERED_NAMES: &[&str] = &["act", "cmd", "notify"];

impl Words {
    /// Returns the effect of a title that is an order.
    pub(super) fn order(&self, around: &Around) -> Option<&'static str> {
        let (first, last) = (self.list.first()?, self.list.last()?);
        let has = |table: &[&str], word: &String| table.contains(&&**word);
        let is_strict = has(VERBS, first);
        let acts = |word: &String| {
            let one = Self { list: vec![word.clone()], form: Form::Other };
            one.firm().or_else(|| one.verb()).is_some()
        };
        let begins = is_strict || has(LOOSE_VERBS, first) || acts(first);
        let names = |table: &[&str]| {
            let mut early = self.list.iter().skip(1).take(BEFORE_PRONOUN_MAX);
            begins && early.any(|word| has(table, word)) || has(table, first) && acts(last)
        };
        let is_placed = around.is_text;
        let is_numbered = is_strict && around.is_told && !is_placed;
        let is_own = names(OWN) || names(PRONOUNS) && !is_placed && (is_strict || around.is_told);
        // A session has no page for all readers.
        let two: String = self.list.iter().take(2).map(|word| &**word).collect();
        let is_session = !is_placed && [first, &two].into_iter().any(|word| has(SESSIONS, word));
        let is_order = self.len() >= TITLE_MIN && self.form != Form::Document;
        let found = is_order && (is_numbered || is_own || is_session);
        let does = || self.firm().or_else(|| self.verb()).unwrap_or(ORDER);
        found.then(does)
    }

    fn is_title(&self) -> bool {
        self.len() >= TITLE_MIN
    }
}

/// Returns the effect of the last segment of `path`, if it is an action after a title.
pub(super) fn after_title(path: &[&str]) -> Option<&'static str> {
    let (last, before) = path.split_last()?;
    let words = Words::of(last);
    let [word] = &*words.list else { return None };
    // A number may stand between the title and the action.
    let is_number = |text: &&&str| text.bytes().all(|byte| byte.is_ascii_digit());
    let title = before.iter().rev().find(|text| !is_number(text))?;
    let is_after = Words::of(title).is_title();
    let acts = is_after && words.form == Form::Other && ACTIONS.contains(&&**word);
    acts.then_some(ACTION)
}

/// Returns the effect of an argument whose value is an action.
pub(super) fn of_argument(argument: &Argument<'_>) -> Option<&'static str> {
    let name = argument.name.to_ascii_lowercase();
    let value = argument.value.to_ascii_lowercase();
    let is_action = ACTION_NAMES.contains(&&*name) && ACTIONS.contains(&&*value);
    let is_number = |text: &str| (1..=2).contains(&text.len()) && text.parse::<u8>().is_ok();
    let is_numbered = NUMBERED_NAMES.contains(&&*name) && is_number(&value);
    (!SEARCHES.contains(&&*name) && (is_action || is_numbered)).then_some(ACTION)
}
