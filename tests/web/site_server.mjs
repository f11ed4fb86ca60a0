// What the tests of the site share: a server of its files, and a page of it that is open.
import {existsSync, readFileSync, statSync} from "node:fs";
import {createServer} from "node:http";
import {extname, join, normalize} from "node:path";
import {close, equal, until} from "./pages.mjs";

export const site = process.env.SITE ?? "build/site";
const kTypes = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm",
  ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8"};

const kLate = 1000;  // ms

/** The site below a folder of a server, as it may lie on one: `without` a file, or with one that comes `late`; `others`: pages of
 * other hosts may read it. */
export function serve({without = "", late = "", others = false} = {}) {
  const asked = [];
  const server = createServer(async (request, answer) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://host").pathname)).replace(/^\/deep\/er/, "");
    const file = join(site, path.endsWith("/") ? `${path}index.html` : path);
    asked.push(path);
    if (late && path.endsWith(late)) await new Promise((done) => setTimeout(done, kLate));
    if (path.includes("..") || (without && path.endsWith(without)) || !existsSync(file) || !statSync(file).isFile()) return answer.writeHead(404).end();
    answer.writeHead(200, {"content-type": kTypes[extname(file)] ?? "application/octet-stream", ...(others ? {"access-control-allow-origin": "*"} : {})});
    answer.end(readFileSync(file));
  });
  return listening(server, {asked});
}

/** A page that is not the site's, on a host of its own: its text, with a policy. */
export const servePage = (text, policy = "") => listening(createServer((request, answer) => {
  const page = request.url === "/deep/er/page.html";
  answer.writeHead(page ? 200 : 404, {"content-type": "text/html; charset=utf-8", ...(policy ? {"content-security-policy": policy} : {})});
  answer.end(page ? text : "");
}));

const listening = (server, more = {}) => new Promise((done) => server.listen(0, "127.0.0.1", () =>
  done({...more, origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close()})));

/** Opens a page of the site; whatever goes wrong in it, is forbidden by its policy, or asked for elsewhere ends in `page.faults`. */
export async function openSite(browser, {origin}, path, {width = 1480, height = 890, language = "en-US", dark = false, waits = true, hosts = []} = {}) {
  const context = await browser.newContext({viewport: {width, height}, locale: language, colorScheme: dark ? "dark" : "light"});
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  context.on("request", (request) => new RegExp(`^(${[origin, ...hosts].join("/|")}/|blob:|data:)`).test(request.url()) || page.faults.push(`asked for ${request.url()}`));
  await page.goto(`${origin}/deep/er/${path}`);
  if (waits) await ready(page);
  return page;
}

export const ready = (page) => until(page, () => document.documentElement.dataset.ready);

/** A test with a server and a function that opens pages; no page may have had a fault. */
export const withSite = (test) => async (browser) => {
  const server = await serve(), pages = [];
  try {
    await test(async (path, options) => {
      const page = await openSite(browser, server, path, options);
      pages.push(page);
      return page;
    });
    for (const page of pages) equal(page.faults, [], page.url());
  } finally {
    for (const page of pages) await close(page);
    server.close();
  }
};
