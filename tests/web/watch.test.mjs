// The multiprocessor of a timed run: its numbers are those of `warpsim stats --json`, its bars are the trace's, and keys reach all of it.
import {close, embedded, equal, lanes, ok, open, run, until, view, violations} from "./pages.mjs";

const kOne = ["reduce/sum_down", "--case", "test", "--profile", "h200"];
/** One warp; 32, eight a sub-core; conflicts of banks; several blocks on several SMs; sectors that are not the fewest; no roofs. */
const kRuns = [kOne, [...kOne, "--block", "1024", "--param", "size=1024"], ["bugs/column_of_a_tile", "--case", "test", "--profile", "h200"],
  ["block/sum", "--case", "partial", "--profile", "h200"], ["block/histogram", "--case", "test", "--profile", "h200", "--sms", "1"],
  ["p26/butterfly_parallel_max", "--case", "worked", "--profile", "documents:low"]];
// The page shows collectives as the shuffles that a GPU runs.
const statsOf = (words) => JSON.parse(run("stats", ...words, "--json")).result.reports[0].runs[0];
const act = (page, ...actions) => page.evaluate((list) => list.forEach((one) => window.warpsim.do(one)), actions);
const text = (page, selector) => page.evaluate((one) => [...document.querySelectorAll(one)].map((element) => element.textContent), selector);

