// The element <warp-sim> in pages of another host than the one it comes from.
import {execFileSync} from "node:child_process";
import {cpSync, mkdirSync, statSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join, resolve} from "node:path";
import {close, equal, folder, ok, run, until, violations} from "./pages.mjs";
import {openSite, ready, serve, servePage, site} from "./site_server.mjs";

/** The policy of web/embed/README.md, with nothing besides but the page's own icon. */
const policyFor = (origin, without = "") => [`script-src ${origin} ${without === "wasm" ? "" : "'wasm-unsafe-eval'"}`.trim(), ...(without === "worker" ? [] : ["worker-src blob:"]),
  ...(without === "connect" ? [] : [`connect-src ${origin}`]), "default-src 'none'", "img-src data:"].join("; ");

const pageOf = (origin, body, head = "") => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A host</title><link rel="icon" href="data:,">${head}<script src="${origin}/deep/er/embed/warp-sim.js"></script></head><body><main><h1>A host</h1>${body}</main></body></html>`;

/** A test of a page with `body` on one host, the element on another. `policy`: of the page, from the element's host. */
const embedded = (body, test, {policy = policyFor, head = "", ...options} = {}) => async (browser) => {
  const server = await serve({others: true}), host = await servePage(pageOf(server.origin, body, head), policy(server.origin));
  const page = await openSite(browser, host, "page.html", {waits: false, hosts: [server.origin], ...options});
  try {
    await test(page, server);
  } finally {
    await close(page);
    server.close();
    host.close();
  }
};

// Shadow roots are open, so that tests can look in.
const inside = (page, what, k = 0) => page.evaluate(([selector, at]) => [...document.querySelectorAll("warp-sim")[at].shadowRoot.querySelectorAll(selector)].map((one) => one.textContent), [what, k]);
const drawn = (page) => until(page, () => [...document.querySelectorAll("warp-sim")].every((one) => one.shadowRoot.querySelector(".row.future, .row.current")));
const failed = (page) => until(page, () => [...document.querySelectorAll("warp-sim")].every((one) => one.shadowRoot.querySelector("[role=alert]")));
const said = async (page, k = 0) => (await inside(page, "#sentence, [role=alert]", k)).join(" ");

/** An error is what the browser's console says, too: only those that a page does not expect are faults. */
const unexpected = (page, expected) => page.faults.filter((one) => !expected.test(one));

const kButterfly = "<warp-sim src=\"p26/butterfly_parallel_max\" lanes=\"8\" case=\"worked\"></warp-sim>";

export const tests = {
  "an element on another host runs with the policy of its README, and steps": embedded(kButterfly, async (page, {asked}) => {
    await drawn(page);
    const values = async () => (await inside(page, ".row.current [role=gridcell]"));
    equal(await inside(page, "output"), [`0 of ${(await inside(page, "output"))[0].split(" ").pop()}`], "the position");
    for (let k = 0; k < 40; ++k) await page.locator("warp-sim .bar button").nth(3).click();
    equal(await inside(page, "output"), [(await inside(page, "output"))[0].replace(/^\d+ of (\d+)$/, "$1 of $1")], "the end");
    await page.locator("warp-sim .bar button").nth(1).focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await until(page, () => document.querySelector("warp-sim").shadowRoot.querySelector(".row.current"));
    ok((await values()).length >= 8, "cells of the current row");
    // The worked example of the puzzles: the largest of the eight is 1000, and every lane has it.
    const trace = JSON.parse(run("trace", "p26/butterfly_parallel_max", "--case", "worked", "--lanes", "8"));
    const last = trace.events.findLast((event) => event.writes?.[0]?.values.every((value) => value === 1000));
    ok(last, "the trace has it");
    await page.keyboard.press("Home");
    for (let k = 0; k < 40 && (await values()).join() !== Array(8).fill("1000").join(); ++k) await page.keyboard.press("ArrowRight");
    equal(await values(), Array(8).fill("1000"), "after the last exchange");
    equal(page.faults, [], "faults");
    equal([...new Set(asked)].sort(), ["/embed/diagram.js", "/embed/warp-sim.js", "/embed/warpsim.wasm"], "what is asked of the host");
  }),

  "each directive that the page's policy lacks is named": async (browser) => {
    for (const [without, says] of [["wasm", "script-src 'wasm-unsafe-eval'"], ["worker", "worker-src blob:"], ["connect", "connect-src ORIGIN"]])
      await embedded(`<warp-sim src="p26/butterfly_parallel_max"><pre>a still diagram</pre></warp-sim>`, async (page, {origin}) => {
        await failed(page);
        equal(await said(page), `This page's Content-Security-Policy forbids it. Add to the policy: ${says.replace("ORIGIN", origin)}`, without);
        ok(await page.locator("warp-sim pre").first().isVisible(), "what is inside is shown");
      }, {policy: (origin) => policyFor(origin, without)})(browser);
    await embedded(kButterfly, async (page, {origin}) => {
      await failed(page);
      ok((await said(page)).includes(`Add to the policy: script-src ${origin}`), await said(page));
    }, {policy: (origin) => policyFor(origin).replace(`script-src ${origin}`, `script-src ${origin}/deep/er/embed/warp-sim.js`)})(browser);
  },

  "several elements share one worker, and what is far away is not loaded": async (browser) => {
    await embedded(`<div style="height: 6000px">text</div>${kButterfly.repeat(3)}`, async (page, {asked}) => {
      const workers = [];
      page.on("worker", (worker) => workers.push(worker.url()));
      await until(page, () => Boolean(customElements.get("warp-sim")));
      await new Promise((done) => setTimeout(done, 400));
      equal([...new Set(asked)], ["/embed/warp-sim.js"], "before it is near");
      ok(statSync(join(site, "embed/warp-sim.js")).size < 6000, "the script is small");
      await page.evaluate(() => window.scrollTo(0, 6000));
      await drawn(page);
      equal([workers.length, asked.filter((path) => path.endsWith(".wasm")).length], [1, 1], "workers and simulators");
      equal(page.faults, [], "faults");
    }, {policy: () => ""})(browser);
  },

  "a program inside, mistakes, and a program without an end are shown in the element": embedded(`
    <warp-sim lanes="4"><script type="text/warp">
.kernel twice (in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ)
        ld.global.u32   %x, input[%gtid]
        add.u32         %x, %x, %x
        st.global.u32   output[%gtid], %x
        exit
.case test
    input = i + 5
    </script></warp-sim>
    <warp-sim>.kernel wrong ()
        ad.u32 %x, 1, 2
        exit</warp-sim>
    <warp-sim src="p26/butterfly"></warp-sim><warp-sim src="here/mine.warp"></warp-sim><warp-sim src="p26/butterfly_parallel_max" lanes="9"></warp-sim><warp-sim></warp-sim>
    <warp-sim>.kernel f (out o: u32[1])
        mov.u32 %n, 0
again:  add.u32 %n, %n, 1
        st.global.u32 o[0], %n
        bra again</warp-sim>`, async (page) => {
    await untilShown(page, 0);
    await page.locator("warp-sim").first().locator(".bar button").nth(4).click();
    const rows = await inside(page, ".row[data-row='1'] [role=gridcell]");
    equal(rows, ["10", "12", "14", "16"], "twice i + 5");
    const link = await page.evaluate(() => document.querySelector("warp-sim").shadowRoot.querySelector("a").href);
    ok(/^http:.*\/deep\/er\/play\.html#v=1&text=[\w-]+&lanes=4&step=\d+&lang=en$/.test(link), link);
    for (const [k, shape] of [[1, /mine\.warp:2:9: error.*ad\.u32.*did you mean add\.u32/s], [2, /p26\/butterfly\b/], [3, /here\/mine\.warp could not be read: HTTP 404/], [4, /lanes="9": expected 1, 2/], [5, /give it a program/]]) {
      const at = k;
      await untilShown(page, at);
      ok(shape.test(await said(page, k)), `${k}: ${await said(page, k)}`);
    }
    await untilShown(page, 6);
    ok(/ran for 10 seconds and was stopped/.test(await said(page, 6)), await said(page, 6));
    equal(unexpected(page, /404/), [], "faults");
  }, {policy: () => ""}),

  "the link opens the playground at the same step": embedded(`<warp-sim src="p26/butterfly_parallel_max" lanes="8" step="9"></warp-sim>`, async (page) => {
    await drawn(page);
    const [link, here] = [await page.evaluate(() => document.querySelector("warp-sim").shadowRoot.querySelector("a").href), await inside(page, "#sentence")];
    await page.goto(link);
    await ready(page);
    equal([await page.textContent("#sentence"), await page.evaluate(() => window.warpsim.view.n)], [here[0], 9], "the step");
  }),

  "languages, themes and widths are the page's, and styles stay apart": embedded(`<style>p, button, div { color: rgb(255, 0, 0) !important; border: 9px solid red !important; }</style>
    <div lang="ko">${kButterfly}</div><div style="color-scheme: dark; width: 390px"><warp-sim src="coord/leader_election" lanes="32"></warp-sim></div>`, async (page) => {
    await drawn(page);
    const look = (k) => page.evaluate((at) => {
      const host = document.querySelectorAll("warp-sim")[at], frame = host.shadowRoot.querySelector(".frame");
      return [frame.dataset.theme, getComputedStyle(frame.querySelector("button")).borderTopWidth, frame.querySelector(".pane").classList.contains("transposed"), frame.querySelector("a").textContent, host.scrollWidth <= host.clientWidth];
    }, k);
    equal([await look(0), await look(1)], [["light", "1px", false, "실험실에서 열기", true], ["dark", "1px", true, "Open in the playground", true]], "looks");
  }, {policy: () => ""}),

  "axe finds nothing in an element, in both themes": async (browser) => {
    for (const dark of [false, true])
      await embedded(`${kButterfly}<warp-sim lang="ko" src="bugs/a_stretch_for_each_lane" lanes="4"></warp-sim>`, async (page) => {
        await drawn(page);
        equal(await violations(page), [], "violations");
      }, {policy: () => "", dark, head: "<style>:root { color-scheme: light dark; }</style>"})(browser);
  },

  "the package is whole: its files, its version, its types": () => {
    const at = join(folder, "consumer"), there = join(at, "node_modules/warp-sim");
    mkdirSync(join(at, "node_modules"), {recursive: true});
    const listed = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--offline"], {cwd: resolve(site, "embed"), encoding: "utf8", stdio: ["ignore", "pipe", "ignore"]}));
    equal(listed[0].files.map(({path}) => path).sort(), ["LICENSE", "README.md", "diagram.js", "index.js", "package.json", "warp-sim.d.ts", "warp-sim.js", "warpsim.wasm"], "files");
    equal([listed[0].name, listed[0].version], ["warp-sim", run("--version").trim().split(/\s+/).pop()], "the name and the version");
    cpSync(resolve(site, "embed"), there, {recursive: true});
    writeFileSync(join(at, "good.ts"), `import {WarpSim, type WarpSimAttributes} from "warp-sim";
const made: WarpSim = document.createElement("warp-sim");
const says: WarpSimAttributes = {src: "p26/butterfly_parallel_max", lanes: 8, lang: "ko"};
document.body.append(made, JSON.stringify(says));\n`);
    writeFileSync(join(at, "bad.ts"), `import type {WarpSimAttributes} from "warp-sim";\nexport const says: WarpSimAttributes = {lanes: 9};\n`);
    const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
    const check = (file) => execFileSync("node", [compiler, "--strict", "--noEmit", "--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler", file], {cwd: at, encoding: "utf8"});
    check("good.ts");
    let refused = "";
    try {
      check("bad.ts");
    } catch (error) {
      refused = error.stdout;
    }
    ok(/bad\.ts.*'9' is not assignable/.test(refused), `lanes: 9 ${refused}`);
    // On a server, where there are no elements, the module can be imported.
    execFileSync("node", ["--input-type=module", "-e", "import {WarpSim} from 'warp-sim'; if (typeof WarpSim !== 'function') process.exit(1);"], {cwd: at});
  },
};

/** All wait for the one that does not end, if that was asked for first. */
async function untilShown(page, at) {
  for (const begun = Date.now(); Date.now() - begun < 40_000; await new Promise((done) => setTimeout(done, 50)))
    if (await page.evaluate((k) => document.querySelectorAll("warp-sim")[k].shadowRoot?.querySelector("[role=alert], .row"), at)) return;
  throw new Error(`element ${at} shows nothing`);
}
