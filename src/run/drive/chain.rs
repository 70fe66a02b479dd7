//! Follows links that need several requests: through redirects, or in another form.

use super::page::Arrival;
use super::question::Request;
use crate::check::stand_in::leads_to_login;
use crate::check::unwrap::Unwrapped;
use crate::finding::{Class, Hop, Reach, Verdict, for_good};
use crate::grammar::split;
use crate::run::lead::wrapped;
use crate::run::target::apart;
use crate::scheme;
use crate::uri::suffix;

/// Number of redirects that are followed, as browsers do (Fetch Standard, "HTTP-redirect fetch").
/// RFC 9110 §15.4 sets no limit, so that a longer chain is no error.
const HOPS_MAX: usize = 20;

/// Characters at the end of a link that may not belong to it: prose often puts them after a link.
const AMBIGUOUS: &[u8] = b".,;:!?'\")]}>*_";

/// The path of a link so far.
pub(super) struct Chain {
    first: Request,
    now: Request,
    hops: Vec<Hop>,
    /// The fragment of the last redirect that has one.
    fragment: Option<Box<[u8]>>,
    cookie: Cookie,
    /// The result of the link itself, while another form of it is requested, and the question for
    /// the user if that form answers.
    as_it_stands: Option<(Reach, &'static str)>,
    /// The result of the link by HEAD, while it is requested by GET.
    by_head: Option<Reach>,
}

/// The redirects of a link that its run followed before it was stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RedirectPath {
    pub(super) hops: Vec<Hop>,
    pub(super) cookie: Cookie,
}

/// The cookie set by redirects of a link; of several, the one that matters most. None is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cookie {
    #[default]
    None,
    /// Set by any redirect: clients that keep it may leave a circle.
    Set,
    /// Set by a temporary redirect within its site: the target may be for clients that keep it. A
    /// permanent redirect does not depend on a cookie, and one to another site may only count
    /// clicks.
    Key,
}

impl Cookie {
    /// Returns the number by which the store knows it.
    pub(super) const fn number(self) -> u8 {
        self as u8
    }

    pub(super) const fn of_number(number: u8) -> Self {
        match number {
            0 => Self::None,
            1 => Self::Set,
            _ => Self::Key,
        }
    }
}

/// The next step for a link.
pub(super) enum Next {
    /// Request its current URI.
    Ask,
    /// Nothing: this is its result.
    Known(Reach),
}

impl Chain {
    /// Creates a chain without redirects.
    pub(super) fn of(request: &Request) -> Self {
        let (first, now) = (request.clone(), request.clone());
        let (hops, fragment, cookie) = (Vec::new(), None, Cookie::None);
        Self { first, now, hops, fragment, cookie, as_it_stands: None, by_head: None }
    }

    /// Returns the chain of `request` after the redirects of `way`; `None` if there are none, or if
    /// no request follows from them.
    pub(super) fn resumed(request: &Request, way: RedirectPath) -> Option<Self> {
        let mut chain = Self::of(request);
        chain.cookie = way.cookie;
        let goes_on = way.hops.into_iter().all(|hop| matches!(chain.follow(hop), Next::Ask));
        (goes_on && !chain.hops.is_empty()).then_some(chain)
    }

    /// Returns the link and its redirects, which are stored for a run that is stopped; `None` for
    /// another form of a link.
    pub(super) fn way(&self) -> Option<(&Request, RedirectPath)> {
        let way = || RedirectPath { hops: self.hops.clone(), cookie: self.cookie };
        (!self.is_variant()).then(|| (&self.first, way()))
    }

    /// Returns the requests that were answered so far.
    pub(super) fn answered(&self) -> impl Iterator<Item = Request> {
        let after = self.hops.split_last().map_or(&[][..], |(_, before)| before);
        let places = after.iter().map(|hop| self.first.moved(hop.to.clone()));
        std::iter::once(self.first.clone()).chain(places)
    }

    /// Returns a chain for the same link by GET, if HEAD was redirected to a URI that failed with
    /// `reach`: a server without support for HEAD may redirect it anywhere (RFC 9110 §9.3.2).
    pub(super) fn by_get(&self, reach: &Reach) -> Option<Self> {
        let leads_nowhere = match reach.class {
            Class::AuthRequired | Class::Blocked | Class::Forbidden | Class::Unverifiable => true,
            // The redirects left the web.
            Class::PolicyScheme => true,
            // It exists, or a rule forbids the request.
            class => class.row().verdict == Verdict::Error,
        };
        if !leads_nowhere || self.hops.is_empty() || self.is_variant() {
            return None;
        }
        let by_head = Some(Reach { hops: self.hops.clone(), ..self.doubted(reach.clone()) });
        Some(Self { by_head, ..Self::of(&self.first.by_get()?) })
    }

