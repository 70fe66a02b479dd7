//! Tests the classes of `mailto`, and that no mail server is contacted.

use linktrawl::internal::probe::guard::Guard;
use linktrawl::internal::probe::tcp::Net;
use linktrawl::internal::probe::{self, Level, Outcome, Question};
use linktrawl::{Span, Uri};

use super::{guard, net, zone};

async fn ask(net: &Net, link: &str) -> String {
    told(net, link).await.0
}

/// Returns the name of the link's class, followed by `later` if the failure may pass, and the
/// message.
async fn told(net: &Net, link: &str) -> (String, String) {
    let text = link.as_bytes();
    let query = link.find('?');
    let uri = Uri {
        text,
        scheme: Some(Span::new(0, 6)),
        path: Span::new(7, query.unwrap_or(text.len())),
        query: query.map(|mark| Span::new(mark + 1, text.len())),
        ..Uri::default()
    };
    let question = Question { uri, level: Level::Host, wants_body: false, validators: None };
    let probe = probe::find("mailto").expect("a probe");
    let mut kept = None;
    match probe.ask(question, net, &mut kept).await.outcome {
        Outcome::Known(reach) => (reach.class.row().name.to_owned(), reach.message),
        Outcome::Later { reach, .. } => {
            (format!("{} later", reach.class.row().name), reach.message)
        }
        Outcome::Moved(hop) => panic!("moved to {:?}", hop.to),
    }
}

#[tokio::test]
async fn each_link_has_its_class() {
    let zone = zone();
    let net = net(guard(&["127.0.0.0/8", "::1"]), &zone);
    for (link, expected) in [
        ("mailto:a@mail.test", "alive"),
        ("mailto:A%2BB@MAIL.test.", "alive"),
        ("mailto:%22a%20b%22@mail.test", "alive"),
        ("mailto:a@implicit.test", "alive"),
        ("mailto:a@implicit6.test", "alive"),
        ("mailto:a@halfmx.test", "alive"),
        ("mailto:a@d%C3%BCmi.test", "alive"),
        ("mailto:grün@dümi.test", "alive"),
        ("mailto:a@xn--dmi-hoa.test", "alive"),
        ("mailto:a@domi.test", "dns-nxdomain"),
        ("mailto:a@nullmx.test", "missing"),
        ("mailto:a@lostmx.test", "missing"),
        ("mailto:a@empty.test", "missing"),
        ("mailto:a@absent.test", "dns-nxdomain"),
        ("mailto:a@servfail.test", "dns-failure later"),
        ("mailto:a@mail.test,b@absent.test", "dns-nxdomain"),
        ("mailto:a@mail.test,b@implicit.test", "alive"),
        ("mailto:a@servfail.test,b@absent.test", "dns-nxdomain"),
        ("mailto:?to=a@mail.test", "alive"),
        ("mailto:?TO=a@absent.test", "dns-nxdomain"),
        ("mailto:a@mail.test?cc=Joe%20%3Cb@absent.test%3E", "dns-nxdomain"),
        ("mailto:a@mail.test?subject=x&bcc=b@absent.test", "dns-nxdomain"),
        ("mailto:a@mail.test?subject=b@absent.test", "alive"),
        ("mailto:?subject=x", "unverifiable"),
        ("mailto:", "unverifiable"),
        ("mailto:nobody", "missing"),
        ("mailto:a..b@mail.test", "missing"),
        ("mailto:@mail.test", "missing"),
        ("mailto:a@", "missing"),
        ("mailto:a@[127.0.0.1]", "unverifiable"),
        ("mailto:a@localhost", "policy-address"),
        ("mailto:a@mail.test?subject=a%0D%0Ab", "alive"),
        ("mailto:%0D%0ARCPT@mail.test", "policy-argument"),
        ("mailto:a@mail.test%0A", "policy-argument"),
        ("mailto:?cc=a@mail.test%00", "policy-argument"),
    ] {
        assert_eq!(ask(&net, link).await, expected, "{link}");
    }
}

#[tokio::test]
async fn a_domain_that_takes_no_mail_is_told() {
    let zone = zone();
    let net = net(guard(&["127.0.0.0/8"]), &zone);
    let (class, message) = told(&net, "mailto:a@nullmx.test").await;
    assert_eq!((class.as_str(), message.contains("RFC 7505")), ("missing", true), "{message}");
}

#[tokio::test]
async fn exchangers_that_may_not_be_asked_say_nothing_of_the_domain() {
    let zone = zone();
    let net = net(Guard::default(), &zone);
    for (link, expected) in [
        ("mailto:a@mail.test", "policy-address"),
        ("mailto:a@implicit.test", "policy-address"),
        ("mailto:a@halfmx.test", "policy-address"),
        ("mailto:a@lostmx.test", "missing"),
        // Evidence takes precedence over a lack of it.
        ("mailto:a@implicit.test,b@nullmx.test", "missing"),
        ("mailto:a@implicit.test,b@absent.test", "dns-nxdomain"),
    ] {
        assert_eq!(ask(&net, link).await, expected, "{link}");
    }
    let (_, message) = told(&net, "mailto:a@implicit.test").await;
    assert!(message.contains("127.0.0.1"), "{message}");
}

#[tokio::test]
async fn a_domain_is_looked_up_once_for_all_its_people() {
    let zone = zone();
    let net = net(guard(&["127.0.0.0/8"]), &zone);
    for person in 0..20 {
        assert_eq!(ask(&net, &format!("mailto:{person}@mail.test")).await, "alive");
    }
    assert_eq!(zone.asked("mail.test"), 1);
}

/// `Net` opens all sockets, and this probe uses only its name resolver, which applies the guard.
#[test]
fn no_server_of_mail_is_connected_to() {
    let code = include_str!("../../../src/probe/mail.rs");
    assert!(code.contains("net.names.exchangers("));
    for call in [".connect(", ".secure(", ".host_alive("] {
        assert!(!code.contains(call), "{call}");
    }
}
