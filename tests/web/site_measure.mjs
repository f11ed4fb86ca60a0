// How fast the site is: `SITE=build/site node site_measure.mjs`, with the command's path in WARPSIM, prints load, step, run and memory,
// never a verdict. Load is from the start of the navigation until the picture is drawn, from an empty cache, from this machine.
import {launch, run} from "./pages.mjs";
import {openSite, serve} from "./site_server.mjs";

const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const server = await serve(), browser = await launch();
const loads = [], steps = [];
for (let k = 0; k < 5; ++k) {
  const page = await openSite(browser, server, "play.html");
  loads.push(await page.evaluate(() => Number(document.documentElement.dataset.shown)));
  steps.push(...await page.evaluate(() => Array.from({length: 30}, () => {
    const begun = performance.now();
    window.warpsim.do("forward");
    void document.body.offsetHeight;
    return performance.now() - begun;
  })));
  await page.context().close();
}
console.log(`first picture in ${middle(loads).toFixed(0)} ms (longest ${Math.max(...loads).toFixed(0)}), a step in ${middle(steps).toFixed(1)} ms (longest ${Math.max(...steps).toFixed(1)})`);
const page = await openSite(browser, server, "play.html");
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
await browser.close();
server.close();