    /// Records that the response with the redirect `hop` set a cookie. Call before the redirect is
    /// followed.
    pub(super) fn saw_cookie(&mut self, hop: &Hop) {
        let is_temporary = matches!(hop.status, 302 | 303 | 307);
        let is_key = is_temporary && is_same_site(self.now.uri().text, &hop.to);
        self.cookie = self.cookie.max(if is_key { Cookie::Key } else { Cookie::Set });
    }

    /// Returns `reach`, or an unverifiable result if the request failed that a cookie of its
    /// redirects may open (RFC 6265 §3).
    fn doubted(&self, reach: Reach) -> Reach {
        let is_dead = reach.class.row().verdict == Verdict::Error;
        let is_error = is_dead && reach.status.is_some_and(|status| status >= 400);
        if !is_error || self.cookie < Cookie::Key {
            return reach;
        }
        let message = format!("{}, but not for those who keep cookies, perhaps", reach.message);
        Reach { class: Class::Unverifiable, message, ..reach }
    }

    /// Returns the current request.
    pub(super) fn request(&self) -> Request {
        self.now.clone()
    }

    /// Follows the redirect `hop`.
    pub(super) fn follow(&mut self, hop: Hop) -> Next {
        let inside = self.first.inside_of(&hop.to);
        let (to, fragment) = apart(inside.as_ref().map_or(&hop.to, Unwrapped::innermost));
        // RFC 9110 §10.2.2: a target without a fragment inherits that of the redirected URI.
        self.fragment = fragment.map(Box::from).or(self.fragment.take());
        let to = to.to_vec();
        let is_known = |known: &[u8]| apart(known).0 == to;
        let is_loop = is_known(self.first.uri().text) || self.hops.iter().any(|h| is_known(&h.to));
        let status = hop.status;
        self.hops.push(hop);
        // A client that keeps cookies gets in (RFC 6265 §3); none are kept here.
        let (class, why) = match self.cookie {
            Cookie::None => (Class::ProtocolError, ""),
            Cookie::Set | Cookie::Key => {
                (Class::Unverifiable, ", which end for those who keep cookies, perhaps")
            }
        };
        let broken = |message: String| {
            Next::Known(Reach::new(class, Reach::HTTP, message + why).with_status(status))
        };
        if is_loop {
            return broken("expected a place, found redirects in a circle".to_owned());
        }
        if self.hops.len() > HOPS_MAX {
            let message = format!("it has more than {HOPS_MAX} redirects, which are not followed");
            let reach = Reach::new(Class::Unverifiable, Reach::HTTP, message + why);
            return Next::Known(reach.with_status(status));
        }
        if let Some(Err(unknown)) = inside.map(|inside| inside.target) {
            return Next::Known(wrapped(unknown.about()).with_status(status));
        }
        if let Some(effect) = self.first.effect_of(&to) {
            let message = format!("it redirects to a URI that may {effect}: not requested");
            return Next::Known(
                Reach::new(Class::SideEffect, Reach::HTTP, message).with_status(status),
            );
        }
        self.now = self.now.moved(to);
        let scheme = self.now.scheme();
        if scheme::is_http(scheme.as_bytes()) {
            return Next::Ask;
        }
        let message = format!("redirects are not followed from the web to {scheme:?}");
        Next::Known(Reach::new(Class::PolicyScheme, Reach::HTTP, message).with_status(status))
    }

    /// Returns the result of the link from `reach`, the result at the end of its redirects, or of
    /// its other form.
    pub(super) fn finish(mut self, reach: Reach) -> Reach {
        if let Some((itself, question)) = self.as_it_stands.take() {
            let form = String::from_utf8_lossy(self.first.uri().text);
            let hint = || format!("{form} answers: {question}");
            return Reach { hint: (reach.class == Class::Alive).then(hint), ..itself };
        }
        // GET was not sent, or its redirects were not followed to the end.
        if let Some(by_head) = self.by_head.take().filter(|_| reach.probe == Reach::UNREQUESTED) {
            return by_head;
        }
        let reach = self.doubted(reach);
        let hops = self.hops;
        let kept = for_good(&hops, |hop| hop.status);
        let Some(last) = kept.last().filter(|_| reach.class == Class::Alive) else {
            return Reach { hops, ..reach };
        };
        if kept.len() == hops.len() && leads_to_login(self.first.uri().text, &last.to) {
            let message = format!("{}: it redirects to a login", reach.message);
            return Reach { class: Class::AuthRequired, message, hops, ..reach };
        }
        let message = if kept.len() == hops.len() {
            "moved for good".to_owned()
        } else {
            let to = String::from_utf8_lossy(&last.to);
            format!("moved for good to {to}, which leads on for now")
        };
        Reach { class: Class::Redirected, message, hops, ..reach }
    }

