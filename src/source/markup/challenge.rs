//! Recognises pages that a site's guard shows in place of the requested page, until the reader's
//! browser has run a program or the reader has solved a riddle.
//!
//! Each guard is recognised by elements and scripts of its page, never by words that a reader sees
//! alone: a page about guards names them all. Nearly all guards also add scripts to the pages that
//! they let pass; those are no sign. A challenge has few words, so that a page with many is none.
//!
//! Pages of guards that are not listed here often hold no words but a script: `shell` finds these.

use memchr::memmem;

use super::html::tokens::{Token, Tokens};
use super::reference::Resolved;
use crate::source::panics::caught;
use crate::span::Span;

/// Bytes of a page that are read for signs. Challenges have some 10 KB, and up to 100 KB with
/// inline scripts.
const PAGE_LEN_MAX: usize = 256 * 1024;

/// Maximum number of bytes of text in a challenge: some explain at length why they are shown.
const TEXT_LEN_MAX: usize = 4 * 1024;

/// Most bytes of text where a sign also occurs in pages that a guard lets pass.
const FEW: usize = 600;

/// A mark of a guard's page.
enum Sign {
    /// An attribute whose value contains a text: the element, empty for any, the attribute, the
    /// text.
    Has(&'static str, &'static str, &'static str),
    /// A script that contains this.
    Script(&'static str),
    /// A title that begins so.
    Title(&'static str),
    /// An element of this name.
    Element(&'static str),
    /// Text that a reader sees, which contains this. Never alone.
    Text(&'static str),
}

/// A page of a guard, which has all of its signs. Values and titles are in lower case.
struct Challenge {
    guard: &'static str,
    text_len_max: usize,
    signs: &'static [Sign],
}

const fn row(guard: &'static str, signs: &'static [Sign]) -> Challenge {
    Challenge { guard, text_len_max: TEXT_LEN_MAX, signs }
}

const fn short(guard: &'static str, signs: &'static [Sign]) -> Challenge {
    Challenge { guard, text_len_max: FEW, signs }
}

const fn empty(guard: &'static str, signs: &'static [Sign]) -> Challenge {
    Challenge { guard, text_len_max: 0, signs }
}

/// The path of Cloudflare's scripts, which occurs also in pages that it lets pass.
const PLATFORM: &str = "/cdn-cgi/challenge-platform/";

/// The pages of guards, after their documentation, their sources where these are public, and the
/// pages of their customers' sites.
#[rustfmt::skip]
static CHALLENGES: &[Challenge] = {
    use Sign::{Has, Script, Text, Title};
    &[
    row("Anubis", &[Has("script", "id", "anubis_challenge")]),
    row("Anubis", &[Has("", "src", "/.within.website/x/cmd/anubis/")]),
    row("Anubis", &[Title("making sure you"), Has("", "href", "/.within.website/")]),
    row("go-away", &[Has("", "src", "/.well-known/.git.gammaspectra.live/")]),
    row("go-away", &[Has("meta", "content", "/.well-known/.git.gammaspectra.live/")]),
    row("Cloudflare", &[Script("_cf_chl_opt")]),
    row("Cloudflare", &[Script(PLATFORM), Script("orchestrate/")]),
    row("Cloudflare", &[Has("script", "src", PLATFORM), Title("just a moment")]),
    row("Cloudflare", &[Script(PLATFORM), Title("just a moment")]),
    row("Cloudflare", &[Has("script", "src", "/orchestrate/"), Has("script", "src", PLATFORM)]),
    row("Cloudflare", &[Has("form", "id", "challenge-form"), Has("form", "action", "__cf_chl")]),
    row("Cloudflare", &[Has("input", "name", "jschl_vc")]),
    row("Cloudflare", &[Has("", "class", "cf-browser-verification")]),
    row("Cloudflare", &[Title("attention required"), Has("div", "id", "cf-")]),
    // Its pages for a server that fails have the element, too.
    row("Cloudflare", &[Title("access denied"), Has("", "id", "cf-error-details")]),
    row("Akamai", &[Has("meta", "content", "bm-verify=")]),
    row("Akamai", &[Script("/_sec/verify?provider=")]),
    row("Akamai", &[Has("", "id", "sec-if-cpt-container")]),
    row("Akamai", &[Has("", "id", "sec-cpt-if")]),
    short("Akamai", &[Title("access denied"), Text("errors.edgesuite.net")]),
    row("DataDome", &[Has("script", "src", "captcha-delivery.com")]),
    row("DataDome", &[Has("iframe", "src", "captcha-delivery.com")]),
    row("DataDome", &[Script("captcha-delivery.com"), Script("var dd=")]),
    row("PerimeterX", &[Has("", "id", "px-captcha")]),
    short("PerimeterX", &[Script("_pxAppId"), Title("access to this page has been denied")]),
    short("PerimeterX", &[Script("_pxAppId"), Title("please verify you are a human")]),
    short("Imperva", &[Has("iframe", "src", "_incapsula_resource")]),
    empty("Imperva", &[Has("script", "src", "_incapsula_resource")]),
    row("Imperva", &[Title("pardon our interruption"), Script("reese84")]),
    short("Imperva", &[Title("pardon our interruption")]),
    row("Imperva", &[Title("pardon our interruption"), Text("made us think you were a bot")]),
    row("Imperva", &[Title("pardon our interruption"), Text("think you were a robot")]),
    row("Imperva", &[Has("", "id", "interstitial-inprogress")]),
    row("AWS WAF", &[Script("gokuProps")]),
    short("AWS WAF", &[Has("script", "src", ".awswaf.com"), Has("", "id", "challenge-container")]),
    short("AWS WAF", &[Has("script", "src", ".awswaf.com"), Has("", "id", "captcha-container")]),
    short("DDoS-Guard", &[Has("script", "src", "ddos-guard")]),
    row("DDoS-Guard", &[Title("ddos-guard"), Script("ddos-guard")]),
    row("Sucuri", &[Script("sucuri_cloudproxy_js")]),
    row("Sucuri", &[Script("sucuri_cloudproxy_uuid_")]),
    short("Sucuri", &[Title("sucuri website firewall - access denied")]),
    row("Vercel", &[Title("vercel security checkpoint")]),
    short("Vercel", &[Has("script", "src", "/.well-known/vercel/security/")]),
    empty("Kasada", &[Script("KPSDK")]),
    row("Fastly", &[Title("client challenge"), Has("", "src", "/_fs-ch-")]),
    row("F5", &[Script("bobcmn"), Script("/TSPD/")]),
    short("F5", &[Has("script", "src", "/tspd/")]),
    short("F5", &[Title("request rejected"), Text("support id")]),
    row("Reblaze", &[Script("window.rbzns")]),
    short("Qrator", &[Has("script", "src", "__qrator/")]),
    row("Wordfence", &[Title("your access to this"), Text("wordfence")]),
    row("SiteGround", &[Has("meta", "content", "/.well-known/sgcaptcha/")]),
    short("Imunify360", &[Script("wsidchk")]),
    short("LiteSpeed", &[Has("form", "action", "/.lsrecap/")]),
    short("Alibaba Cloud", &[Script("_____tmd_____")]),
    row("BunkerWeb", &[Title("bot detection"), Has("form", "action", "/challenge")]),
    short("Turnstile", &[Has("", "class", "cf-turnstile"), Title("just a moment")]),
    row("Yandex SmartCaptcha", &[Has("form", "action", "/checkcaptcha")]),
    row("Amazon", &[Has("form", "action", "/errors/validatecaptcha")]),
    row("Google", &[Has("form", "id", "captcha-form"), Has("", "class", "g-recaptcha")]),
    row("Radware", &[Has("form", "action", "validate.perfdrive.com")]),
    short("Radware", &[Title("radware bot manager"), Has("script", "src", "perfdrive.com")]),
    row("SafeLine", &[Has("", "id", "slg-title")]),
    short("SafeLine", &[Has("script", "src", "/.safeline/")]),
    row("Cerberus", &[Has("script", "src", "/.cerberus/")]),
    row("BitNinja", &[Title("waiting for the redirectiron")]),
    row("CrowdSec", &[Title("crowdsec captcha"), Has("form", "id", "captcha-form")]),
    ]
};

/// Elements of riddles that are shown before a page, and also in forms of pages.
#[rustfmt::skip]
static RIDDLES: &[(&str, Sign)] = &[
    ("Turnstile", Sign::Has("", "class", "cf-turnstile")),
    ("Turnstile", Sign::Has("script", "src", "challenges.cloudflare.com/turnstile")),
    ("hCaptcha", Sign::Has("", "class", "h-captcha")),
    ("hCaptcha", Sign::Has("script", "src", "hcaptcha.com/")),
    ("reCAPTCHA", Sign::Has("", "class", "g-recaptcha")),
    ("reCAPTCHA", Sign::Has("script", "src", "/recaptcha/")),
    ("Friendly Captcha", Sign::Has("", "class", "frc-captcha")),
    ("GeeTest", Sign::Has("script", "src", "geetest.com/")),
    ("Arkose Labs", Sign::Has("script", "src", "arkoselabs.com/")),
    ("Yandex SmartCaptcha", Sign::Has("", "class", "smart-captcha")),
    ("ALTCHA", Sign::Element("altcha-widget")),
    ("Cap", Sign::Element("cap-widget")),
    ("mCaptcha", Sign::Has("", "id", "mcaptcha__widget")),
];

/// Titles of pages that are nothing but a riddle.
const RIDDLE_TITLES: [&str; 18] = [
    "are you a robot",
    "are you human",
    "are you not a robot",
    "attention required",
    "bot verification",
    "captcha",
    "checking your browser",
    "human verification",
    "just a moment",
    "one moment",
    "please verify",
    "please wait",
    "robot check",
    "security check",
    "security verification",
    "verification required",
    "verify you are",
    "verifying you are",
];

/// Returns the name of the guard whose page `text` is, which is HTML in UTF-8.
#[must_use]
pub fn guard(text: &[u8]) -> Option<&'static str> {
    caught(|| Page::read(text)).flatten().and_then(Page::guard)
}

/// The parts of a page that may be signs.
#[derive(Default)]
struct Page {
    /// For each row of [`CHALLENGES`], one bit for each of its signs that was seen.
    seen: Vec<u8>,
    /// The first of [`RIDDLES`] that was seen.
    riddle: Option<&'static str>,
    /// Whether another riddle was seen, or a control for a reader to fill in.
    has_more: bool,
    has_form: bool,
    /// The title, in lower case.
    title: Vec<u8>,
    /// Text that a reader sees, in lower case, with a blank after each part.
    text: Vec<u8>,
    /// Bytes of it that are no white space.
    text_len: usize,
}

impl Page {
    /// Reads the signs of `text`; `None` if it has more words than a challenge.
    fn read(text: &[u8]) -> Option<Self> {
        let text = text.get(..text.len().min(PAGE_LEN_MAX))?;
        let mut page = Self { seen: vec![0; CHALLENGES.len()], ..Self::default() };
        let (mut tag, mut kind) = (Span::default(), Span::default());
        for token in Tokens::new(text, 0) {
            match token {
                Token::Open(name) => {
                    (tag, kind) = (name, Span::default());
                    page.element(name.of(text));
                }
                Token::Attribute(name, value) => {
                    page.attribute([tag, name].map(|span| span.of(text)), value.of(text));
                    if name.of(text).eq_ignore_ascii_case(b"type") {
                        kind = value;
                    }
                }
                Token::Opened(_) => page.control(tag.of(text), kind.of(text)),
                Token::Raw(span) if tag.of(text).eq_ignore_ascii_case(b"script") => {
                    page.script(span.of(text));
                }
                Token::Text(span) if tag.of(text).eq_ignore_ascii_case(b"title") => {
                    page.title.extend(Resolved::of_text(text, span).bytes.to_ascii_lowercase());
                }
                Token::Text(span) => page.text(&Resolved::of_text(text, span).bytes),
                Token::Close(_) => tag = Span::default(),
                _ => {}
            }
            if page.text_len > TEXT_LEN_MAX {
                return None;
            }
        }
        Some(page)
    }

    fn element(&mut self, name: &[u8]) {
        self.has_form |= name.eq_ignore_ascii_case(b"form");
        let is_it = |sign: &Sign| match sign {
            Sign::Element(element) => name.eq_ignore_ascii_case(element.as_bytes()),
            Sign::Has(..) | Sign::Script(_) | Sign::Title(_) | Sign::Text(_) => false,
        };
        self.see(is_it);
        self.see_riddle(is_it);
    }

    /// Records whether the element called `name`, of the type `kind`, is one to fill in.
    fn control(&mut self, name: &[u8], kind: &[u8]) {
        const OTHERS: [&[u8]; 5] = [b"button", b"hidden", b"image", b"reset", b"submit"];
        let is = |known: &&[u8]| name.eq_ignore_ascii_case(known);
        let is_other = OTHERS.iter().any(|other| kind.eq_ignore_ascii_case(other));
        self.has_more |=
            [&b"select"[..], b"textarea"].iter().any(&is) || is(&&b"input"[..]) && !is_other;
    }

    fn text(&mut self, text: &[u8]) {
        self.text_len += words_len(text);
        self.text.extend(text.trim_ascii().to_ascii_lowercase());
        self.text.push(b' ');
    }

    fn attribute(&mut self, [tag, name]: [&[u8]; 2], value: &[u8]) {
        let value = value.to_ascii_lowercase();
        let is_it = |sign: &Sign| match sign {
            Sign::Has(of, attribute, part) => {
                (of.is_empty() || tag.eq_ignore_ascii_case(of.as_bytes()))
                    && name.eq_ignore_ascii_case(attribute.as_bytes())
                    && memmem::find(&value, part.as_bytes()).is_some()
            }
            Sign::Script(_) | Sign::Title(_) | Sign::Element(_) | Sign::Text(_) => false,
        };
        self.see(is_it);
        self.see_riddle(is_it);
    }

    fn see_riddle(&mut self, is_it: impl Fn(&Sign) -> bool) {
        if let Some((name, _)) = RIDDLES.iter().find(|(_, sign)| is_it(sign)) {
            let first = *self.riddle.get_or_insert(name);
            self.has_more |= first != *name;
        }
    }

    fn script(&mut self, script: &[u8]) {
        self.see(|sign| match sign {
            Sign::Script(part) => memmem::find(script, part.as_bytes()).is_some(),
            Sign::Has(..) | Sign::Title(_) | Sign::Element(_) | Sign::Text(_) => false,
        });
    }

    fn see(&mut self, is_it: impl Fn(&Sign) -> bool) {
        for (row, seen) in CHALLENGES.iter().zip(&mut self.seen) {
            for (idx, sign) in row.signs.iter().enumerate() {
                if is_it(sign) {
                    *seen |= 1 << idx;
                }
            }
        }
    }

    fn guard(mut self) -> Option<&'static str> {
        let title = std::mem::take(&mut self.title);
        let title = title.trim_ascii();
        let text = std::mem::take(&mut self.text);
        self.see(|sign| match sign {
            Sign::Title(begin) => title.starts_with(begin.as_bytes()),
            Sign::Text(part) => memmem::find(&text, part.as_bytes()).is_some(),
            Sign::Has(..) | Sign::Script(_) | Sign::Element(_) => false,
        });
        let is_whole = |row: &Challenge, seen: u8| usize::from(seen) == (1 << row.signs.len()) - 1;
        let mut rows = CHALLENGES.iter().zip(&self.seen);
        let known =
            rows.find(|(row, seen)| is_whole(row, **seen) && self.text_len <= row.text_len_max);
        let is_named = || RIDDLE_TITLES.iter().any(|begin| title.starts_with(begin.as_bytes()));
        // A form with nothing else to fill in is none of a page, whatever the title's language.
        let is_alone = !self.has_more && (self.has_form || title.is_empty());
        let riddle = self.riddle.filter(|_| self.text_len <= FEW && (is_alone || is_named()));
        known.map(|(row, _)| row.guard).or(riddle)
    }
}

/// Returns the number of bytes of `text` that are no white space.
fn words_len(text: &[u8]) -> usize {
    text.iter().filter(|byte| !byte.is_ascii_whitespace()).count()
}
