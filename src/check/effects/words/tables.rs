//! The words of links, in small letters without accents, by their effects.

/// Effects of links, each with the words that name it.
pub(super) type EffectWords = &'static [(&'static str, &'static [&'static str])];

const UNSUBSCRIBE: &str = "unsubscribe";
const SUBSCRIBE: &str = "subscribe";
const SETTINGS: &str = "change settings";
const CONFIRM: &str = "confirm";
const ANSWER: &str = "answer a question";
const VOTE: &str = "vote";
const DELETE: &str = "delete";
const CANCEL: &str = "cancel";
const PASSWORD: &str = "reset a password";
const LOG_IN: &str = "log in";
const LOG_OUT: &str = "log out";
const PAY: &str = "pay or redeem something";
/// The effect of requesting a link that was made for one reader.
pub(in crate::check::effects) const TOKEN: &str = "use a token";
const TELL: &str = "tell the sender";

/// Words for leaving a list, whatever the words around them: they begin a word, two words in a row
/// are one of them, and the longer ones occur inside words.
#[rustfmt::skip]
pub(super) static FIRM: EffectWords = &[
    (UNSUBSCRIBE, &[
        "admindb", "heldmessages", "unsub", "optout", "optin", "signoff", "removeme", "removal",
        "remoov", "takemeoff",
        "listremove", "unlist", "stopmail",
        // German, Dutch, and the north.
        "abmeld", "austrag", "abbestell", "abbestel", "afmeld", "uitschrijv", "avmeld",
        "avregistr",
        "avprenumer", "avbestall", "frameld", "peruuta", "peru",
        // French, Spanish, Portuguese, Italian, Romanian.
        "desabon", "desinscr", "descadastr", "desuscri", "dessuscri", "desubscr", "dardebaja",
        "darbaja", "darsedebaja", "disiscri", "disicri", "cancellami", "cancellarsi", "dezabon",
        // Polish, Czech, Croatian, Hungarian, Russian in Latin letters, Turkish.
        "wypisz", "rezygnacj", "odhlas", "odjav", "leiratkoz", "otpis", "abonelik",
    ]),
];

/// Words for the same in other scripts, wherever they occur.
#[rustfmt::skip]
pub(super) static FOREIGN: &[(&str, &str)] = &[
    (UNSUBSCRIBE, "отпис"), (UNSUBSCRIBE, "退订"), (UNSUBSCRIBE, "退訂"), (UNSUBSCRIBE, "配信停止"),
    (UNSUBSCRIBE, "購読解除"), (UNSUBSCRIBE, "수신거부"), (CONFIRM, "подтвер"), (CONFIRM, "确认"),
    (CONFIRM, "確認"),
];

