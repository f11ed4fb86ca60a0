// What the tests share: the command, the browser, a page that is open, and the trace that is embedded in it.
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {chromium} from "playwright-core";

export const warpsim = process.env.WARPSIM ?? "build/release/warpsim";
export const folder = mkdtempSync(join(tmpdir(), "warpsim-web-"));
process.on("exit", () => rmSync(folder, {recursive: true, force: true}));

const kArguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const launch = () => chromium.launch({executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: kArguments});

export const run = (...words) => execFileSync(warpsim, words, {encoding: "utf8", maxBuffer: 1 << 28});

/** Writes a page and returns its file; a run that fails has one too. */
export function view(name, ...words) {
  const file = join(folder, `${[name, ...words].join("_").replace(/[^\w]+/g, "-").slice(-120)}.html`);
  try {
    run("view", name, ...words, "-o", file);
  } catch (error) {
    if (![1, 4].includes(error.status)) throw error;
  }
  return file;
}

/** The k-th JSON that a page holds. */
export function embedded(file, id) {
  const found = new RegExp(`<script type="application/json" id="${id}">(.*?)</script>`, "s").exec(readFileSync(file, "utf8"));
  return found && JSON.parse(found[1]);
}

/** Opens a page; whatever goes wrong in it, or leaves the disk, ends in `page.faults`. `asOpened`: see show(). */
export async function open(browser, file, {width = 1480, height = 890, dark = false, asOpened = false} = {}) {
  const context = await browser.newContext({viewport: {width, height}, colorScheme: dark ? "dark" : "light", acceptDownloads: true});
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || page.faults.push(`asked for ${request.url()}`));
  return show(page, file, {asOpened});
}

/** Another file in the same tab, at the first instruction of all: most tests count from there. `asOpened`: as people find it,
 * after a folded set-up. */
export async function show(page, file, {asOpened = false} = {}) {
  await page.goto(pathToFileURL(file).href);
  await until(page, () => document.documentElement.dataset.ready);
  if (!asOpened) await page.evaluate(() => ["setUp", "first"].forEach((one) => window.warpsim.view.n > 0 && window.warpsim.do(one)));
  return page;
}

const kMostWait_ms = 30_000;  // on a machine that is busy with other tests

/** Waits until a function in the page says yes; the page's policy forbids Playwright's own way, which evaluates text. */
export async function until(page, condition, given = undefined) {
  for (const begun = Date.now(); Date.now() - begun < kMostWait_ms; await new Promise((resolve) => setTimeout(resolve, 20)))
    if (await page.evaluate(condition, given)) return;
  throw new Error(`never came: ${condition}`);
}

export const close = (page) => page.context().close();

/** What finds barriers to people who cannot see, point or hear: evaluated in a page, it is window.axe. */
export const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** All that it finds in a page as it is now. */
export async function violations(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => (await window.axe.run()).violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target} ${node.any[0]?.message ?? node.failureSummary}`)));
}

/** The lanes of a mask, by counting bits: the page has its own way. */
export function lanes(mask) {
  if (!known.has(mask)) {
    const bits = BigInt(mask);
    known.set(mask, Array.from({length: 64}, (_, lane) => lane).filter((lane) => (bits >> BigInt(lane)) & 1n));
  }
  return known.get(mask);
}
const known = new Map();

/** Every register of every lane of every warp after each event, by applying `writes` in order. */
export function* states(trace) {
  const registers = new Map();
  const key = (event, name, lane) => `${event.block}/${event.warp}/${name}/${lane}`;
  yield registers;
  for (const event of trace.events) {
    for (const write of event.writes ?? []) lanes(write.lanes).forEach((lane, k) => registers.set(key(event, write.reg, lane), write.values[k]));
    yield registers;
  }
}

export function equal(actual, expected, what) {
  const a = JSON.stringify(actual), b = JSON.stringify(expected);
  if (a !== b) throw new Error(`${what}: ${a.slice(0, 300)} is not ${b.slice(0, 300)}`);
}
export function ok(condition, what) {
  if (!condition) throw new Error(what);
}
