// The pages that stand still, and what the site weighs.
import {existsSync, readdirSync, readFileSync, statSync} from "node:fs";
import {dirname, join, relative} from "node:path";
import {gzipSync} from "node:zlib";
import {axe, close, equal, ok, until} from "./pages.mjs";
import {kKinds, languagesOf, openKind} from "./site_kinds.mjs";
import {openSite, serve, site} from "./site_server.mjs";

const kMostBytes = 1_500_000;  // packed: the simulator and the first page

const pages = () => readdirSync(site, {recursive: true}).filter((name) => name.endsWith(".html")).sort();

const violations = async (page) => {
  await page.evaluate(axe);
  return page.evaluate(async () => (await window.axe.run({runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})).violations
    // Numbers of lines stand in lines of text, whose height is theirs: WCAG 2.5.8 excepts them.
    .flatMap((rule) => rule.nodes.filter((node) => !(rule.id === "target-size" && node.html.includes("class=\"number\""))).map((node) => `${rule.id}: ${node.html.slice(0, 120)}`)));
};

/** A test of one look, so that they run side by side. */
const axeAt = (look, languageOf) => async (browser) => {
  const server = await serve(), found = [];
  for (const kind of kKinds) {
    const page = await openKind(browser, server, kind, languageOf(kind), look);
    found.push(...[...await violations(page), ...page.faults].map((one) => `${kind.name}: ${one}`));
    await close(page);
  }
  server.close();
  equal(found, [], "violations");
};

export const tests = {
  "every link of a page leads to a file, in both languages, and nothing is asked of another host": async () => {
    const names = pages();
    ok(names.length > 500, `only ${names.length} pages`);
    equal(names.filter((name) => name.startsWith("ko/")).map((name) => name.slice(3)), names.filter((name) => !/^(ko|text)\/|^play\.html$/.test(name)), "pages in Korean");
    const missing = [];
    for (const name of names) {
      const text = readFileSync(join(site, name), "utf8");
      ok(text.includes("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"), `${name} has no policy`);
      for (const [, to] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^https:/.test(to) && name.startsWith("text/")) continue;  // a link to click: nothing is fetched
        if (/^[a-z]+:/.test(to)) missing.push(`${name}: ${to}`);
        const file = join(site, dirname(name), to.replace(/[#?].*/, ""));
        if (to.replace(/[#?].*/, "") && !existsSync(file)) missing.push(`${name}: ${to} (${relative(site, file)})`);
      }
    }
    equal(missing, [], "links");
  },

  "the documentation's pages have the places that links lead to": async () => {
    const missing = [], texts = new Map(pages().map((name) => [name, readFileSync(join(site, name), "utf8")]));
    ok([...texts.keys()].filter((name) => name.startsWith("text/")).length > 30, "pages of the documentation");
    for (const [name, text] of texts)
      for (const [, to, end] of text.matchAll(/href="([^"#:]*)#([^"=]+)"/g)) {
        const file = to ? join(dirname(name), to) : name;
        if (!texts.get(file)?.includes(`id="${end}"`)) missing.push(`${name}: ${to}#${end}`);
      }
    equal(missing, [], "places");
  },

  "the first page and the simulator are small enough to fetch": async () => {
    const packed = (name) => gzipSync(readFileSync(join(site, name)), {level: 9}).length;
    const scripts = [...readFileSync(join(site, "play.html"), "utf8").matchAll(/<script type="module" src="([^"]+)"/g)].map((one) => one[1]);
    const sum = ["warpsim.wasm", "play.html", "page.css", "watch.css", "site.css", "worker.js", "programs.json", ...scripts].reduce((all, name) => all + packed(name), 0);
    ok(sum <= kMostBytes, `${sum} bytes`);
    const licences = readFileSync(join(site, "licences.txt"), "utf8");
    for (const name of ["@codemirror/view", "@lezer/common", "style-mod", "MIT License"]) ok(licences.includes(name), `licences.txt lacks ${name}`);
    ok(statSync(join(site, "licences.txt")).size > 5000, "licences.txt");
  },

  "the front page moves, and stands still for who wants that": async (browser) => {
    const server = await serve();
    const page = await openSite(browser, server, "index.html");
    const shown = () => page.evaluate(() => document.querySelector("#hero .title").textContent);
    const first = await shown();
    await until(page, () => document.querySelectorAll("#hero .wire").length === 8);
    ok(await shown() !== first, "it does not move");
    await page.click("figure button");
    equal(await page.textContent("figure button"), "Play", "the button");
    await page.emulateMedia({reducedMotion: "reduce"});
    await page.reload();
    await until(page, () => document.documentElement.dataset.ready);
    equal([await page.textContent("figure button"), await shown()], ["Play", "Step 3: shuffle_xor(max_val, 1) - Pairs exchange"], "without motion");
    equal(page.faults, [], "faults");
    await close(page);
    server.close();
  },

  "axe finds nothing on any kind of page, on a desk, light, in English": axeAt({width: 1480, dark: false}, () => "en"),
  "axe finds nothing on any kind of page, on a phone, dark, in Korean": axeAt({width: 390, dark: true}, (kind) => languagesOf(kind).at(-1)),
};