    /// Returns the fragment that replaces that of the link: the one of the last redirect that has
    /// one (RFC 9110 §10.2.2).
    pub(super) fn fragment(&self) -> Option<&[u8]> {
        self.fragment.as_deref()
    }

    /// Returns what the redirects add to the page at their end.
    pub(super) fn arrival(&self) -> Arrival<'_> {
        let (link, last) = (self.first.uri().text, self.hops.last());
        let doubt = if last.is_some_and(|hop| leads_to_login(link, &hop.to)) {
            Some((Class::AuthRequired, "it redirects to a login, where no such place is"))
        } else if self.cookie >= Cookie::Key {
            let message = "no place of this name, but there may be for those who keep cookies";
            Some((Class::Unverifiable, message))
        } else {
            None
        };
        Arrival { fragment: self.fragment(), doubt, hops: &self.hops }
    }

    /// Reports whether another form of the link is requested, not the link itself.
    pub(super) const fn is_variant(&self) -> bool {
        self.as_it_stands.is_some()
    }
}

/// Reports whether two URIs belong to one site: to one host, or to one registrable domain.
fn is_same_site(one: &[u8], other: &[u8]) -> bool {
    let [one, other] = [one, other].map(|text| {
        let host = split(text).host.map(|host| host.of(text)).unwrap_or_default();
        String::from_utf8_lossy(host).to_ascii_lowercase()
    });
    // Neither kind of address has a domain.
    let is_name =
        |host: &&str| !host.contains(':') && !host.ends_with(|it: char| it.is_ascii_digit());
    let domain = |host| Some(host).filter(is_name).and_then(suffix::registrable);
    let [domain, of_other] = [&*one, &*other].map(domain);
    one == other || domain.is_some() && domain == of_other
}

/// Returns another form of a missing link: with the mark that follows it in the text, without a
/// last character that may belong to the text, or with a closing bracket that it lacks.
pub(super) fn variant(request: &Request, reach: &Reach) -> Option<Chain> {
    let is_web = reach.probe == Reach::HTTP && reach.class == Class::Missing;
    let uri = request.uri();
    let text = uri.text;
    let last = text.last().filter(|_| is_web)?;
    let count = |wanted: u8| text.iter().filter(|&&byte| byte == wanted).count();
    let other = if let Some(mark) = request.after() {
        [text, &[mark]].concat()
    } else if AMBIGUOUS.contains(last) {
        text.split_last()?.1.to_vec()
    } else if count(b'(') > count(b')') {
        [text, b")"].concat()
    } else {
        return None;
    };
    // Not if the character is part of the host or the port, in either form.
    let form = split(&other);
    form.host.filter(|_| (form.host, form.port) == (uri.host, uri.port))?;
    let question = match request.after() {
        Some(_) => "does the next mark of the text belong to it?",
        None => "is its last character the text's?",
    };
    let mut chain = Chain::of(&request.moved(other));
    chain.as_it_stands = Some((reach.clone(), question));
    Some(chain)
}

#[cfg(test)]
mod tests {
    use super::{Chain, Class, Cookie, HOPS_MAX, Hop, Next, Reach, Request, variant};

    fn chain() -> Chain {
        Chain::of(&Request::default().moved(b"http://h/0".to_vec()))
    }

    fn hop(status: u16, to: &str) -> Hop {
        Hop { status, to: to.as_bytes().to_vec() }
    }

    #[track_caller]
    fn ends(next: Next, class: Class) {
        assert!(matches!(next, Next::Known(reach) if reach.class == class));
    }

