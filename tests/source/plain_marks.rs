//! Tests links of reStructuredText and AsciiDoc that are in items and before pictures.

use linktrawl::internal::source::markup::Markup;

use crate::support::pages::targets;

/// A directive may be on the first line of an item, and ends with its indentation.
#[test]
fn items_of_lists_hold_explicit_markup() {
    let case = |text: &str, expected: &[&str]| targets(Markup::Rest, text, expected);
    case(
        "* - .. image:: a.png\n       :target: b.html\n  - .. image:: c.png\n",
        &["a.png", "b.html", "c.png"],
    );
    case(
        "- .. figure:: a.png\n#. .. image:: b.png\n3) .. image:: c.png\n",
        &["a.png", "b.png", "c.png"],
    );
    case(
        "- .. _t: a.html\n- __ b.html\n- .. |s| image:: c.png\n:f: .. image:: d.png\n",
        &["a.html", "b.html", "c.png", "d.png"],
    );
    case("- .. note::\n\n     See `x <a.html>`_.\n\n- `y <b.html>`_\n", &["a.html", "b.html"]);
    case("- .. note:: See `x <a.html>`_.\n- b\n", &["a.html"]);
    case("- .. code::\n\n     `x <no.html>`_\n\n  `y <b.html>`_\n", &["b.html"]);
    case("- .. `x <no.html>`_\n     `y <no.html>`_\n\n- `z <c.html>`_\n", &["c.html"]);
    case("- ::\n\n   `x <no.html>`_\n\n- a\n", &[]);
    case("a - .. image:: no.png\n", &[]);
}

#[test]
fn a_picture_leads_where_the_line_before_it_says() {
    let case = |text: &str, expected: &[&str]| targets(Markup::AsciiDoc, text, expected);
    case(
        "[link=https://h.example/x,window=_blank]\nimage::a.png[]\n",
        &["https://h.example/x", "a.png"],
    );
    case("[.left,link=\"b.html\"]\n.Title\nimage::a.png[]\n", &["b.html", "a.png"]);
    case("[quote, link:b.html[who]]\ntext\n", &["b.html"]);
    case("[link=self]\nimage::a.png[]\n", &["a.png"]);
}