/// Actions: each begins a word, or two words in a row are one of them.
#[rustfmt::skip]
pub(super) static VERBS: EffectWords = &[
    (UNSUBSCRIBE, &[
        "baja", "cancellati", "cancellaz", "unregist", "unfollow", "unwatch", "unnotif",
        "signoff",
        "stopmail",
    ]),
    (SUBSCRIBE, &["subscri", "suscri", "inscri", "iscri", "assinar", "abonn", "subed", "aanmeld",
        "anmeld",
    ]),
    (SETTINGS, &["preferenc", "preferenz", "preferenci", "voorkeur", "einstellung", "wijzig",
        "aendern", "andern",
    ]),
    (CONFIRM, &[
        "confirm", "cfm", "verify", "verifi", "validat", "valider", "validar", "validac",
        "validez",
        "activat", "activer", "activar", "activac", "activeren", "activeer", "ativar", "ativac",
        "attiva", "reactivat", "deactivat", "deaktiv", "aktivier", "acknowledg", "approv",
        "authori", "bestaetig", "bestatig", "freischalt", "freigab", "freigeb", "bevestig",
        "conferm", "verific", "desativar", "desactiv", "potwierd", "potvrd", "bekraft", "bekreft",
    ]),
    (ANSWER, &[
        "accept", "declin", "reject", "rsvp", "zusagen", "absagen", "zusage", "absage", "zustimm",
        "ablehn", "refuser", "refuse", "rechazar", "recusar", "aceitar", "aceptar", "accett",
        "rifiut", "weiger", "einwillig", "widerspr", "widerruf", "revok", "revoca",
        "revoque", "withdraw", "moderat", "invite", "invitation", "invitac", "invitat", "einlad",
        "uitnodig", "convite", "attending", "disput", "objection",
    ]),
    (VOTE, &["upvot", "downvot", "abstimm", "castvote", "stemmen", "umfrage", "sondage", "encuesta",
        "enquete", "sondaggio",
    ]),
    (DELETE, &[
        "delet", "remov", "eras", "purge", "destroy", "loesch", "losch", "supprim", "suppress",
        "elimin", "borrar", "quitar", "verwijder", "excluir", "apagar", "rimuov", "effac",
        "closeaccount", "terminat", "usun", "smazat", "slett", "radera",
    ]),
    (PAY, &["checkout", "paynow", "payinvoice", "redeem", "einloes", "einlos", "bezahl", "betaal",
        "betal", "pagar", "pagam", "payer", "zaplat", "fizet", "donat", "claimyour", "claimgift",
    ]),
    (CANCEL, &[
        "cancel", "annul", "anular", "stornier", "storno", "kuendig", "kundig", "opzeg", "resili",
        "disdi", "disdett", "undo", "refund", "annuler",
    ]),
    (PASSWORD, &[
        "reset", "forgot", "passwordreset", "passwort", "kennwort", "motdepasse", "contrasen",
        "wachtwoord", "senha", "pwreset", "reinitial", "zuruecksetz", "zurucksetz", "restablec",
        "recuper", "unlock", "recover", "haslo", "losenord",
    ]),
    (LOG_IN, &[
        "login", "signin", "logon", "signon", "autologin", "magiclink", "passwordless", "einlogg",
        "connexion", "iniciarsesion", "acceder", "accedi", "inlogg", "oauth", "sso",
        "authenticate",
    ]),
    (LOG_OUT, &["logout", "signout", "logoff", "auslogg", "deconnexion", "uitlogg",
        "cerrarsesion"]),
    (TELL, &["clicktrack", "clickthr", "linkclick", "trackclick", "emailtrack", "mailtrack",
        "opentrack", "trackopen", "tracklink",
    ]),
];

/// Words that are also names of things: they match whole words, and act only if another part of the
/// link may mean one reader or one record.
#[rustfmt::skip]
pub(super) static NOUNS: EffectWords = &[
    (UNSUBSCRIBE, &["leave", "stop", "sair", "avsluta", "snooze", "unlike", "mute", "unmute"]),
    (SUBSCRIBE, &["join", "sub", "entrar", "register", "registration", "signup", "follow"]),
    (SETTINGS, &["subscriber", "profile", "notification", "notifications", "settings", "options",
        "enable",
        "disable", "gerer", "verwalten", "edit", "manage", "watch",
    ]),
    (CONFIRM, &["allow", "grant", "ack", "release", "complete"]),
    (ANSWER, &["deny", "yes", "no", "maybe", "tentative", "respond", "reply", "survey", "feedback",
        "rate", "rating", "nps", "score",
    ]),
    (VOTE, &["vote", "votes", "voting", "poll", "polls", "ballot", "like", "dislike", "favorite",
        "voter",
        "votar", "vota",
    ]),
    (PAY, &["pay", "payment", "payments", "invoice", "renew", "renewal", "claim", "coupon",
        "voucher", "gift", "bill", "order", "orders",
    ]),
    (DELETE, &["abuse", "complaint", "complain", "quarantine", "dispute", "close", "trash",
        "report", "spam", "block", "discard", "restore", "rollback"]),
    (PASSWORD, &["password", "passwd", "pwd", "passwords"]),
    (LOG_IN, &["auth", "session", "sessions", "magic", "account", "logins"]),
    (TOKEN, &["token", "tokens", "otp", "jwt", "apikey"]),
    (TELL, &["click", "clicks", "open", "opens", "track", "tracking", "trk", "tracker", "beacon",
        "pixel", "redirect", "redir", "goto", "clk",
    ]),
];

