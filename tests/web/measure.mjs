// How fast the page is: `node measure.mjs` prints the time to load and to step, never a verdict. Load is from the start of the
// navigation until everything is drawn; a step is the work of one step and the layout that follows it.
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {folder, launch, run, view} from "./pages.mjs";

const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** A trace of `count` events: the steps of a scan, over and over. */
function large(count) {
  const trace = JSON.parse(run("trace", "scan/hillis_steele_inclusive", "--lanes", "32"));
  const body = trace.events.slice(0, -1).map(({masks, ...event}) => event);
  const events = [];
  while (events.length < count) for (const event of body) events.push({...event, cycle: events.length + 1});
  trace.events = events;
  Object.assign(trace.outcome, {cycles: events.length, instructions: events.length});
  const file = join(folder, `large-${count}.json`);
  writeFileSync(file, JSON.stringify(trace));
  return view(file);
}

const browser = await launch();
for (const [name, file] of [["butterfly, 32 lanes", view("p26/butterfly_parallel_max", "--lanes", "32")],
  ["butterfly, 64 lanes", view("p26/butterfly_parallel_max", "--lanes", "64")], ["20,000 events", large(20000)]]) {
  const loads = [], steps = [];
  for (let k = 0; k < 5; ++k) {
    const page = await browser.newPage({viewport: {width: 1480, height: 890}});
    await page.goto(pathToFileURL(file).href);
    loads.push(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))));
    steps.push(...await page.evaluate(() => {
      const times = [];
      for (let step = 0; step < 30; ++step) {
        const begun = performance.now();
        window.warpsim.do("forward");
        void document.body.offsetHeight;
        times.push(performance.now() - begun);
      }
      return times;
    }));
    await page.close();
  }
  console.log(`${name}: loads in ${middle(loads).toFixed(0)} ms, steps in ${middle(steps).toFixed(1)} ms (longest ${Math.max(...steps).toFixed(1)})`);
}
await browser.close();
