// Holds the HTML report to what it promises, in a real Chromium that has no network.
//
//     node tests/browser/page.mjs PLAYWRIGHT LINKTRAWL CHROMIUM
//
// PLAYWRIGHT is the folder of playwright-core, which drives the browser; LINKTRAWL is the program
// whose reports are looked at.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { FLAGS } from "./flags.mjs";
import { archive } from "./runs.mjs";

const [playwright, linktrawl, chromium] = process.argv.slice(2);
const driver = createRequire(import.meta.url)(playwright).chromium;
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "linktrawl-page-"));

// The report of a run, as a file.
const report = (name, run) => {
  const saved = join(folder, `${name}.ndjson`);
  const page = join(folder, `${name}.html`);
  writeFileSync(saved, run);
  // Some of the runs were not done in full, and the program says so by its exit code.
  const { status, stderr } = spawnSync(linktrawl, ["report", saved, "--format", `html=${page}`]);
  assert.ok([0, 1, 2].includes(status), `${status}: ${stderr}`);
  return page;
};

const browser = await driver.launch({ executablePath: chromium, args: FLAGS });

// Opens a file, hands it to `look`, and holds the page to having been quiet all the while.
const visit = async (file, look, options = {}) => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const loud = [];
  const requests = [];
  page.on("console", (message) => loud.push(message.text()));
  page.on("pageerror", (error) => loud.push(error.message));
  page.on("dialog", (dialog) => { loud.push(dialog.message()); dialog.dismiss(); });
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`file://${file}`);
  await look(page, { loud, requests });
  assert.deepEqual(loud, []);
  assert.deepEqual(new Set(requests), new Set([`file://${file}`]));
  await context.close();
};

const texts = (page, selector) => page.locator(selector).allTextContents();
const uris = (page) => texts(page, "#list .uri");
const count = (page) => page.locator("#count").textContent();

const claims = [];
const claim = (name, prove) => claims.push([name, prove]);

// ---- the pages -----------------------------------------------------------------------

const hostileRun = readFileSync(join(here, "../../corpus/runs/hostile.ndjson"));
const hostile = report("hostile", hostileRun);
const small = report("small", archive(400));
const large = report("large", archive(100_000));
const empty = report("empty", archive(0));

claim("a page loads without a word, a request or a place for what is not its own", async () => {
  for (const file of [small, empty, hostile]) {
    await visit(file, async (page) => {
      await page.locator("#controls").waitFor();
      assert.equal(await page.locator("script").count(), 2);
      assert.equal(await page.locator("a[href]:not([href^='#'])").count(), 0);
      assert.equal(await page.locator("img, iframe, object, embed, link, base").count(), 0);
    });
  }
});

claim("the policy refuses what is not the page's own", async () => {
  await visit(small, async (page, { loud, requests }) => {
    const refused = await page.evaluate(() => new Promise((done) => {
      const seen = [];
      document.addEventListener("securitypolicyviolation", (event) => {
        seen.push(event.effectiveDirective);
        if (seen.length === 4) done(seen.sort());
      });
      const script = document.createElement("script");
      script.textContent = "document.title = 'owned'";
      document.body.append(script);
      const style = document.createElement("style");
      style.textContent = "body { display: none }";
      document.body.append(style);
      document.body.setAttribute("onclick", "document.title = 'owned'");
      const image = document.createElement("img");
      image.src = "http://127.0.0.1:9/x.png";
      document.body.append(image);
    }));
    const wanted = ["img-src", "script-src-attr", "script-src-elem", "style-src-elem"];
    assert.deepEqual(refused, wanted);
    assert.notEqual(await page.title(), "owned");
    // What was refused is told, and the image is listed as a request that never left.
    loud.length = 0;
    requests.length = 1;
  });
});

