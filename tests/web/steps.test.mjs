// Every program opens and shows the machine as its trace has it, forwards and backwards.
import {close, embedded, equal, lanes, ok, open, run, show, states, view} from "./pages.mjs";

const names = run("list", "--names").trim().split("\n").filter(name => !name.startsWith("bugs/"));
const puzzles = names.filter((name) => /^p2[56]\//.test(name));

const shown = (value) => value === undefined ? "–" : value === null ? "⟂" : value === "Infinity" ? "∞" : value === "-Infinity" ? "-∞" : Object.is(value, -0) ? "-0"
  : Array.isArray(value) ? value.map(shown).join("|") : typeof value === "object" ? "NaN" : String(value);

/** Registers of the first warp as the page should show them, after each of `moments`. */
function tables(trace, moments) {
  const {block, warp} = [...trace.events].sort((a, b) => a.block - b.block || a.warp - b.warp)[0];
  const wanted = new Set(moments);
  const out = {};
  let n = 0;
  for (const registers of states(trace)) {
    if (wanted.has(n)) out[n] = Array.from({length: trace.machine.lanes}, (_, lane) => trace.program.registers.map((register) =>
      shown(registers.get(`${block}/${warp}/${register.name}/${lane}`))));
    ++n;
  }
  return out;
}

/** In the page: does each of `actions` and compares with the tables; says what differs. */
function walk({actions, expected}) {
  const {warpsim} = window;
  const said = () => ({
    registers: [...document.querySelectorAll("#registers tbody tr")].map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)),
    rest: ["memory", "sentence", "why", "mask", "shared", "position"].map((id) => document.getElementById(id).textContent),
    rows: [...document.querySelectorAll(".row.current")].map((row) => row.dataset.event),
    line: document.querySelector("#code .current")?.dataset.line ?? "",
  });
  const known = {};
  if (!warpsim.allRegisters) warpsim.do("registers");
  known[0] = JSON.stringify(said());
  for (const action of actions) {
    warpsim.do(action);
    const {n} = warpsim.view, now = said();
    if (JSON.stringify(now.registers) !== JSON.stringify(expected[n])) return `after ${n} events: ${JSON.stringify(now.registers)} is not ${JSON.stringify(expected[n])}`;
    if ((known[n] ??= JSON.stringify(now)) !== JSON.stringify(now)) return `after ${n} events, back again: ${JSON.stringify(now)} is not ${known[n]}`;
    if (n > 0 && now.rows.length !== 1) return `after ${n} events: ${now.rows.length} current rows`;
  }
  return "";
}

const kSmall = {width: 900, height: 400};

async function check(page, name, stepwise) {
  const file = view(name);
  const trace = embedded(file, "trace-0");
  await show(page, file);
  const rows = await page.evaluate(() => window.warpsim.view.rows.map((row) => row.event + 1));
  const actions = stepwise ? [...rows.map(() => "forward"), ...rows.map(() => "back")] : ["last", "first", "forward", "last"];
  const moments = stepwise ? rows : rows.slice(0, 1);
  equal(await page.evaluate(walk, {actions, expected: tables(trace, [0, ...moments, trace.events.length])}), "", name);
  if (stepwise) equal(await page.evaluate(() => window.warpsim.view.n), 0, `${name}: back at the start`);
  await page.evaluate(() => window.warpsim.do("last"));
  for (const [k, buffer] of trace.program.params.filter((param) => param.length !== undefined).entries()) {
    const values = trace.outcome.outputs[buffer.name];
    if (!values || buffer.length > 128) continue;
    const texts = values.map(shown).map((text) => (text.length > 8 ? `${text.slice(0, 7)}…` : text));
    equal(await page.evaluate((at) => [...document.querySelectorAll("#memory .cells")[at].querySelectorAll("span")]
      .map((cell) => cell.textContent), k), texts, `${name}: ${buffer.name} at the end`);
  }
  equal(page.faults, [], name);
}

/** One test as two, which run side by side. */
const inTwo = (what, list, stepwise) => Object.fromEntries([0, 1].map((half) => [`${what}, half ${half + 1}`, async (browser) => {
  const page = await open(browser, view(list[0]), kSmall);
  for (const name of list.filter((_, k) => k % 2 === half)) await check(page, name, stepwise);
  await close(page);
}]));

export const tests = {
  "there are ten puzzles": async () => equal(puzzles.length, 10, "puzzles"),
  ...inTwo("every program opens, and ends as its trace does", names.filter((one) => !puzzles.includes(one)), false),
  ...inTwo("every puzzle steps to the end and back with the same state", puzzles, true),
  "arrows run from the trace's `from`": async (browser) => {
    const page = await open(browser, view(names[0]), {width: 1480, height: 500});
    for (const [name, count] of [...puzzles, "shuffle/out_of_range", "scan/blelloch"].map((one, k) => [one, ["8", "32"][k % 2]])) {
      const file = view(name, "--lanes", count);
      await show(page, file);
      await arrows(page, embedded(file, "trace-0"), name);
      equal(page.faults, [], name);
    }
    await close(page);
  },
};

async function arrows(page, trace, name) {
  for (let k = 0; k < trace.events.length; ++k) {
    const {exchange} = trace.events[k];
    if (!exchange) continue;
    const drawn = await page.evaluate((event) => {
      window.warpsim.motion.toEvent(event);
      const row = document.querySelector(`.row[data-event="${event}"]`);
      const {transposed} = window.warpsim.view;
      const heads = [...document.querySelectorAll(".lane")].map((lane) => (transposed ? lane.offsetTop + lane.offsetHeight / 2 : lane.offsetLeft + lane.offsetWidth / 2));
      const at = (x) => heads.findIndex((centre) => Math.abs(centre - x) < 1.5);
      return [...row.querySelectorAll("path.line")].map((path) => {
        const end = path.getTotalLength();
        return {from: Number(path.dataset.from), to: Number(path.dataset.to), kind: path.classList[1],
          begins: at(path.getPointAtLength(0)[transposed ? "y" : "x"]), ends: at(path.getPointAtLength(end)[transposed ? "y" : "x"])};
      });
    }, k);
    const inRange = new Set(lanes(exchange.in_range)), lost = new Set(lanes(exchange.undefined));
    const expected = lanes(exchange.lanes).map((to, at) => ({from: inRange.has(to) ? exchange.from[at] : to, to}));
    equal(drawn.map(({from, to}) => ({from, to})), expected, `${name}, event ${k}`);
    for (const arrow of drawn) {
      ok(arrow.begins === arrow.from && arrow.ends === arrow.to, `${name}, event ${k}: drawn from ${arrow.begins} to ${arrow.ends}`);
      equal(arrow.kind === "lost", lost.has(arrow.to), `${name}, event ${k}, lane ${arrow.to} is undefined`);
      equal(arrow.kind === "keep", !inRange.has(arrow.to) && !lost.has(arrow.to), `${name}, event ${k}, lane ${arrow.to} keeps its own`);
    }
  }
}
