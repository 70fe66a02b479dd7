//! Interprets an answer of HTTP: its status code and its fields.
//!
//! Messages never repeat the server's own words: a reason phrase may hold anything, and adds
//! nothing to the code.

use hyper::{HeaderMap, StatusCode};

use super::NAME;
use super::later::retry_after;
use super::moved::{Moved, moved};
use super::target::Target;
use crate::finding::{Class, Hop, Reach};
use crate::probe::Outcome;

/// The properties of the request on which the meaning of an answer depends.
pub(super) struct RequestFacts<'a> {
    /// The target, against which relative redirects are resolved.
    pub(super) target: &'a Target,
    /// Whether the request was conditional.
    pub(super) is_conditional: bool,
    /// The time in Unix seconds.
    pub(super) now: i64,
}

/// A field by which a service that blocks programs is recognised. The documentation of each service
/// names the field, or every answer of the service has it.
struct Wall {
    /// The status codes to which it is limited; any code if empty.
    codes: &'static [u16],
    field: &'static str,
    /// The beginning of its value, in lower case.
    value: &'static str,
    name: &'static str,
}

const fn wall(
    codes: &'static [u16],
    field: &'static str,
    value: &'static str,
    name: &'static str,
) -> Wall {
    Wall { codes, field, value, name }
}

/// A server's name alone proves nothing: readers may get a page where we get its `403`, or they may
/// not. That is why `blocked` is never an error.
const WALLS: &[Wall] = &[
    wall(&[], "cf-mitigated", "", "Cloudflare"),
    wall(&[403, 503], "cf-chl-bypass", "", "Cloudflare"),
    wall(&[403], "server", "cloudflare", "Cloudflare"),
    wall(&[403], "server", "akamaighost", "Akamai"),
    wall(&[403], "server", "sucuri", "Sucuri"),
    wall(&[403], "server", "datadome", "DataDome"),
    wall(&[403], "server", "ddos-guard", "DDoS-Guard"),
    wall(&[401, 403], "x-datadome", "", "DataDome"),
    wall(&[403], "x-iinfo", "", "Imperva"),
    wall(&[], "x-amzn-waf-action", "", "AWS WAF"),
    wall(&[], "x-vercel-mitigated", "", "Vercel"),
];

/// The status that LinkedIn sends to programs; HTTP does not define it.
const REFUSES_PROGRAMS: u16 = 999;

/// Returns the reason why `status` says nothing about the target, if it does not: it names a
/// property of the request or of the connection, or it belongs to another kind of request.
fn unrelated(status: u16) -> Option<&'static str> {
    Some(match status {
        // RFC 9110 §15.2.2: only after a request for another protocol.
        101 => "another protocol was not requested",
        // RFC 9110 §15.4.5: only after a conditional request.
        304 => "no condition was sent",
        // RFC 9110 §15.4.6 and §15.4.7: deprecated, and reserved.
        305 | 306 => "proxies are not changed",
        // RFC 9110 §15.5.12: GET has no content whose length could be declared.
        411 => "the server expects content",
        // RFC 9110 §15.5.13: only after a conditional request.
        412 => "no condition was sent",
        // RFC 9110 §15.5.17: only after a request for a range.
        416 => "no range was requested",
        // RFC 9110 §15.5.18: only after a request with `Expect`.
        417 => "nothing was expected",
        // RFC 9110 §15.5.20: the connection is for another site.
        421 => "the server does not serve this site on the connection",
        // RFC 8470 §5.2: to be repeated after the handshake.
        425 => "the server expects another try",
        // RFC 9110 §15.5.22, RFC 6585 §3.
        426 => "the server expects another protocol",
        428 => "the server expects a condition",
        // Microsoft's "Retry With", and nginx's code for a client that left.
        449 => "the server expects other data",
        499 => "the server lost the request",
        // RFC 6585 §6: sent by a network on the way.
        511 => "the network requires a login, not the target",
        _ => return None,
    })
}

/// Returns the outcome of `status` with `fields`.
pub(super) fn outcome(status: u16, fields: &HeaderMap, asked: &RequestFacts<'_>) -> Outcome {
    if let Some(wall) = WALLS.iter().find(|wall| wall.stands(status, fields)) {
        let message = format!("{}: {} blocks programs", shown(status), wall.name);
        return Outcome::Known(Reach::new(Class::Blocked, NAME, message).with_status(status));
    }
    match status {
        300..=303 | 307 | 308 => redirect(status, fields, asked),
        304 if asked.is_conditional => known(Class::Alive, status, "not changed"),
        _ => plain(status, fields, asked.now),
    }
}