    #[test]
    fn a_link_has_moved_as_far_as_its_hops_are_for_good() {
        let to = |place| format!("moved for good to http://h/{place}, which leads on for now");
        for (codes, class, message) in [
            (&[301, 308][..], Class::Redirected, "moved for good"),
            (&[301, 302], Class::Redirected, &to("a0")),
            (&[308, 301, 307, 301], Class::Redirected, &to("a1")),
            (&[302, 301], Class::Alive, "200 OK"),
            (&[303], Class::Alive, "200 OK"),
            (&[], Class::Alive, "200 OK"),
        ] {
            let mut chain = chain();
            for (idx, code) in codes.iter().enumerate() {
                assert!(matches!(chain.follow(hop(*code, &format!("http://h/a{idx}"))), Next::Ask));
            }
            let reach = chain.finish(Reach::new(Class::Alive, "http", "200 OK"));
            assert_eq!((reach.class, reach.hops.len()), (class, codes.len()));
            assert_eq!(reach.message, message, "{codes:?}");
        }
    }

    #[test]
    fn a_permanent_redirect_to_a_login_is_no_move() {
        for (link, to, class) in [
            ("http://h/a", "http://h/login?next=%2Fa", Class::AuthRequired),
            ("http://h/a", "https://sso.h/", Class::AuthRequired),
            ("http://h/guide/auth", "http://h/guide/auth/", Class::Redirected),
            ("http://h/login.html", "http://h/v2/login", Class::Redirected),
            ("http://h/auth", "http://h/auth/login", Class::AuthRequired),
        ] {
            let mut chain = Chain::of(&Request::default().moved(link.as_bytes().to_vec()));
            assert!(matches!(chain.follow(hop(301, to)), Next::Ask));
            let is_doubted = chain.arrival().doubt.is_some();
            assert_eq!(is_doubted, class == Class::AuthRequired, "{link} {to}");
            let reach = chain.finish(Reach::new(Class::Alive, "http", "200 OK"));
            assert_eq!((reach.class, reach.hops.len()), (class, 1), "{link} {to}");
        }
    }

    #[test]
    fn circles_and_endless_chains_end() {
        ends(chain().follow(hop(301, "http://h/0#a")), Class::ProtocolError);
        let mut chain = chain();
        for idx in 1..=HOPS_MAX {
            assert!(matches!(chain.follow(hop(302, &format!("http://h/{idx}"))), Next::Ask));
        }
        ends(chain.follow(hop(302, "http://h/last")), Class::Unverifiable);
        let mut chain = self::chain();
        for idx in 1..=HOPS_MAX {
            assert!(matches!(chain.follow(hop(302, &format!("http://h/{idx}"))), Next::Ask));
        }
        ends(chain.follow(hop(302, "http://h/1")), Class::ProtocolError);
    }

    #[test]
    fn a_key_is_a_cookie_of_a_temporary_redirect_within_its_site() {
        for (status, to, expected) in [
            (302, "http://h/1", Cookie::Key),
            (303, "http://H:81/1", Cookie::Key),
            (307, "https://h/1", Cookie::Key),
            (301, "http://h/0/", Cookie::Set),
            (308, "http://h/1", Cookie::Set),
            (302, "http://g/1", Cookie::Set),
            (302, "http://127.0.0.1/1", Cookie::Set),
        ] {
            let mut chain = chain();
            chain.saw_cookie(&hop(status, to));
            assert_eq!(chain.cookie, expected, "{status} {to}");
            assert_eq!(Cookie::of_number(expected.number()), expected);
        }
        let mut chain = Chain::of(&Request::default().moved(b"http://a.b.example/".to_vec()));
        chain.saw_cookie(&hop(302, "http://b.example/"));
        chain.saw_cookie(&hop(301, "http://h/"));
        assert_eq!(chain.cookie, Cookie::Key);
    }

    #[test]
    fn the_last_fragment_of_the_redirects_replaces_that_of_the_link() {
        for (hops, expected) in [
            (&["http://h/1"][..], None),
            (&["http://h/1#a"], Some("a")),
            (&["http://h/1#a", "http://h/2"], Some("a")),
            (&["http://h/1#a", "http://h/2#b"], Some("b")),
            (&["http://h/1#a", "http://h/2#"], Some("")),
            (&["http://h/1", "http://h/2#b"], Some("b")),
        ] {
            let mut chain = chain();
            for to in hops {
                assert!(matches!(chain.follow(hop(302, to)), Next::Ask));
            }
            assert_eq!(chain.fragment(), expected.map(str::as_bytes), "{hops:?}");
        }
    }

    #[test]
    fn the_web_leads_to_nothing_else() {
        ends(chain().follow(hop(302, "file:///etc/passwd")), Class::PolicyScheme);
        ends(chain().follow(hop(302, "gopher://h/")), Class::PolicyScheme);
    }