export const tests = {
  "every number of the multiprocessor is that of stats": async (browser) => {
    for (const words of kRuns) {
      const what = words.join(" "), stats = statsOf(words), page = await open(browser, view(...words), {asOpened: true});
      const rows = (id) => page.evaluate((one) => [...document.querySelectorAll(`#${one} tbody tr`)].map((row) => [...row.children].map((cell) => cell.textContent)), id);
      equal(await text(page, "#watchSums"), [`${stats.cycles} cycles · ${stats.instructions} instructions · ${stats.roofline.instructions_a_cycle.toFixed(3)} a cycle on an SM`], `${what}: sums`);
      const waits = await rows("waits"), reasons = Object.values(stats.stalls).filter((cycles) => cycles > 0);
      const whole = stats.issue_cycles + stats.stall_cycles;
      const share = (cycles) => (Math.round((cycles / whole) * 100) === 0 ? "<1 %" : `${Math.round((cycles / whole) * 100)} %`);
      equal(waits.slice(0, 1 + reasons.length).map((row) => row.slice(1, 3)), [stats.issue_cycles, ...reasons].map((cycles) => [String(cycles), share(cycles)]), `${what}: waits`);
      equal(waits.slice(1 + reasons.length).map((row) => row.slice(1)), stats.sub_cores.slice(0, 16).map((one) => [one.issued, one.none_eligible, one.empty, one.warps].map(String)), `${what}: sub-cores`);
      equal(await text(page, "#waits .chain b"), stats.places.slice(0, 8).map(({cycles}) => String(cycles)), `${what}: places`);
      const occupancy = (await rows("occupancy")).map((row) => row[1]), fits = stats.occupancy;
      equal(occupancy.slice(0, 4), [stats.warps_at_once.toFixed(2), `${fits.warps} of ${fits.max_warps}`, `${fits.blocks} of ${fits.max_blocks}`, fits.limited_by], `${what}: occupancy`);
      const {instructions_a_line: x, instructions_a_cycle: y, most_issued_a_cycle: issue, most_lines_a_cycle: lines} = stats.roofline;
      equal((await rows("roofline")).map((row) => row[1]), [y, x, issue, lines === null ? null : lines * x].filter((one) => one !== null).map((one) => one.toFixed(3)), `${what}: roofline`);
      equal(page.faults, [], what);
      await close(page);
    }
  },

  "the bars of a warp follow each other, and add up to what stats says": async (browser) => {
    for (const words of kRuns) {
      const stats = statsOf(words), page = await open(browser, view(...words), {asOpened: true});
      const sums = await page.evaluate(() => {
        const {schedule} = window.warpsim.watch, sums = {}, issues = new Set();
        for (let warp = 0; warp < schedule.trace.warps.length; ++warp) {
          let end = null;
          for (let span = schedule.spansAt(warp, 0)[0]; span; span = schedule.beside(span, 1)) {
            if (end !== null && span.begin !== end && !(span.stall < 0 && span.begin === end - 1)) return `warp ${warp}: ${span.begin} after ${end}`;
            end = span.end;
            const {reason} = schedule.stallOf(span) ?? {};
            if (reason) sums[reason] = (sums[reason] ?? 0) + span.end - span.begin;
            else issues.add(`${warp} ${span.begin}`);
          }
        }
        return [issues.size, sums];
      });
      const waited = Object.fromEntries(Object.entries(stats.stalls).filter(([, cycles]) => cycles > 0));
      equal([sums[0], Object.entries(sums[1]).sort()], [stats.issue_cycles, Object.entries(waited).sort()], words.join(" "));
      await close(page);
    }
  },

  "eight warps a sub-core hide what one waits for": async (browser) => {
    const idle = [];
    for (const words of kRuns.slice(0, 2)) {
      const page = await open(browser, view(...words), {asOpened: true});
      idle.push(await page.evaluate(() => {
        const {statistics} = window.warpsim.view.timing, [core] = statistics.sub_cores;
        return core.none_eligible / statistics.cycles;
      }));
      const heads = await page.evaluate(() => window.warpsim.watch.layout.rows.filter((row) => row.warp < 0).map((row) => [row.subCore, row.warps.length]));
      equal(heads, words === kOne ? [[0, 1]] : [[0, 8], [1, 8], [2, 8], [3, 8]], "rows");
      await close(page);
    }
    ok(idle[0] > 0.95 && idle[1] < 0.75, `none eligible: ${idle}`);
  },

  "an access shows its banks with their passes, its sectors and lines": async (browser) => {
    for (const words of kRuns.slice(1, 5)) {
      const file = view(...words), {events} = embedded(file, "trace-0"), page = await open(browser, file, {asOpened: true}), stats = statsOf(words);
      const sum = {ways: 0, sectors: 0, lines: 0};
      let shown = 0;
      for (const [k, {memory}] of events.entries()) {
        if (!memory || !["shared", "global"].includes(memory.space)) continue;
        const size = (Number(/\d+/.exec(memory.type)[0]) / 8) * (memory.elements ?? 1);
        const pieces = (bytes) => new Set(lanes(memory.lanes).flatMap((_, n) => [0, size - 1].map((at) => Math.floor((Number(memory.address[n]) + at) / bytes)))).size;
        if (memory.space === "shared") sum.ways += memory.ways;
        else [sum.sectors, sum.lines] = [sum.sectors + pieces(32), sum.lines + pieces(128)];
        if (++shown > 8) continue;
        await page.evaluate((one) => window.warpsim.motion.toEvent(one), k);
        const passes = await text(page, "#access .passes"), cells = await page.evaluate(() => [...document.querySelectorAll("#access td")].map((cell) => [cell.firstChild.textContent, cell.querySelector("small")?.textContent ?? ""]));
        if (memory.space === "shared") {
          equal(/^(One|\d+)/.exec(passes[0])[0], memory.ways === 1 ? "One" : String(memory.ways), `passes of event ${k}`);
          const words = Array.from({length: 32}, () => new Set());
          lanes(memory.lanes).forEach((_, n) => words[memory.bank[n]].add(Math.floor(Number(memory.address[n]) / 4)));
          equal(cells.map(([text]) => Number(text.replace("×", "").replace("–", "0"))), words.map((set) => set.size), `words of event ${k}`);
        } else {
          const [sectors] = await text(page, "#access .sectors");
          equal(Number(/^\d+/.exec(sectors)[0]), pieces(32), `sectors of event ${k}`);
          equal(cells.filter(([text]) => text !== "–").length, pieces(32), `cells of event ${k}`);
        }
      }
      equal(sum, {ways: stats.memory.shared.ways, sectors: stats.memory.global.sectors, lines: stats.memory.global.lines}, words.join(" "));
      await close(page);
    }
  },

  "keys go from bar to bar and to the step; a click does, too; the place is in the address": async (browser) => {
    const page = await open(browser, view(...kRuns[1]), {asOpened: true});
    await page.evaluate(() => window.warpsim.motion.toEvent(window.warpsim.view.trace.warps[0].events[0]));
    await page.focus("#watchScroll");
    for (const key of ["End", "ArrowLeft", "ArrowDown"]) await page.keyboard.press(key);
    const said = await text(page, "#watchSaid");
    ok(/Block 0 · Warp 4 · cycle/.test(said[0]), said[0]);
    await page.keyboard.press("Enter");
    const [event, span] = await page.evaluate(() => [window.warpsim.view.event, window.warpsim.watch.span.event]);
    equal(event, span, "the step");
    equal(await page.evaluate(() => window.warpsim.view.trace.warps[window.warpsim.view.warp].warp), 4, "its warp is shown");
    await page.keyboard.press("+");
    ok(await page.evaluate(() => window.warpsim.watch.scale > 0), "zoomed");
    await page.keyboard.press("0");
    const box = await page.evaluate(() => {
      const {left, top} = document.getElementById("watchCanvas").getBoundingClientRect();
      const row = window.warpsim.watch.layout.rows.find((one) => one.warp === 8);
      return {x: left + 78 + 300, y: top + row.y + 9};
    });
    await page.mouse.move(box.x, box.y);
    ok(/waits, an operand from memory %sum \(30: ld\.global\)/.test((await text(page, "#watchSaid"))[0]), (await text(page, "#watchSaid"))[0]);
    await page.mouse.click(box.x, box.y);
    equal(await page.evaluate(() => [window.warpsim.view.warp, window.warpsim.view.trace.events[window.warpsim.view.event].op]), [8, "shfl.down"], "the step that waited");
    await act(page, "watch");
    await until(page, () => location.hash.includes("watch=0"));
    equal(await page.evaluate(() => document.getElementById("watch").hidden), true, "hidden");
    equal(page.faults, [], "faults");
    await close(page);
  },

  "prediction: neither bars, words, waits nor accesses tell what is to come": async (browser) => {
    const words = ["reduce/sum_down", "--case", "test", "--profile", "h200"], page = await open(browser, view(...words), {asOpened: true});
    const inked = () => page.evaluate(() => {
      const canvas = document.getElementById("watchCanvas"), {watch, view} = window.warpsim, density = window.devicePixelRatio || 1;
      const row = watch.layout.rows.find((one) => one.warp >= 0), scale = (canvas.clientWidth - 82) / watch.schedule.cycles;
      const from = 78 + (view.trace.events[Math.max(0, view.n - 1)].cycle + 1) * scale;
      const {data} = canvas.getContext("2d").getImageData(Math.ceil((from + 8) * density), Math.round((row.y + 5) * density), Math.floor((canvas.clientWidth - from - 12) * density), Math.round(8 * density));
      return data.some((value, k) => k % 4 === 3 && value > 0);
    });
    const hover = (share) => page.evaluate((at) => {
      const {watch} = window.warpsim, row = watch.layout.rows.find((one) => one.warp >= 0);
      watch.point(watch.schedule.spanAt(row.warp, Math.floor(watch.schedule.cycles * at)));
      return document.getElementById("watchSaid").textContent;
    }, share);
    await act(page, "setUp", "first", "forward");
    ok(await inked(), "all is told");
    ok(/· \d+: \S/.test(await hover(0.9)), "a bar is explained");
    await act(page, "predict", "first");
    ok(!(await inked()), "no bar of what comes");
    ok(!/· \d+: \S/.test(await hover(0.9)), "nor what it is");
    equal(await text(page, "#waits .chain b"), [], "nor where most is waited");
    equal(await text(page, "#access table"), [], "nor what it accesses");
    for (let k = 0; k < 6; ++k) await act(page, "forward");
    ok(!(await inked()) && /· \d+: \S/.test(await hover(0.01)), "what has run is told");
    await act(page, "last");
    ok((await text(page, "#waits .chain b")).length > 0 && /· \d+: \S/.test(await hover(0.9)), "at the end all is");
    equal(page.faults, [], "faults");
    await close(page);
  },

  "axe finds nothing in it, in both themes and languages and on a phone; nothing sticks out": async (browser) => {
    for (const [words, how] of [[kRuns[1], {}], [kRuns[2], {dark: true}], [kRuns[3], {width: 390, height: 844}], [kRuns[4], {width: 900, height: 700}]]) {
      const page = await open(browser, view(...words), how);
      if (await page.evaluate(() => document.getElementById("watch").hidden)) await act(page, "watch");
      for (const once of ["en", "ko"]) {
        await page.evaluate(() => window.warpsim.motion.toEvent(window.warpsim.view.trace.events.findIndex((event) => event.memory)));
        equal(await violations(page), [], `${words} ${once}`);
        const wide = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight].map((one) => one > 0));
        equal(wide, [false, false], "the page is as large as the window");
        await act(page, "language");
      }
      await close(page);
    }
  },

  "a run without time, and a part of a run, have no such view": async (browser) => {
    for (const words of [["p26/butterfly_pair_swap"], ["p26/butterfly_pair_swap", "--profile", "h200", "--from", "5"]]) {
      const page = await open(browser, view(...words));
      equal(await page.evaluate(() => [document.getElementById("watch").hidden, document.querySelector("#views [data-do=watch]").offsetParent]), [true, null], words.join(" "));
      await act(page, "watch");
      equal(page.faults, [], "faults");
      await close(page);
    }
  },
};
