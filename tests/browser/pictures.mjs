// Makes the pictures of the README: the HTML report of a made-up archive and its link rot by year,
// in light and dark, and the program's output on a terminal. They depend on the fonts of the
// machine; those in the tree were made with Inter and JetBrains Mono, of the Debian packages
// fonts-inter and fonts-jetbrains-mono.
//
//     node tests/browser/pictures.mjs PLAYWRIGHT LINKTRAWL CHROMIUM FOLDER
//
// from the top of the tree.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { FLAGS } from "./flags.mjs";
import { archive } from "./runs.mjs";

const [playwright, linktrawl, chromium, pictures] = process.argv.slice(2);
const driver = createRequire(import.meta.url)(playwright).chromium;
const folder = mkdtempSync(join(tmpdir(), "linktrawl-pictures-"));
const browser = await driver.launch({ executablePath: chromium, args: FLAGS });

const report = async () => {
  const saved = join(folder, "archive.ndjson");
  const file = join(folder, "archive.html");
  writeFileSync(saved, archive(20_000));
  spawnSync(linktrawl, ["report", saved, "--format", `html=${file}`]);
  for (const colorScheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1080 }, colorScheme });
    await page.goto(`file://${file}`);
    await page.locator("#controls").waitFor();
    await page.screenshot({ path: join(pictures, `report-${colorScheme}.png`) });
    // What became of the links, by year: the first table of its section.
    const { x, y, width } = await page.locator("#rot").boundingBox();
    const table = await page.locator("#rot .scroll").first().boundingBox();
    const clip = { x: x - 16, y: y - 16, width: width + 32, height: table.y + table.height - y + 20 };
    await page.screenshot({ path: join(pictures, `rot-${colorScheme}.png`), clip, fullPage: true });
    await page.close();
  }
};

// The colours that the text report uses (ECMA-48 §8.3.117), as a terminal may show them.
const COLOURS = { 0: "inherit", 2: "#8b949e", 31: "#ff8272", 32: "#7bc275", 33: "#e2b455", 35: "#c9a0e9" };

// The lines of a terminal as elements of a page.
const painted = (text) => {
  const escaped = text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
  // Links of a terminal are not shown in a picture.
  const unlinked = escaped.replace(/\x1b\]8;[^\x1b\x07]*(\x1b\\|\x07)/g, "");
  const spans = unlinked.replace(/\x1b\[([\d;]*)m/g, (_, codes) => {
    const colour = COLOURS[codes.split(";").at(-1)];
    return `</span><span style="color:${colour}">`;
  });
  return `<span>${spans}</span>`;
};

const terminal = async () => {
  const words = ["scan", "corpus/quickstart"];
  const { stdout, stderr } = spawnSync(linktrawl, [...words, "--color", "always"]);
  const text = `${stdout}${stderr}`;
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.setContent(`<!DOCTYPE html><style>
    body { margin: 0; background: #0d1117; }
    pre { margin: 0; padding: 22px 26px; width: fit-content; color: #d6dce2;
      font: 14px/1.6 "JetBrains Mono", monospace; font-variant-ligatures: none; }
    </style><pre><span style="color:#8b949e">$</span> linktrawl ${words.join(" ")}\n${painted(text)}</pre>`);
  await page.locator("pre").screenshot({ path: join(pictures, "terminal.png") });
  await page.close();
};

try {
  await report();
  await terminal();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