/// Reports whether GET follows a HEAD with this outcome. HEAD should be answered like GET (RFC 9110
/// §9.3.2), but many servers refuse it (400, 403, 405, 429, 501), answer without looking (404, 410,
/// a redirect to another scheme), or fail at HEAD alone (500, 502 to 504). So neither error codes
/// nor malformed answers to HEAD are believed. A server that names a time for the next request is
/// left alone until then.
pub(super) fn asks_for_get(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Moved(_) | Outcome::Later { after: Some(_), .. } => false,
        Outcome::Known(reach) | Outcome::Later { reach, after: None } => {
            let is_error = reach.status.is_some_and(|status| status >= 400);
            let is_strange = matches!(
                reach.class,
                Class::ProtocolError | Class::Unverifiable | Class::PolicyScheme
            );
            is_error || is_strange
        }
    }
}

/// Reports whether the outcome is that no answer came in time.
pub(super) fn is_silence(outcome: &Outcome) -> bool {
    let Outcome::Later { reach, after: None } = outcome else { return false };
    reach.class == Class::Timeout && reach.status.is_none()
}

/// Reports whether the page of an answer with this outcome may be the page of a guard: guards send
/// theirs with 403 and 503, and some with 404.
pub(super) fn may_be_guarded(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Moved(_) => false,
        Outcome::Known(reach) | Outcome::Later { reach, .. } => {
            matches!(reach.class, Class::Forbidden | Class::Missing | Class::ServerError)
        }
    }
}

impl Wall {
    fn stands(&self, status: u16, fields: &HeaderMap) -> bool {
        if !self.codes.is_empty() && !self.codes.contains(&status) {
            return false;
        }
        fields.get(self.field).is_some_and(|value| {
            let start = value.as_bytes().get(..self.value.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(self.value.as_bytes()))
        })
    }
}

fn redirect(status: u16, fields: &HeaderMap, asked: &RequestFacts<'_>) -> Outcome {
    match moved(fields, &asked.target.base()) {
        Moved::To(to) => Outcome::Moved(Hop { status, to }),
        // RFC 9110 §15.4.1: the choices are then in the body, for a reader.
        Moved::Nowhere if status == 300 => known(Class::Alive, status, "the reader has to choose"),
        Moved::Nowhere => later(Class::ProtocolError, status, "a redirect without a target"),
        Moved::Several => later(Class::ProtocolError, status, "a redirect with several targets"),
        Moved::Broken => later(Class::ProtocolError, status, "a redirect whose target is no URI"),
        Moved::Scheme(scheme) => {
            let message = format!("a redirect to a URI of {scheme}, which is not followed");
            known(Class::PolicyScheme, status, &message)
        }
    }
}

/// Interprets an answer by its code alone (RFC 9110 §15, and common codes besides).
fn plain(status: u16, fields: &HeaderMap, now: i64) -> Outcome {
    let is_known = |class| known(class, status, "");
    let passes = |class| {
        let reach = reach(class, status, "");
        Outcome::Later { reach, after: retry_after(fields, now) }
    };
    if let Some(about) = unrelated(status) {
        let reach = reach(Class::Unverifiable, status, about);
        return match status {
            // These depend on the moment, or on the connection.
            304 | 421 | 425 => Outcome::Later { reach, after: retry_after(fields, now) },
            _ => Outcome::Known(reach),
        };
    }
    match status {
        200..=299 => is_known(Class::Alive),
        // 440, 495, 496, 498 and 561 are not specified: IIS, nginx, ArcGIS and load balancers of
        // AWS send them where a session, a certificate or a token is missing.
        401 | 407 | 440 | 495 | 496 | 498 | 561 => is_known(Class::AuthRequired),
        // The page exists, but is not for everybody, or not for this request: 405 means that the
        // target accepts other methods, 406 that it has no form that we accept.
        // 450 is not specified: parental controls of Windows refuse the page.
        402 | 403 | 405 | 406 | 423 | 450 | 451 => is_known(Class::Forbidden),
        404 => is_known(Class::Missing),
        408 => passes(Class::Timeout),
        410 => is_known(Class::Gone),
        // 418 is a joke that became a way to refuse programs. 430 is not specified: Shopify refuses
        // what looks like a program to it.
        418 | 430 | REFUSES_PROGRAMS => is_known(Class::Blocked),
        // 509 and 529 are not specified: the host is overloaded.
        429 | 509 | 529 => passes(Class::Throttled),
        // Another try would get the same answer: the server does not support the request (501, RFC
        // 9110 §15.6.2; 505, §15.6.6), is misconfigured (506, RFC 2295 §8.1; 508, RFC 5842 §7.2),
        // or requires another kind of request (510, RFC 2774 §7). 507 must not be retried without
        // the user's request (RFC 4918 §11.5).
        501 | 505..=508 | 510 => is_known(Class::ServerError),
        // All other 5xx may be temporary, specified or not.
        500..=599 => passes(Class::ServerError),
        // With the other 4xx, a server rejects the request; readers who follow the link get the
        // same.
        400..=499 => is_known(Class::ServerError),
        // An interim reply (1xx) or a redirect (3xx) that is none, or an undefined number.
        _ => later(Class::ProtocolError, status, "not an answer to the request"),
    }
}

