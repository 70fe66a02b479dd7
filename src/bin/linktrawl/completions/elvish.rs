//! Generates the script for elvish: a table of levels, and the function that elvish calls.

use super::{Level, NAME, Named, Values};

/// A function that looks up the valid words at the cursor.
const LOOK_UP: &str = r#"
    # What is offered, behind $before.
    fn offer {|before offers|
        for it $offers {
            edit:complex-candidate $before$it[0] &display=$it[0]'  '$it[1]
        }
    }
    # The paths that $word may become, behind $before.
    fn paths {|before word|
        edit:complete-filename $word | each {|it|
            edit:complex-candidate $before$it[stem] ^
                &code-suffix=$it[code-suffix] &display=$it[display]
        }
    }
    # The last item of a list, and one that is a name and a path.
    fn offer-values {|before word values|
        if (eq $values[kind] path) {
            offer $before $values[offers]
            paths $before $word
        } elif (eq $values[kind] list) {
            var items = [(str:split ',' $word)]
            var known = $items[..-1]
            offer $before(str:join ',' [$@known '']) $values[offers]
        } elif (and (eq $values[kind] report) (str:contains $word '=')) {
            var name file = (str:split &max=2 '=' $word)
            paths $before$name'=' $file
        } else {
            offer $before $values[offers]
        }
    }

    var level = $words[0]
    for word $words[1..-1] {
        if (not (has-key $levels $level';'$word)) {
            break
        }
        set level = $level';'$word
    }
    var of = $levels[$level]
    var word = $words[-1]
    var option = $words[-2]
    var before = ''
    if (and (str:has-prefix $word '--') (str:contains $word '=')) {
        set option word = (str:split &max=2 '=' $word)
        set before = $option'='
    }
    if (has-key $of[values] $option) {
        offer-values $before $word $of[values][$option]
    } elif (str:has-prefix $word '-') {
        offer '' $of[options]
    } else {
        offer-values '' $word $of[other]
    }
}
"#;

pub(super) fn script(levels: &[Level]) -> String {
    let rows: String = levels.iter().map(row).collect();
    format!(
        "use str\n\nset edit:completion:arg-completer[{NAME}] = {{|@words|\n    \
         var levels = [\n{rows}    ]\n{LOOK_UP}"
    )
}

fn row(level: &Level) -> String {
    let value = |(names, of): &(Vec<String>, Values)| {
        let name = |name: &String| format!("            &{}= {}\n", quoted(name), values(of));
        names.iter().map(name).collect::<String>()
    };
    let of_options: String = level.values.iter().map(value).collect();
    // A map without keys is `[&]`.
    let of_options = if of_options.is_empty() { "&".to_owned() } else { of_options };
    format!(
        "      &{}= [\n        &options= {}\n        &other= [&kind={} &offers={}]\n        \
         &values= [\n{of_options}        ]\n      ]\n",
        quoted(&level.names),
        list(level.options.iter()),
        level.positional.kind.name(),
        list(level.offers()),
    )
}

fn values(values: &Values) -> String {
    format!("[&kind={} &offers={}]", values.kind.name(), list(values.offers.iter()))
}

fn list<'n>(offers: impl Iterator<Item = &'n Named>) -> String {
    let pair = |offer: &Named| format!("[{} {}]", quoted(&offer.name), quoted(&offer.about));
    format!("[{}]", offers.map(pair).collect::<Vec<_>>().join(" "))
}

fn quoted(text: &str) -> String {
    super::quoted(text, &['\''])
}
