// The list of findings: searched, filtered, sorted and paged through, from the data in the page.
//
// Texts from strangers are put in as text, never as markup. The page asks nobody: its policy lets
// no request out. Rows are numbers into tables of texts, so that a hundred thousand of them are
// filtered and sorted while a key is pressed.
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const rowCount = data.uri.length;
  // The order of severity; the table of verdicts has its own.
  const severity = data.verdicts.map((name) => ["error", "warn", "skipped", "ok"].indexOf(name));
  const labelSets = data.labels.map((names) => names.split(" ").filter(Boolean));
  const numberFormat = new Intl.NumberFormat("en");
  const grouped = (number) => numberFormat.format(number);

  // ---- what is wanted ------------------------------------------------------------------

  const wanted = { page: 0, sort: "verdict", isDescending: false };
  const controls = byId("controls");
  const chosen = (id) => byId(id).value;

  // For each text of a table, whether it holds what is searched for.
  const holding = (texts, part) => texts.map((text) => text.toLowerCase().includes(part));

  // A function that says whether a row is wanted.
  const filter = () => {
    const part = chosen("search").trim().toLowerCase();
    const inUri = holding(data.uris, part);
    const inPlace = holding(data.places, part);
    const inDetail = holding(data.details, part);
    const inLabel = holding(data.labels, part);
    const inMessage = holding(data.messages, part);
    const checks = data.verdicts.map((name) => byId(`verdict-${name}`).checked);
    const label = chosen("labels");
    const hasLabel = labelSets.map((names) => label === "" || names.includes(label));
    const host = data.hosts.indexOf(chosen("hosts"));
    const scheme = data.schemes.indexOf(chosen("schemes"));
    const year = chosen("years-filter");
    return (row) => {
      const uri = data.uri[row];
      return checks[data.verdict[row]]
        && hasLabel[data.label[row]]
        && (host < 0 || data.host[uri] === host)
        && (scheme < 0 || data.scheme[uri] === scheme)
        && (year === "" || data.year[row] === Number(year))
        && (inUri[uri] || inPlace[data.place[row]] || inDetail[data.detail[row]]
          || inLabel[data.label[row]] || inMessage[data.message[row]]);
    };
  };

  // For each text of a table, its place in alphabetical order; worked out when first needed.
  const ranksOf = (texts) => {
    let ranks = null;
    return (number) => {
      if (ranks === null) {
        ranks = new Uint32Array(texts.length);
        const order = [...texts.keys()];
        // By code units, so that every browser has the same order.
        order.sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0));
        order.forEach((text, rank) => { ranks[text] = rank; });
      }
      return ranks[number];
    };
  };
  const uriRank = ranksOf(data.uris);
  const hostRank = ranksOf(data.hosts);
  const placeRank = ranksOf(data.places);
  const messageRank = ranksOf(data.messages);

  // How often each link is in the rows that are wanted.
  let times = new Map();

  const sorts = {
    verdict: ["worst first", (row) => severity[data.verdict[row]]],
    found: ["as found", (row) => row],
    uri: ["link", (row) => uriRank(data.uri[row])],
    host: ["host", (row) => hostRank(data.host[data.uri[row]])],
    place: ["place", (row) => placeRank(data.place[row]) * 2 ** 30 + data.line[row]],
    date: ["date", (row) => messageRank(data.message[row])],
    times: ["most frequent", (row) => -times.get(data.uri[row])],
  };

  // The rows that are wanted, in order.
  const select = () => {
    const isWanted = filter();
    let rows = [];
    times = new Map();
    for (let row = 0; row < rowCount; row += 1) {
      if (isWanted(row)) {
        rows.push(row);
        times.set(data.uri[row], (times.get(data.uri[row]) ?? 0) + 1);
      }
    }
    const key = sorts[wanted.sort][1];
    const keys = new Map(rows.map((row) => [row, key(row)]));
    const sign = wanted.isDescending ? -1 : 1;
    rows.sort((a, b) => sign * (keys.get(a) - keys.get(b)) || a - b);
    const findings = rows.length;
    if (chosen("group") === "uri") {
      const seen = new Set();
      rows = rows.filter((row) => !seen.has(data.uri[row]) && seen.add(data.uri[row]));
    }
    return { rows, findings };
  };

  // ---- what is shown -------------------------------------------------------------------

  const element = (name, className, ...content) => {
    const made = document.createElement(name);
    if (className !== "") made.className = className;
    made.append(...content);
    return made;
  };

  // The same as the rows that stand in the page.
  const rowElement = (row) => {
    const verdict = data.verdicts[data.verdict[row]];
    const why = element("p", "why");
    for (const name of labelSets[data.label[row]]) why.append(element("span", "label", name), " ");
    why.append(data.details[data.detail[row]]);
    const [date, ...identifier] = data.messages[data.message[row]].split(" ");
    const place = `${data.places[data.place[row]]}:${data.line[row]}:${data.column[row]}`;
    const where = element("td", "", element("code", "", place));
    const count = times.get(data.uri[row]);
    if (chosen("group") === "uri" && count > 1) {
      where.append(element("small", "times", `and ${grouped(count - 1)} more`));
    } else if (identifier.join(" ") !== "") {
      where.append(element("small", "", identifier.join(" ")));
    }
    return element("tr", "",
      element("td", "", element("span", `tag ${verdict}`, verdict)),
      element("td", "", element("code", "uri", data.uris[data.uri[row]]), why),
      where,
      element("td", "", date.split("T")[0]));
  };

  let selected = { rows: [], findings: 0 };

  const showPage = () => {
    const size = Number(chosen("size"));
    const pages = Math.max(1, Math.ceil(selected.rows.length / size));
    wanted.page = Math.min(Math.max(wanted.page, 0), pages - 1);
    const begin = wanted.page * size;
    const shown = selected.rows.slice(begin, begin + size);
    byId("list").tBodies[0].replaceChildren(...shown.map(rowElement));
    byId("page").textContent = `Page ${grouped(wanted.page + 1)} of ${grouped(pages)}`;
    byId("first").disabled = byId("previous").disabled = wanted.page === 0;
    byId("next").disabled = byId("last").disabled = wanted.page === pages - 1;
  };

  const countText = () => {
    const { rows, findings } = selected;
    if (findings === 0) return rowCount === 0 ? "There are none." : "Nothing matches.";
    const all = findings === rowCount ? "" : ` of ${grouped(rowCount)}`;
    const links = chosen("group") === "uri" ? `${grouped(rows.length)} links in ` : "";
    return `${links}${grouped(findings)}${all} findings`;
  };

  const show = () => {
    selected = select();
    wanted.page = 0;
    byId("count").textContent = countText();
    for (const head of byId("list").tHead.rows[0].cells) {
      if (head.dataset.sort !== wanted.sort) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", wanted.isDescending ? "descending" : "ascending");
    }
    byId("sort").value = wanted.sort;
    showPage();
  };

  // ---- controls ------------------------------------------------------------------------

  const option = (value, text) => {
    const made = element("option", "", text);
    made.value = value;
    return made;
  };

  // Choices of one select by how often each stands in the rows; the most frequent first.
  const fillSelect = (id, valuesOf, sorted) => {
    const counts = new Map();
    for (let row = 0; row < rowCount; row += 1) {
      for (const value of valuesOf(row)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const entries = [...counts].sort(sorted);
    // A menu of more is no help; the search and the tables above find the others.
    const choices = entries.slice(0, 300)
      .map(([value, count]) => option(String(value), `${value || "no year"} (${grouped(count)})`));
    byId(id).replaceChildren(option("", "all"), ...choices);
  };

  const fillControls = () => {
    const byCount = ([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1);
    fillSelect("labels", (row) => labelSets[data.label[row]], byCount);
    fillSelect("hosts", (row) => [data.hosts[data.host[data.uri[row]]]], byCount);
    fillSelect("schemes", (row) => [data.schemes[data.scheme[data.uri[row]]]], byCount);
    fillSelect("years-filter", (row) => [data.year[row]], ([a], [b]) => b - a);
    byId("sort").replaceChildren(...Object.entries(sorts).map(([key, [text]]) => option(key, text)));
    const counts = data.verdicts.map(() => 0);
    for (const verdict of data.verdict) counts[verdict] += 1;
    const order = [...data.verdicts.keys()].sort((a, b) => severity[a] - severity[b]);
    const boxes = data.verdicts.map((name, verdict) => {
      const input = element("input", "");
      input.type = "checkbox";
      input.defaultChecked = true;
      input.id = `verdict-${name}`;
      return element("label", name, input, element("span", "", `${name} ${grouped(counts[verdict])}`));
    });
    byId("verdicts").append(...order.map((verdict) => boxes[verdict]));
  };

  const reset = () => {
    controls.reset();
    wanted.sort = "verdict";
    wanted.isDescending = false;
  };

  // Chooses `value` in a menu, which may not have it, and shows the list.
  const pick = (id, value) => {
    reset();
    const menu = byId(id);
    if (![...menu.options].some((choice) => choice.value === value)) menu.append(option(value, value));
    menu.value = value;
    show();
    byId("findings").scrollIntoView();
  };

  // Shows every finding of a link.
  const seek = (uri) => {
    reset();
    byId("search").value = uri;
    show();
    byId("findings").scrollIntoView();
  };

  // Turns the text of `place` into a button.
  const makeButton = (place, className, act) => {
    const button = element("button", className, ...place.childNodes);
    button.type = "button";
    button.addEventListener("click", act);
    place.replaceChildren(button);
  };

  const connect = () => {
    for (const head of byId("list").tHead.rows[0].cells) {
      makeButton(head, "", () => {
        const key = head.dataset.sort;
        wanted.isDescending = wanted.sort === key && !wanted.isDescending;
        wanted.sort = key;
        show();
      });
    }
    for (const table of document.querySelectorAll("[data-filter]")) {
      for (const name of table.querySelectorAll(".name")) {
        const value = name.textContent;
        makeButton(name, "pick", () => pick(table.dataset.filter, value));
      }
    }
    for (const more of document.querySelectorAll(".broken .more")) {
      const uri = more.closest(".broken > li").querySelector(".uri").textContent;
      makeButton(more, "pick", () => seek(uri));
    }
    controls.addEventListener("submit", (event) => event.preventDefault());
    byId("widen").addEventListener("click", () => {
      reset();
      show();
    });
    controls.addEventListener("input", (event) => {
      if (event.target.id === "sort") {
        wanted.sort = chosen("sort");
        wanted.isDescending = false;
      }
      show();
    });
    byId("size").addEventListener("input", () => { wanted.page = 0; showPage(); });
    const turns = {
      first: () => 0,
      previous: (page) => page - 1,
      next: (page) => page + 1,
      last: () => Infinity,
    };
    for (const [id, turn] of Object.entries(turns)) {
      byId(id).addEventListener("click", () => {
        wanted.page = turn(wanted.page);
        showPage();
        byId("count").scrollIntoView({ block: "nearest" });
      });
    }
    byId("list").tBodies[0].addEventListener("click", (event) => {
      // A click that ends a selection of text is none.
      if (getSelection().isCollapsed) event.target.closest("tr")?.classList.toggle("open");
    });
  };

  // The choice of colours lasts where the browser lets a file keep anything.
  const rememberColours = () => {
    const choices = document.getElementsByName("theme");
    try {
      const kept = byId(localStorage.getItem("linktrawl-colours") ?? "theme-auto");
      if (kept !== null) kept.checked = true;
    } catch {
      return;
    }
    for (const choice of choices) {
      choice.addEventListener("change", () => {
        try {
          localStorage.setItem("linktrawl-colours", choice.id);
        } catch {
          // Nothing can be kept here: the choice lasts as long as the page.
        }
      });
    }
  };

  document.documentElement.classList.add("script");
  rememberColours();
  fillControls();
  connect();
  for (const id of ["controls", "count", "pager"]) byId(id).hidden = false;
  byId("without-script").hidden = true;
  show();
})();