fn known(class: Class, status: u16, about: &str) -> Outcome {
    Outcome::Known(reach(class, status, about))
}

fn later(class: Class, status: u16, about: &str) -> Outcome {
    Outcome::Later { reach: reach(class, status, about), after: None }
}

fn reach(class: Class, status: u16, about: &str) -> Reach {
    let code = shown(status);
    let message = if about.is_empty() { code } else { format!("{code}: {about}") };
    Reach::new(class, NAME, message).with_status(status)
}

/// Returns the code with the name that its specification gives it.
fn shown(status: u16) -> String {
    let name = StatusCode::from_u16(status).ok().and_then(|code| code.canonical_reason());
    name.map_or_else(|| status.to_string(), |name| format!("{status} {name}"))
}

#[cfg(test)]
mod tests {
    use hyper::HeaderMap;
    use hyper::header::{HeaderName, HeaderValue};

    use super::{RequestFacts, Target, asks_for_get, outcome};
    use crate::finding::help::Example;
    use crate::finding::{CLASSES, Class};
    use crate::probe::Outcome;

    fn read(status: u16, fields: &[(&'static str, &'static str)]) -> Outcome {
        let mut map = HeaderMap::new();
        for (name, value) in fields {
            map.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let target = Target::parse(b"http://h/a").unwrap();
        let asked = RequestFacts { target: &target, is_conditional: false, now: 0 };
        outcome(status, &map, &asked)
    }

    fn shown(outcome: &Outcome) -> String {
        match outcome {
            Outcome::Known(reach) => format!("{}: {}", reach.class.row().name, reach.message),
            Outcome::Later { reach, after } => {
                format!("later {after:?} {}: {}", reach.class.row().name, reach.message)
            }
            Outcome::Moved(hop) => {
                format!("{} to {}", hop.status, String::from_utf8_lossy(&hop.to))
            }
        }
    }

    #[track_caller]
    fn case(status: u16, expected: &str) {
        assert_eq!(shown(&read(status, &[])), expected);
    }

    #[test]
    fn codes_mean_what_their_specification_says() {
        case(200, "alive: 200 OK");
        case(206, "alive: 206 Partial Content");
        case(299, "alive: 299");
        case(400, "server-error: 400 Bad Request");
        case(401, "auth-required: 401 Unauthorized");
        case(402, "forbidden: 402 Payment Required");
        case(403, "forbidden: 403 Forbidden");
        case(404, "missing: 404 Not Found");
        case(405, "forbidden: 405 Method Not Allowed");
        case(407, "auth-required: 407 Proxy Authentication Required");
        case(408, "later None timeout: 408 Request Timeout");
        case(410, "gone: 410 Gone");
        case(418, "blocked: 418 I'm a teapot");
        case(430, "blocked: 430");
        case(425, "later None unverifiable: 425 Too Early: the server expects another try");
        case(429, "later None throttled: 429 Too Many Requests");
        case(451, "forbidden: 451 Unavailable For Legal Reasons");
        case(500, "later None server-error: 500 Internal Server Error");
        case(501, "server-error: 501 Not Implemented");
        case(503, "later None server-error: 503 Service Unavailable");
        case(505, "server-error: 505 HTTP Version Not Supported");
        case(506, "server-error: 506 Variant Also Negotiates");
        case(507, "server-error: 507 Insufficient Storage");
        case(508, "server-error: 508 Loop Detected");
        case(509, "later None throttled: 509");
        case(510, "server-error: 510 Not Extended");
        case(522, "later None server-error: 522");
        case(599, "later None server-error: 599");
        case(999, "blocked: 999");
        case(100, "later None protocol-error: 100 Continue: not an answer to the request");
    }

    #[test]
    fn codes_about_the_request_say_nothing_about_the_target() {
        case(304, "later None unverifiable: 304 Not Modified: no condition was sent");
        let class = |status| match read(status, &[]) {
            Outcome::Known(reach) | Outcome::Later { reach, .. } => reach.class,
            Outcome::Moved(_) => Class::Redirected,
        };
        for status in [101, 304, 305, 306, 411, 412, 416, 417, 421, 425, 426, 428, 449, 499, 511] {
            assert_eq!(class(status), Class::Unverifiable, "{status}");
        }
        for status in [401, 407, 440, 495, 496, 498, 561] {
            assert_eq!(class(status), Class::AuthRequired, "{status}");
        }
        assert_eq!(class(450), Class::Forbidden);
        for status in [400, 409, 413, 414, 415, 422, 424, 431, 444, 494, 497] {
            assert_eq!(class(status), Class::ServerError, "{status}");
        }
    }

    #[test]
    fn codes_mean_what_the_help_of_their_class_says() {
        let mut count = 0;
        for row in CLASSES {
            let Example::Answer(answers) = row.help.example else { continue };
            let codes = answers.split(';').find_map(|part| part.trim().strip_prefix("HTTP "));
            let numbers = codes.unwrap_or_default().split(|c: char| !c.is_ascii_digit());
            for status in numbers.filter(|it| it.len() == 3).filter_map(|it| it.parse().ok()) {
                let class = match read(status, &[("location", "/")]) {
                    // The class of a redirect that ends in an answer.
                    Outcome::Moved(_) => Class::Redirected,
                    Outcome::Known(reach) | Outcome::Later { reach, .. } => reach.class,
                };
                assert_eq!(class.row().name, row.name, "{status}");
                count += 1;
            }
        }
        assert!(count > 20, "{count} codes");
    }

    #[test]
    fn every_code_has_a_meaning() {
        for status in 0..=u16::MAX {
            let outcome = read(status, &[]);
            let (Outcome::Known(reach) | Outcome::Later { reach, .. }) = &outcome else {
                panic!("{status} moves to nowhere");
            };
            assert_eq!(reach.status, Some(status));
            assert!(reach.message.starts_with(&status.to_string()));
        }
    }

    #[test]
    fn walls_are_known_by_their_signs() {
        let blocked = |status, field| shown(&read(status, &[field])).starts_with("blocked: ");
        assert!(blocked(403, ("cf-mitigated", "challenge")));
        assert!(blocked(503, ("cf-chl-bypass", "1")));
        assert!(blocked(403, ("server", "cloudflare")));
        assert!(blocked(403, ("server", "AkamaiGHost")));
        assert!(blocked(403, ("server", "Sucuri/Cloudproxy")));
        assert!(blocked(403, ("server", "ddos-guard")));
        assert!(blocked(401, ("x-datadome", "protected")));
        assert!(blocked(403, ("x-iinfo", "1-2-3")));
        assert!(blocked(202, ("x-amzn-waf-action", "challenge")));
        assert!(blocked(429, ("x-vercel-mitigated", "challenge")));
        assert!(!blocked(404, ("server", "cloudflare")));
        assert!(!blocked(503, ("server", "cloudflare")));
        assert!(!blocked(200, ("server", "cloudflare")));
        assert!(!blocked(403, ("server", "nginx")));
        assert!(!blocked(403, ("server", "cloud")));
        assert!(!blocked(200, ("x-datadome", "protected")));
    }

    #[test]
    fn head_is_believed_where_it_is_no_error() {
        let doubted = |status| asks_for_get(&read(status, &[("location", "/")]));
        for status in [101, 304, 305, 400, 401, 403, 404, 405, 406, 408, 410, 429, 451] {
            assert!(doubted(status), "{status}");
        }
        for status in [500, 501, 502, 503, 504, 599, 600, 999] {
            assert!(doubted(status), "{status}");
        }
        for status in [200, 204, 301, 302, 307, 308] {
            assert!(!doubted(status), "{status}");
        }
        assert!(asks_for_get(&read(301, &[])));
        for status in [429, 503] {
            assert!(!asks_for_get(&read(status, &[("retry-after", "9")])), "{status}");
            assert!(asks_for_get(&read(status, &[("retry-after", "soon")])), "{status}");
        }
    }
}
