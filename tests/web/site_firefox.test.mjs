// The site in Debian's Firefox, which is another engine than that of the other tests: pages, a run, a run without an end, a link, the
// element in a page of another host.
import {equal, ok} from "./pages.mjs";
import {firefox, firefoxCommand} from "./firefox.mjs";
import {serve, servePage} from "./site_server.mjs";

const kRight = "\uE014";
const kForever = ".kernel f (out o: u32[1])\n    mov.u32 %n, 0\nagain: add.u32 %n, %n, 1\n    st.global.u32 o[0], %n\n    bra again\n";
const kPages = ["index.html", "ko/index.html", "programs.html", "lessons.html", "ko/lessons/butterflies.html", "programs/p26/butterfly_parallel_max.html", "ko/programs/bugs/a_stretch_for_each_lane.html", "text/docs/README.html", "play.html"];

/** A test that has a Firefox, and the site; or is skipped. */
const withFirefox = (test) => async () => {
  const command = firefoxCommand();
  if (!command) return "firefox-esr is not here (tools/setup.sh test installs it)";
  const server = await serve({others: true});
  const browser = await firefox(command);
  try {
    await test((path, hosts = []) => browser.open(/^http/.test(path) ? path : `${server.origin}/deep/er/${path}`, [server.origin, ...hosts]), server);
  } finally {
    await browser.close();
    server.close();
  }
};
const isReady = () => Boolean(document.documentElement.dataset.ready);

export const tests = {
  "Firefox: every kind of page loads without an error, and asks no other host": withFirefox(async (open) => {
    for (const path of kPages) {
      const tab = await open(path);
      if (/play|index|lessons\//.test(path)) await tab.until(isReady);
      ok(await tab.evaluate(() => document.querySelector("main").textContent.trim().length > 100), `${path} shows nothing`);
      ok(await tab.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${path} is wider than its window`);
      equal(tab.faults, [], path);
      await tab.close();
    }
  }),

  "Firefox: an error in its console, and a request to another host, are heard": withFirefox(async (open) => {
    const other = await servePage(""), host = await servePage("<!DOCTYPE html><title>A host</title><link rel=\"icon\" href=\"data:,\"><script>console.error(\"wrong\"); setTimeout(() => { throw new Error(\"thrown\"); }, 0);</script><img src=\"" + other.origin + "/picture\">");
    const tab = await open(`${host.origin}/deep/er/page.html`, [host.origin]);
    await tab.until(() => document.readyState === "complete");
    await new Promise((done) => setTimeout(done, 200));
    host.close();
    other.close();
    equal(tab.faults.sort(), ["Error: thrown", `asked for ${other.origin}/picture`, "wrong"], "faults");
  }),

  "Firefox: a program runs and steps, and a link opens at its step": withFirefox(async (open) => {
    const tab = await open("play.html#v=1&program=p26/butterfly_parallel_max&case=worked&lanes=8");
    await tab.until(isReady);
    equal(await tab.evaluate(() => window.warpsim.view.trace.outcome.passed), true, "the outcome");
    const at = () => tab.evaluate(() => window.warpsim.view.n);
    const first = await at();
    await tab.press(kRight);
    await tab.press(kRight);
    ok(await at() > first, `two steps from ${first} are ${await at()}`);
    await tab.until((n) => location.hash.includes(`step=${n}`), await at());
    const other = await open(`play.html${await tab.evaluate(() => location.hash)}`);
    await other.until(isReady);
    equal(await other.evaluate(() => [window.warpsim.view.n, window.warpsim.view.trace.name]), [await at(), "p26/butterfly_parallel_max"], "the link");
    equal([...tab.faults, ...other.faults], [], "faults");
  }),

  "Firefox: the editor opens, an edited program runs, and one without an end is stopped": withFirefox(async (open) => {
    const tab = await open("play.html#v=1&program=p25/basic_broadcast&lanes=4");
    await tab.until(isReady);
    await tab.evaluate(() => document.getElementById("editSwitch").click());
    await tab.until(() => window.playground.editor?.ready === true);
    await tab.evaluate((text) => {
      window.playground.editor.text = text;
    }, kForever);
    await tab.evaluate(() => document.getElementById("runButton").click());
    await tab.until(() => !document.getElementById("stop").hidden && window.playground.simulator.runs_ms > 300);
    equal(await tab.evaluate(() => 6 * 7), 42, "the page is alive");
    await tab.evaluate(() => document.getElementById("stop").click());
    await tab.until(() => document.getElementById("resultsText").textContent === "Stopped.");
    await tab.evaluate((text) => {
      window.playground.editor.text = text.replace("bra again", "exit");
    }, kForever);
    await tab.evaluate(() => document.getElementById("runButton").click());
    await tab.until(() => window.warpsim.view.trace.name.endsWith("f"));
    equal(tab.faults, [], "faults");
  }),

  "Firefox: an element runs in a page of another host, by the policy of its README; without it, it names what is missing": withFirefox(async (open, {origin}) => {
    const body = (lanes) => `<!DOCTYPE html><html lang="en"><head><title>A host</title><link rel="icon" href="data:,"><script src="${origin}/deep/er/embed/warp-sim.js"></script></head><body><warp-sim src="p26/butterfly_parallel_max" lanes="${lanes}"></warp-sim></body></html>`;
    const policy = `script-src ${origin} 'wasm-unsafe-eval'; worker-src blob:; connect-src ${origin}; default-src 'none'; img-src data:`;
    const host = await servePage(body(8), policy), tab = await open(`${host.origin}/deep/er/page.html`, [host.origin]);
    await tab.until(() => document.querySelector("warp-sim").shadowRoot.querySelectorAll(".row [role=gridcell]").length > 16);
    equal(tab.faults, [], "faults");
    host.close();
    for (const [without, says] of [["worker-src blob:; ", "worker-src blob:"], [" 'wasm-unsafe-eval'", "script-src 'wasm-unsafe-eval'"], [`connect-src ${origin}; `, `connect-src ${origin}`]]) {
      const lacking = await servePage(body(4), policy.replace(without, "")), other = await open(`${lacking.origin}/deep/er/page.html`, [lacking.origin]);
      await other.until(() => document.querySelector("warp-sim").shadowRoot.querySelector("[role=alert]"));
      equal(await other.evaluate(() => document.querySelector("warp-sim").shadowRoot.querySelector("[role=alert]").textContent),
        `This page's Content-Security-Policy forbids it. Add to the policy: ${says}`, "what is missing");
      lacking.close();
    }
  }),
};