    #[test]
    fn a_careful_link_leads_to_nothing_that_acts() {
        let to = || hop(302, "http://h/unsubscribe?u=1");
        let careful = Request::default().moved(b"http://h/0".to_vec()).careful();
        ends(Chain::of(&careful).follow(to()), Class::SideEffect);
        let mut chain = Chain::of(&careful);
        assert!(matches!(chain.follow(hop(302, "http://h/news")), Next::Ask));
        ends(chain.follow(to()), Class::SideEffect);
        assert!(matches!(self::chain().follow(to()), Next::Ask));
    }

    #[test]
    fn a_redirect_to_a_gateway_leads_to_the_link_inside() {
        let gateway = "https://nam01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fh%2F1";
        let unwrapping = Request::default().moved(b"http://h/0".to_vec()).unwrapping();
        let mut inside = Chain::of(&unwrapping);
        assert!(matches!(inside.follow(hop(302, gateway)), Next::Ask));
        assert_eq!(inside.request().uri().text, b"http://h/1");
        ends(
            Chain::of(&unwrapping).follow(hop(302, "https://url.uk.m.mimecastprotect.com/s/a")),
            Class::Wrapped,
        );
        let back = gateway.replace("%2F1", "%2F0");
        ends(Chain::of(&unwrapping).follow(hop(302, &back)), Class::ProtocolError);
        let mut outside = chain();
        assert!(matches!(outside.follow(hop(302, gateway)), Next::Ask));
        assert_eq!(outside.request().uri().text, gateway.as_bytes());
    }

    #[test]
    fn a_missing_link_is_asked_with_the_mark_after_it() {
        let missing = Reach::new(Class::Missing, "http", "404");
        let ask = |text: &str, mark: u8| {
            let request = Request::default().moved(text.as_bytes().to_vec()).before(mark);
            variant(&request, &missing)
        };
        for (text, mark, wanted) in [
            ("http://h/a", b'!', Some("http://h/a!")),
            ("http://h/a", b'?', Some("http://h/a?")),
            ("http://h/a?b", b'.', Some("http://h/a?b.")),
            ("http://h/a_(b", b'.', Some("http://h/a_(b.")),
            ("http://h/a_", b'*', Some("http://h/a_*")),
            // It would be part of the host, or of the port.
            ("http://h", b'.', None),
            ("http://h:80", b'!', None),
            ("http://h", b':', None),
        ] {
            let form = ask(text, mark).map(|chain| chain.request());
            let form = form.map(|form| String::from_utf8(form.into_text().into_vec()).unwrap());
            assert_eq!(form.as_deref(), wanted, "{text}");
        }
        let chain = ask("http://h/a", b'!').unwrap();
        // Only one other form is requested.
        assert!(variant(&chain.request().moved(b"http://h/a".to_vec()), &missing).is_none());
        let reach = chain.finish(Reach::new(Class::Alive, "http", ""));
        let hint = "http://h/a! answers: does the next mark of the text belong to it?";
        assert_eq!((reach.class, reach.hint.as_deref()), (Class::Missing, Some(hint)));
    }

    #[test]
    fn a_missing_link_is_asked_once_in_another_form() {
        let missing = Reach::new(Class::Missing, "http", "404");
        let form = |text: &str| {
            let request = Request::default().moved(text.as_bytes().to_vec());
            variant(&request, &missing)
                .map(|chain| String::from_utf8(chain.request().into_text().into_vec()).unwrap())
        };
        assert_eq!(form("http://h/a.").as_deref(), Some("http://h/a"));
        assert_eq!(form("http://h/a_(b").as_deref(), Some("http://h/a_(b)"));
        assert_eq!(form("http://h/a"), None);
        assert_eq!(form("http://h."), None);
        let gone = Reach::new(Class::Gone, "http", "410");
        assert!(variant(&Request::default().moved(b"http://h/a.".to_vec()), &gone).is_none());
        let hint_after = |class| {
            let request = Request::default().moved(b"http://h/a.".to_vec());
            let chain = variant(&request, &missing).unwrap();
            assert!(chain.is_variant());
            let reach = chain.finish(Reach::new(class, "http", ""));
            assert_eq!((reach.class, &*reach.message), (Class::Missing, "404"));
            reach.hint
        };
        assert!(
            hint_after(Class::Alive).is_some_and(|hint| hint.starts_with("http://h/a answers"))
        );
        assert_eq!([Class::Timeout, Class::PolicyLimit].map(hint_after), [None, None]);
    }
}