/// Names of arguments that mean one reader, in letters and digits alone.
#[rustfmt::skip]
pub(super) static IDENTITIES: &[&str] = &[
    "abo", "abonnent", "aboid", "abonne", "ajsaid", "ajsuid", "client", "cliente", "clientid",
    "clientno", "contact", "custno", "customer", "customerno", "customernumber", "dmi", "etrid",
    "etsid", "kdnr", "klant", "klantid", "klantnr", "klantnummer", "kunde", "kundenid", "kundennr",
    "kundennummer", "kundnr", "kundnummer", "lead", "leadid", "member", "memberid", "memberno",
    "membership", "mitglied", "mitgliedid", "mitgliedsnr", "mitgliedsnummer", "person",
    "personid", "prospect", "prospectid", "rbclickid", "reader", "readerid", "sfmcid", "sfmcsub",
    "sfmcsubscriber", "socio", "subscriberno", "user", "username", "usuario", "utente",
    "utilisateur", "veroconv", "veroid",
    "accesstoken", "addr", "apikey", "b64", "cksubscriberid", "confirmation", "custid",
    "customerid", "elq", "elqtrackid", "euid", "guid", "hsenc", "hsmi", "invitation", "invite",
    "inviteid", "login", "mceid", "mccid", "mktok", "mkttok", "puid", "rcpt", "subkey",
    "subscriberkey", "tk", "tkn", "trkid", "upn", "usr", "vgokey", "auth", "authtoken", "cid",
    "clef", "cle", "code", "codice",
    "contactid",
    "csrf", "email", "emailid", "hash", "hmac", "idtoken", "jsessionid", "jwt", "key", "mailid",
    "mid", "msgid", "nonce", "otp", "passcode", "phpsessid", "pin", "recipient", "recipientid",
    "rid", "secret", "sessid", "session", "sessionid", "sid", "sig", "sign", "signature", "subid",
    "subscriber", "subscriberid", "ticket", "tok", "token", "uid", "userid", "uuid",
    "xamzsignature",
    "akid", "campaignmember", "ceid", "clickid", "cndid", "emailhash", "emailreferrer", "empf",
    "erid", "etcid", "hashemail", "hmail", "lctg", "mailing", "mailingid", "memb", "nlid",
    "profileid", "scllid", "sclid", "scuid", "spjobid", "spmailingid", "spreportid", "spuserid",
    "trackid", "trid",
];

/// Names of arguments that say how a page is shown, to any reader.
#[rustfmt::skip]
pub(super) static QUIET: &[&str] = &[
    "cat", "category", "feature", "format", "hl", "id2", "lang", "language", "oldid", "order", "p",
    "page", "print", "section", "size", "sort", "usp", "view", "width",
];

/// Names of arguments whose numbers are those of articles, of forums and of places in them.
pub(super) static COUNTED: &[&str] = &["f", "id", "p", "page_id", "post_id", "t", "x", "y"];

/// Names of arguments whose values are words of people.
#[rustfmt::skip]
pub(super) static SEARCHES: &[&str] = &[
    "domain", "keyword", "keywords", "q", "query", "s", "search", "tag", "term", "title", "topic",
    "words",
];

/// Answers in paths.
pub(super) static CHOICES: &[&str] = &["ja", "maybe", "nein", "no", "non", "oui", "si", "yes"];

/// Objects of confirming, deleting, cancelling, and the persons they are for.
#[rustfmt::skip]
pub(super) static OBJECTS: &[&str] = &[
    "account", "address", "all", "booking", "cast", "email", "emails", "here", "list", "mail",
    "me", "membership",
    "my", "newsletter", "now", "order", "password", "please", "registration", "subscription",
    "user",
    "your",
];