claim("text from strangers is text, with script and without", async () => {
  for (const javaScriptEnabled of [true, false]) {
    await visit(hostile, async (page) => {
      assert.match(await page.title(), /^4 of 7 links broken$/);
      const shown = await uris(page);
      for (const uri of [
        "http://h.example/</script><script>document.title='owned'</script>",
        "http://h.example/\"><img src=x onerror=alert(1)>",
        "http://<b>bold</b>.example/",
        "http://h.example/\\u{202e}gpj.exe\\u{2066}\\x00\\x1b[31m",
        "http://h.example/\\xff",
        "javascript:alert(3)//\\u{2028}]]>-->",
        "data:text/html,<script>alert(4)</script>",
      ]) assert.ok(shown.includes(uri), uri);
      assert.equal(shown.length, 7);
      const places = await texts(page, "#list td:nth-child(3) code");
      assert.ok(places.includes("mail/<!--<script>.mbox:1:1"), places.join("\n"));
      assert.ok(places.includes("\\xe9t\\xe9:1:1"), places.join("\n"));
      const all = await page.locator("body").innerHTML();
      assert.doesNotMatch(all.replace(/<script[^]*<\/script>/, ""), /[\u0000\u001b\u202e\u2066]/);
      assert.equal(await page.locator("main b:not(.legend b, .alert b), main u, main em").count(), 0);
      assert.match(await page.locator(".notes").textContent(), /d<b>\.tar!\\u\{202e\}: <\/li><b>kind/);
      assert.match(await page.locator("#left-out").textContent(), /<\/th><b>reason/);
    }, { javaScriptEnabled });
  }
});

claim("the search and every menu narrow the list, and a reset widens it again", async () => {
  await visit(small, async (page) => {
    const data = JSON.parse(await page.locator("#data").textContent());
    assert.equal(await count(page), "400 findings");
    await page.fill("#search", "HOST-3.EXAMPLE");
    const wanted = data.uri.filter((uri) => data.uris[uri].includes("host-3.example")).length;
    assert.ok(wanted > 0);
    assert.equal(await count(page), `${wanted} of 400 findings`);
    assert.ok((await uris(page)).every((uri) => uri.includes("host-3.example")));
    await page.fill("#search", "no such text anywhere");
    assert.equal(await count(page), "Nothing matches.");
    await page.click("#widen");
    for (const name of ["warn", "skipped", "ok"]) await page.locator(`label.${name} span`).click();
    const errors = data.verdict.filter((verdict) => data.verdicts[verdict] === "error").length;
    assert.equal(await count(page), `${errors} of 400 findings`);
    await page.click("#widen");
    assert.equal(await count(page), "400 findings");
    for (const [menu, value, has] of [
      ["labels", "missing", (row) => data.labels[data.label[row]] === "missing"],
      ["schemes", "ftp", (row) => data.schemes[data.scheme[data.uri[row]]] === "ftp"],
      ["years-filter", "1996", (row) => data.year[row] === 1996],
    ]) {
      await page.selectOption(`#${menu}`, value);
      const rows = [...data.uri.keys()].filter(has).length;
      assert.ok(rows > 0 && rows < 400, menu);
      assert.equal(await count(page), `${rows} of 400 findings`);
      await page.click("#widen");
    }
    await page.selectOption("#group", "uri");
    const links = new Set(data.uri).size;
    assert.equal(await count(page), `${links} links in 400 findings`);
  });
});

claim("a name in a table is a way to its findings", async () => {
  await visit(small, async (page) => {
    const host = page.locator("[data-filter=hosts] .pick").first();
    const name = await host.textContent();
    await host.click();
    assert.ok((await uris(page)).every((uri) => uri.includes(`//${name}/`)));
    assert.equal(await page.locator("#hosts").inputValue(), name);
  });
});

claim("a click on a head sorts, the next one turns it round", async () => {
  await visit(small, async (page) => {
    const sorted = (list) => [...list].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    await page.selectOption("#size", "500");
    await page.click("[data-sort=uri] button");
    const ascending = await uris(page);
    assert.equal(ascending.length, 400);
    assert.deepEqual(ascending, sorted(ascending));
    assert.equal(await page.locator("[data-sort=uri]").getAttribute("aria-sort"), "ascending");
    await page.click("[data-sort=uri] button");
    assert.deepEqual(await uris(page), sorted(ascending).reverse());
    await page.click("[data-sort=date] button");
    const dates = await texts(page, "#list td:nth-child(4)");
    assert.deepEqual(dates, sorted(dates));
  });
});

