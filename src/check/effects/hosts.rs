//! Hosts that are there to be told who clicks.

use super::token;

/// What asking them does.
const DOES: &str = "tell the sender";

/// First labels of hosts that count clicks under the sender's own name.
const CLICK_LABELS: &[&str] = &[
    "beacon",
    "click",
    "clicks",
    "clicktrack",
    "clk",
    "ctrk",
    "optout",
    "pixel",
    "remove",
    "track",
    "tracker",
    "tracking",
    "trck",
    "trk",
    "unsub",
    "unsubscribe",
];

/// Domains of companies that send mail for others: what is in them beside their own pages counts
/// clicks, shows preferences, or unsubscribes. From their own documentation, and from mail.
#[rustfmt::skip]
const MAILERS: &[&str] = &[
    "acems1.com", "activehosted.com", "acumbamail.com", "aweber.com", "awstrack.me",
    "benchmarkurl.com", "app.bronto.com", "bluehornet.com", "bmetrack.com", "brontomail.com",
    "cakemail.com",
    "cleverreach.com", "confirmsubscription.com", "contactlab.it", "convertkit-mail.com",
    "copernica.nl", "createsend.com", "createsend1.com", "customeriomail.com", "dmanalytics1.com",
    "dotdigital-pages.com", "dripemail2.com", "e2ma.net", "emarsys.net", "emlnk.com",
    "emltrk.com", "en25.com", "exacttarget.com", "exct.net", "getdrip.com", "getresponse.com",
    "hubspotemail.net", "hubspotlinks.com", "icptrack.com", "infusionsoft.com",
    "intercom-clicks.com", "intercom-mail.com", "inxmail-commerce.com", "inxserver.com",
    "keap-link001.com", "kmail-lists.com", "laposta.nl", "list-manage.com", "list-manage1.com",
    "listrakbi.com", "mailchimpapp.net", "mailerlite.com", "mailgun.org", "mailjet.com",
    "maillist-manage.com", "mailpanion.com", "mailplus.nl", "mailtrap.live", "mailup.com",
    "mandrillapp.com", "mdirector.com", "mjt.lt", "mjt.lu", "mktoweb.com", "mlsend.com",
    "newsletter2go.com", "nlserver.com", "optivo.com", "pages01.net", "pstmrk.it",
    "rapidmail.de", "rdstation.com.br", "responsys.net", "rs6.net", "sailthru.com",
    "sarbacane.com", "sendgrid.net", "sendpulse.com", "sparkpostmail.com", "spmailtechno.com",
    "spotlerscript.nl", "t.eloqua.com", "unisender.com", "visitor.constantcontact.com", "vresp.com",
    "zcsend.net",
];

/// The same with a number before the last label: `cmail19.com`.
#[rustfmt::skip]
const NUMBERED: &[&str] = &[
    "cmail", "convertkit-mail", "createsend", "dripemail", "keap-link", "klclick", "list-manage",
    "mkt", "pages", "sendibm", "sendibt", "sidekickopen",
];

/// What asking the host of `authority` does; `has_path` when something stands behind it.
pub(super) fn of(authority: &[u8], has_path: bool) -> Option<&'static str> {
    let text = token::decoded(authority);
    let host = text.rsplit_once('@').map_or(text.as_str(), |(_, host)| host);
    let host = host.split_once(':').map_or(host, |(host, _)| host).to_ascii_lowercase();
    let host = host.trim_end_matches('.');
    let is_ours = |label: &str| !label.starts_with("xn--") && token::is_in(label);
    // The last two are registered by somebody, and mean nobody else.
    if host.rsplit('.').skip(2).any(is_ours) {
        return Some("use a token");
    }
    let first = host.split('.').next().unwrap_or_default();
    let is_click = host.contains('.') && CLICK_LABELS.contains(&first);
    (has_path && (is_click || is_mailer(host))).then_some(DOES)
}

fn is_mailer(host: &str) -> bool {
    let is_in = |name: &&str| {
        host.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    let mut labels = host.rsplit('.').skip(1);
    let name = labels.next().unwrap_or_default();
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    MAILERS.iter().any(is_in) || NUMBERED.contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn mailers_and_labels_for_one_reader_are_known() {
        let does = |host: &str| of(host.as_bytes(), true);
        for host in ["x.us1.list-manage.com", "CMAIL19.com:443", "a@t.mkt61.net", "click.h.example"]
        {
            assert_eq!(does(host), Some("tell the sender"), "{host}");
            assert_eq!(of(host.as_bytes(), false), None, "{host}");
        }
        assert_eq!(of(b"9f86d081884c7d65.h.example", false), Some("use a token"));
        for host in ["h.example", "click", "notlist-manage.com", "xn--9f86d081884c7d65.h.example"] {
            assert_eq!(does(host), None, "{host}");
        }
    }
}