/// Endings of texts, and of programs that a page shows.
#[rustfmt::skip]
pub(super) static DOCUMENTS: &[&str] = &[
    "adoc", "c", "cc", "cpp", "css", "doc", "docx", "epub", "go", "gz", "h", "java",
    "js", "json", "md", "odt", "pdf", "png", "ps", "py", "rb", "rs", "rst", "svg", "txt",
    "xml", "zip",
];

/// Endings of images, which mail requests to learn who reads it.
pub(super) static IMAGES: &[&str] = &["gif", "jpeg", "jpg", "png", "webp"];

/// Segments of paths that lead to texts.
#[rustfmt::skip]
pub(super) static ARTICLES: &[&str] = &[
    "apidocs", "arch", "archive", "archives", "article", "articles", "author", "blame", "blob",
    "blog",
    "book", "category", "cgit", "commit", "commits", "conferences", "cronaca", "doc", "docs",
    "documentation", "faq", "git", "guide", "guides", "handbook", "help", "html", "in-notes",
    "issues", "javadoc", "kb", "learn", "library", "lists", "magazine", "man", "manpages",
    "manual",
    "news", "nieuws", "notizie", "noticias", "papers", "pipermail", "politics", "politik",
    "politique", "press", "pull", "questions", "raw", "reference", "releases", "rfc", "rfcs",
    "src", "std", "stories", "story", "support", "tag", "tags", "topic", "topics", "tr", "trunk",
    "tutorial", "tutorials", "user-guide", "wiki",
];

/// Segments before the titles of articles, on which no program puts the title of a button.
#[rustfmt::skip]
pub(super) static PRESS: &[&str] = &[
    "actualidad", "actualite", "actualites", "actualitate", "aktuality", "aktualnosci", "aktuell",
    "aktuelles", "article", "articles", "articolo", "articulo", "artigo", "artikel", "artikkel",
    "artykul", "berita", "blog", "blogs", "clanek", "columns", "cronaca", "culture", "eco",
    "economy", "haber", "hirek", "kultur", "kultura", "local", "magazin", "magazine", "makale",
    "nachrichten", "news", "nieuws", "noticia", "noticias", "notizie", "novice", "novosti",
    "nyheder", "nyheter", "opinion", "politics", "politik", "politika", "politique", "post",
    "posts", "press", "presse", "sport", "sports", "stories", "story", "stiri", "tin-tuc",
    "uutiset", "vijesti", "wiadomosci", "world", "zpravy",
];

/// Words for texts that a number follows, beyond those of [`ARTICLES`].
#[rustfmt::skip]
pub(super) static RECORDS: &[&str] = &[
    "articolo", "articulo", "artigo", "artikel", "bug", "bugs", "chapter", "episode", "package",
    "packages", "podcast", "post", "posts", "product", "productos", "products", "produits",
    "produkte", "shop", "thread", "threads", "viewtopic",
];

/// Words in paths that do not say where a link leads.
#[rustfmt::skip]
pub(super) static EMPTY: &[&str] = &[
    "action", "ajax", "area", "auto", "base", "call", "campaign", "campaigns", "click", "default",
    "dispatch", "email",
    "emails", "entry", "event", "exec", "execute", "form", "forward", "front", "handle",
    "handler",
    "home", "html", "index", "info", "item", "items", "jump", "land", "landing", "leads", "link",
    "links", "load", "mail", "mailing", "mails", "main", "member", "members", "message", "node",
    "object", "open", "page", "pages", "path", "portal", "process", "proxy", "public", "record",
    "redirect", "reference", "request", "response", "route", "router", "secure", "send",
    "service",
    "servlet", "show", "site", "start", "step", "submit", "system", "target", "task", "tasks",
    "test", "thing", "track", "trigger", "user", "users", "view", "visit", "webhook", "welcome",
];