claim("pages follow each other, and hold all hundred thousand findings", async () => {
  await visit(large, async (page) => {
    assert.equal(await count(page), "100,000 findings");
    assert.equal((await uris(page)).length, 100);
    const first = await uris(page);
    await page.click("#next");
    assert.equal(await page.locator("#page").textContent(), "Page 2 of 1,000");
    assert.notDeepEqual(await uris(page), first);
    await page.click("#last");
    assert.equal(await page.locator("#page").textContent(), "Page 1,000 of 1,000");
    assert.ok(await page.locator("#next").isDisabled());
    await page.click("#first");
    assert.deepEqual(await uris(page), first);
    await page.fill("#search", "/page-77.html");
    assert.match(await count(page), /^[\d,]+ of 100,000 findings$/);
  });
});

claim("without script there are totals, tables, charts and the worst findings", async () => {
  await visit(large, async (page) => {
    assert.equal((await uris(page)).length, 500);
    assert.ok(await page.locator("#controls").isHidden() && await page.locator("#pager").isHidden());
    assert.match(await page.locator("#without-script").textContent(), /worst 500 of 100,000/);
    const verdicts = new Set(await texts(page, "#list .tag"));
    assert.deepEqual([...verdicts], ["error"]);
    assert.ok(await page.locator("#years svg rect").count() > 10);
    assert.ok(await page.locator("#where tbody tr").count() > 10);
    const first = page.locator(".broken summary").first();
    await first.click();
    assert.ok(await page.locator(".broken .places").first().isVisible());
  }, { javaScriptEnabled: false });
});

claim("places that are not told of a broken link are one click away", async () => {
  const finding = (uri, line) => JSON.stringify({ type: "finding", uri, raw: uri, cue: "bare",
    scheme: "http", place: { path: "a", members: [], offset: 0, len: 1, line, column: 1,
      file_offset: null }, message: null, syntax: null, reach: null, verdict: "error" });
  const lines = ["http://h/other", ...Array(203).fill("http://h/<gone>")].map(finding);
  const summary = archive(0).trimEnd().split("\n").at(-1);
  await visit(report("often", [...lines, summary].join("\n")), async (page) => {
    await page.locator(".broken summary").first().click();
    await page.locator(".broken .more button").click();
    assert.match(await count(page), /203/);
    assert.deepEqual([...new Set(await uris(page))], ["http://h/<gone>"]);
  });
});

const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

claim("colours follow the system, and the switch, with script and without", async () => {
  const seen = {};
  for (const colorScheme of ["light", "dark"]) {
    await visit(small, async (page) => { seen[colorScheme] = await background(page); }, { colorScheme });
  }
  assert.notEqual(seen.light, seen.dark);
  for (const javaScriptEnabled of [true, false]) {
    await visit(small, async (page) => {
      await page.locator("#theme-dark + span").click();
      assert.equal(await background(page), seen.dark);
      await page.locator("#theme-light + span").click();
      assert.equal(await background(page), seen.light);
      if (javaScriptEnabled) {
        await page.locator("#theme-dark + span").click();
        await page.reload();
        assert.equal(await background(page), seen.dark);
      }
    }, { javaScriptEnabled, colorScheme: "light" });
  }
});

claim("the links at the top lead to each section, in order", async () => {
  for (const file of [small, hostile]) {
    await visit(file, async (page) => {
      const ids = (selector, name) =>
        page.locator(selector).evaluateAll((all, it) => all.map((one) => one.getAttribute(it)), name);
      const sections = await ids("main > section", "id");
      assert.deepEqual(await ids("nav a", "href"), sections.map((id) => `#${id}`));
      assert.ok(file !== small || sections.includes("rot"));
    });
  }
});

claim("nothing is wider than a telephone", async () => {
  for (const file of [small, hostile]) {
    await visit(file, async (page) => {
      await page.locator("#controls").waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 360, `${width}`);
    }, { viewport: { width: 360, height: 740 } });
  }
});

claim("a chart that is wider than the screen says so", async () => {
  for (const [width, isTold] of [[375, true], [1200, false]]) {
    await visit(small, async (page) => {
      const chart = page.locator("#years .chart .scroll");
      const isWider = await chart.evaluate((it) => it.scrollWidth > it.clientWidth);
      assert.deepEqual([isWider, await page.locator("#years .hint").isVisible()], [isTold, isTold]);
    }, { viewport: { width, height: 740 } });
  }
});

try {
  for (const [name, prove] of claims) {
    await prove();
    console.log(`ok: ${name}`);
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
