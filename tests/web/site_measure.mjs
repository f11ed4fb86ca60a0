// How fast the site is: `SITE=build/site node site_measure.mjs`, with the command's path in WARPSIM, prints load, step, run and memory,
// never a verdict. Load is from the start of the navigation until the picture is drawn, from an empty cache, from this machine: of the
// playground, of a lesson, and of a run that the site has not ready, so that the simulator comes first.
import {readFileSync} from "node:fs";
import {launch, run, until} from "./pages.mjs";
import {openSite, serve} from "./site_server.mjs";

const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const server = await serve(), browser = await launch();
const kPaths = ["play.html", "lessons/butterflies.html", "play.html#v=1&program=p26/butterfly_parallel_max&lanes=16"], steps = [];
const loads = new Map(kPaths.map((path) => [path, []]));
for (const path of Array(5).fill(kPaths).flat()) {
  const page = await openSite(browser, server, path);
  loads.get(path).push(await page.evaluate(() => Number(document.documentElement.dataset.shown)));
  steps.push(...await page.evaluate(() => Array.from({length: 30}, () => {
    const begun = performance.now();
    window.warpsim.do("forward");
    void document.body.offsetHeight;
    return performance.now() - begun;
  })));
  await page.context().close();
}
for (const [path, times] of loads) console.log(`first picture of ${path} in ${middle(times).toFixed(0)} ms (longest ${Math.max(...times).toFixed(0)})`);
console.log(`a step in ${middle(steps).toFixed(1)} ms (longest ${Math.max(...steps).toFixed(1)})`);
const page = await openSite(browser, server, "play.html");
await until(page, () => window.playground.simulator.ready && !window.playground.warming);
const names = JSON.parse(run("list", "--json", "--bugs")).result.programs.map(({name}) => name);
const times = await page.evaluate(async (all) => {
  const {simulator} = window.playground, found = [];
  for (const name of all) {
    const begun = performance.now();
    await simulator.ask({verb: "run", names: [name]});
    const ran = performance.now();
    await simulator.ask({verb: "page", names: [name]});
    found.push([name, ran - begun, performance.now() - ran]);
  }
  return found;
}, names);
for (const [what, at] of [["run", 1], ["run for the page", 2]]) {
  const sorted = [...times].sort((a, b) => b[at] - a[at]);
  console.log(`${what}: middle ${middle(times.map((one) => one[at])).toFixed(1)} ms; longest ${sorted.slice(0, 3).map((one) => `${one[0]} ${one[at].toFixed(0)} ms`).join(", ")}`);
}
// What belongs to the page's process alone, its worker with the simulator included.
const devtools = await browser.newBrowserCDPSession();
const {processInfo} = await devtools.send("SystemInfo.getProcessInfo");
const own = processInfo.filter(({type}) => type === "renderer").map(({id}) =>
  Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) / 1024);
console.log(`memory of the page, behind these runs: ${Math.max(...own).toFixed(0)} MiB`);
await browser.close();
server.close();
