// The page from a learner's chair: what it opens on, what many lanes look like, what is an alarm and what is not, what it asks.
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {close, equal, folder, ok, open, show, until, view} from "./pages.mjs";

const act = (page, ...actions) => page.evaluate((list) => list.forEach((one) => window.warpsim.do(one)), actions);
const asIs = {asOpened: true};
const kSizes = [[1440, 900], [1280, 800], [1024, 768]];

/** A program of one's own, as a file. */
function program(name, body) {
  const file = join(folder, `${name}.warp`);
  writeFileSync(file, `.kernel ${name} (in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ)\n${body}\n        exit\n.case test\n    input = i + 1\n`);
  return file;
}

/** In the page: the lanes' numbers that cannot be seen whole, and the smallest letters of the rows in sight. */
const lanesInSight = () => {
  const pane = document.querySelector(".scroll"), box = pane.getBoundingClientRect();
  const low = box.top + pane.clientTop + pane.clientHeight, right = box.left + pane.clientLeft + pane.clientWidth;
  const cut = [...document.querySelectorAll(".lane")].filter((one) => {
    const {bottom, right: end} = one.getBoundingClientRect();
    return bottom > low + 0.5 || end > right + 0.5;
  }).map((one) => one.getAttribute("aria-label"));
  const texts = [...document.querySelectorAll(".row .cell[data-lane], .row .label span, .lane b, .lane span")].filter((one) => one.textContent.trim() !== "");
  const bad = texts.filter((one) => one.matches(".cell") && (one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)).map((one) => one.textContent);
  // The grid begins where the program ends, and ends where the state begins.
  const panels = [...document.querySelectorAll(".side")].filter((one) => one.offsetParent).map((one) => one.getBoundingClientRect());
  const wanted = [Math.max(0, ...panels.filter((one) => one.left < 1).map((one) => one.right)), Math.min(innerWidth, ...panels.filter((one) => one.left > 1).map((one) => one.left))];
  if (Math.abs(box.left - wanted[0]) > 1 || Math.abs(box.right - wanted[1]) > 1) cut.push(`from ${box.left} to ${box.right}, not from ${wanted}`);
  return {turned: window.warpsim.view.transposed, cut, bad, smallest: Math.min(...texts.map((one) => parseFloat(getComputedStyle(one).fontSize)))};
};

/** In the page: everything in the colour of an alarm. */
const alarms = () => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = "var(--lost)";
  const {color} = getComputedStyle(probe);
  probe.remove();
  return [...document.querySelectorAll("#inspector td, #inspector .cells span, .banks span, .row .cell, .row path")]
    .filter((one) => { const style = getComputedStyle(one); return [style.color, style.borderTopColor, style.stroke].includes(color) && style.display !== "none"; })
    .filter((one) => getComputedStyle(one).borderTopColor !== color || getComputedStyle(one).borderTopWidth !== "0px" || getComputedStyle(one).color === color)
    .map((one) => `${one.className.baseVal ?? one.className}: ${one.textContent}`);
};

export const tests = {
  "32 lanes and more are rows, all of them in sight, with straight arrows": async (browser) => {
    for (const [lanes, sizes] of [["32", kSizes], ["64", kSizes.slice(0, 1)]]) {
      const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", lanes), asIs);
      for (const [width, height] of sizes) {
        await page.setViewportSize({width, height});
        await until(page, () => window.warpsim.grid.sight.width === window.warpsim.grid.scroll.clientWidth);
        for (const action of ["first", "nextShuffle", "nextShuffle", "last"]) {
          await act(page, action);
          const {turned, cut, bad, smallest} = await page.evaluate(lanesInSight);
          equal([turned, cut, bad], [true, [], []], `${lanes} lanes, ${width}x${height}, ${action}`);
          ok(smallest >= 10, `${lanes} lanes, ${width}x${height}: letters of ${smallest} px`);
        }
      }
      await act(page, "first", "nextShuffle");
      const paths = await page.evaluate(() => [...document.querySelectorAll(".row.current path.line")].map((one) => one.getAttribute("d")));
      equal(paths.length, Number(lanes), "arrows");
      ok(paths.every((d) => /^M[\d.]+,[\d.]+L[\d.]+,[\d.]+$/.test(d)), paths[0]);
      // Fitted, each value can still be read: 0 did turn them into pills.
      await page.setViewportSize({width: 1280, height: 720});
      await until(page, () => window.warpsim.grid.sight.height === window.warpsim.grid.scroll.clientHeight);
      await page.keyboard.press("0");
      const fitted = await page.evaluate(() => [...document.querySelectorAll(".row .cell.value[data-lane]:not(.joined)")].map((one) => [one.textContent, parseFloat(getComputedStyle(one).fontSize), one.scrollHeight - one.clientHeight]));
      ok(fitted.length >= 64 && fitted.every(([text, size, over]) => text !== "" && size >= 8 && over <= 1), JSON.stringify(fitted.slice(0, 5)));
      equal(page.faults, [], "faults");
      await close(page);
    }
    // Fewer lanes stay columns, and so do two traces, which share the height.
    const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", "16"), asIs);
    equal(await page.evaluate(() => window.warpsim.view.transposed), false, "16 lanes");
    await show(page, view("reduce/sum_down", "twin/reduction_shared", "--lanes", "32"), asIs);
    equal(await page.evaluate(() => window.warpsim.view.transposed), false, "two traces");
    await close(page);
  },
  "folded, a step shows the shuffle with the operation that takes what it brought": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked", "--lanes", "8"), asIs);
    await act(page, "fold");
    const rows = () => page.evaluate(() => window.warpsim.view.rows.map((row) => window.warpsim.view.opOf(row)));
    equal(await rows(), ["ld.global", "shfl+max", "shfl+max", "shfl+max", "st.global"], "the steps");
    await act(page, "nextShuffle");
    const shown = await page.evaluate(() => ({cells: [...document.querySelectorAll(".row.current [data-lane]")].map((one) => one.textContent),
      label: document.querySelector(".row.current .op").textContent, to: document.querySelector(".row.current .to").textContent,
      lines: document.querySelectorAll("#code .current").length, paths: document.querySelectorAll(".row.current path.line").length, n: window.warpsim.view.n,
      said: document.getElementById("sentence").textContent}));
    // By hand: 0 2 4 6 | 8 10 12 1000 exchanged over a distance of four, the larger ones.
    equal(shown.cells, ["8", "10", "12", "1000", "8", "10", "12", "1000"], "the larger ones");
    equal([shown.label, shown.to, shown.lines, shown.paths, shown.n], ["shfl+max", "%max_val", 2, 8, 10], "label, lines of the program, arrows, moment");
    ok(/shfl|exchange|gets|from/.test(shown.said) && shown.said.includes("max"), shown.said);
    await act(page, "back", "forward");
    equal(await page.evaluate(() => window.warpsim.view.n), 10, "both run as one step");
    // Pointing at the maximum lights up the arrow.
    await page.evaluate(() => window.warpsim.grid.moveStop(window.warpsim.view.currentRow, 0, true));
    equal(await page.evaluate(() => [...document.querySelectorAll(".row.current .line.lit")].map((one) => one.dataset.from)), ["4"], "lit");
    // Two guarded operations that share one shuffle's result: each lane has what its own left.
    const both = program("both", "        ld.global.u32 %v, input[%gtid]\n        and.b32 %bit, %laneid, 1\n        setp.eq.u32 %even, %bit, 0\n        shfl.bfly.b32 %o, %v, 1\n        @%even add.u32 %r, %v, %o\n        @!%even mov.u32 %r, %o\n        st.global.u32 output[%gtid], %r");
    await show(page, view(both, "--lanes", "8"), asIs);
    await act(page, "fold", "nextShuffle");
    equal(await rows(), ["ld.global", "shfl+add+mov", "st.global"], "both operations");
    equal(await page.evaluate(() => [...document.querySelectorAll(".row.current [data-lane]")].map((one) => one.textContent)), ["3", "1", "7", "3", "11", "5", "15", "7"], "sums and neighbours");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "never written is no alarm, nor is what is undefined and not used; what is used is": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", "8"));
    for (const name of ["p26/butterfly_parallel_max", "twin/reduction_shared", "p26/warp_partition"]) {
      await show(page, view(name, "--lanes", "8"));
      if (!await page.evaluate(() => window.warpsim.allRegisters)) await act(page, "registers");
      for (const moment of ["first", "nextShuffle", "last"]) {
        await act(page, moment);
        equal(await page.evaluate(alarms), [], `${name}, ${moment}`);
      }
      await act(page, "first");
      const marks = await page.evaluate(() => [...new Set([...document.querySelectorAll("#registers td")].map((one) => one.textContent))]);
      equal(marks, ["–"], `${name}: not written yet`);
    }
    // Lanes 2 to 7 never write %some; lanes 0 to 3 store what they have.
    const some = program("some", "        setp.lt.u32 %low, %gtid, 2\n        @%low mov.u32 %some, 1\n        setp.lt.u32 %most, %gtid, 4\n        @%most st.global.u32 output[%gtid], %some");
    await show(page, view(some, "--lanes", "8"));
    await act(page, "registers", "forward", "forward", "forward");
    equal(await page.evaluate(alarms), [], "before it is used");
    await act(page, "forward");
    const used = await page.evaluate(() => [...document.querySelectorAll("#registers td.undefined")].map((one) => one.closest("tr").querySelector("th").textContent));
    equal(used, ["2", "3"], "the lanes that store it");
    ok((await page.evaluate(alarms)).some((one) => one.startsWith("undefined")), "an alarm");
    // A shuffle that finds nobody, and whose result is looked at by nobody but by lane 7.
    const lost = (lane) => program(`lost${lane}`, `        setp.lt.u32 %low, %gtid, 4\n        @%low mov.u32 %v, 5\n        shfl.idx.b32 %o, %v, 6\n        mov.u32 %r, 1\n        setp.eq.u32 %one, %laneid, ${lane}\n        @%one add.u32 %r, %r, %o\n        st.global.u32 output[%gtid], %r`);
    for (const [lane, expected] of [[7, true], [9, false]]) {
      await show(page, view(lost(lane), "--lanes", "8"));
      await act(page, "last");
      equal((await page.evaluate(alarms)).length > 0, expected, `lane ${lane} uses it`);
      equal(await page.evaluate(() => document.querySelector('[data-offer="6"]').classList.contains("undefined")), expected, "also what the shuffle took");
    }
    equal(page.faults, [], "faults");
    await close(page);
  },
  "a program opens after its set-up, which is folded and dim": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked", "--lanes", "8"), asIs);
    const state = () => page.evaluate(() => ({n: window.warpsim.view.n, rows: window.warpsim.view.rows.length, first: document.querySelector(".phase span")?.textContent,
      fold: document.querySelector(".setUpFold button")?.textContent, current: document.querySelectorAll(".row.current").length,
      said: document.getElementById("sentence").textContent, dim: document.querySelectorAll(".row.setUp").length}));
    const opened = await state();
    equal([opened.n, opened.first, opened.fold, opened.current, opened.dim], [6, "Initial state:", "▸ Set-up: 6 steps", 0, 0], "as it opens");
    equal(opened.said, "Initial state: the set-up has run, 6 steps. Press → to begin.", "the footer");
    equal(await page.evaluate(() => [...document.querySelectorAll("#code .setUp")].map((one) => one.textContent.replace(/^\d+\s*/, "").split(" ")[0])),
      ["setp.ge.u32", "vote.ballot.mask", "@%outside", "popc.mask", "sub.u32", "setp.eq.u32"], "dim in the program");
    await page.keyboard.press("ArrowRight");
    equal(await page.evaluate(() => window.warpsim.view.trace.events[window.warpsim.view.event].op), "ld.global", "the first step");
    await page.keyboard.press("h");
    equal((await state()).n, 6, "the start");
    await page.click(".setUpFold button");
    const unfolded = await state();
    equal([unfolded.rows - opened.rows, unfolded.dim > 0, unfolded.fold, unfolded.n], [6, true, "▾ Set-up: 6 steps", 6], "unfolded");
    await page.keyboard.press("h");
    equal([(await state()).n, (await state()).said], [0, "Start: nothing has run yet. Press → to begin."], "the very start");
    await page.keyboard.press("f");
    equal((await state()).dim > 0, true, "what is unfolded stays so without arithmetic");
    await page.keyboard.press("f");
    await page.keyboard.press("z");
    equal((await state()).n, 6, "folded again");
    for (const name of ["p25/basic_broadcast", "p25/broadcast_shuffle_coordination", "p25/moving_average_3", "p26/butterfly_conditional_max", "p26/butterfly_pair_swap", "p26/warp_partition"]) {
      await show(page, view(name, "--lanes", "8"), asIs);
      const [title, setUp, event] = await page.evaluate(() => [document.querySelector(".phase span")?.textContent, window.warpsim.view.setUps[0], window.warpsim.view.trace.positionOf[window.warpsim.view.rows[0].event]]);
      ok(title && setUp === event && setUp >= 4, `${name} opens on ${title}, after ${setUp} steps`);
    }
    // What went wrong in the set-up is shown.
    const wrong = program("wrong_set_up", '        setp.lt.u32 %low, %gtid, 2\n        @%low mov.u32 %w, 1\n        ld.global.u32 %u, input[%w]\n        .phase "One"\n        ld.global.u32 %v, input[%gtid]\n        st.global.u32 output[%gtid], %v');
    await show(page, view(wrong, "--lanes", "8"), asIs);
    equal(await page.evaluate(() => [window.warpsim.view.faults.size > 0, window.warpsim.view.setUpShown]), [true, true], "a finding");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "prediction asks about exchanges, on lanes that vary, leaves the arrow keys, and hides what comes": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", "8"), asIs);
    await page.keyboard.press("p");
    const asked = [];
    for (let k = 0; k < 3; ++k) {
      const [lane, op, text, unseen] = await page.evaluate(() => {
        const {view} = window.warpsim, text = document.querySelector("#predictPanel").textContent;
        const seen = [...document.querySelectorAll(".row")].filter((row) => getComputedStyle(row).visibility !== "hidden").map((row) => Number(row.dataset.row));
        return [Number(/Lane (\d+) executes/.exec(text)?.[1] ?? -1), view.trace.events[view.rows[view.currentRow + 1].event].op, text, Math.max(...seen) - view.currentRow];
      });
      equal([op, unseen], ["shfl.bfly", 1], `question ${k + 1}: ${text}`);
      asked.push(lane);
      await page.evaluate(() => { document.getElementById("guess").value = "1"; });
      await page.keyboard.press("Enter");
      equal(await page.evaluate(() => document.activeElement.textContent), "Go on", "the result can be looked at");
      await page.keyboard.press("Enter");
    }
    ok(new Set(asked).size === 3 && asked.every((lane) => lane >= 0), `lanes ${asked}`);
    ok((await page.evaluate(() => document.querySelector("#predictPanel").textContent)).includes("That was the last"), "no more questions");
    // The arrow keys step, also where one types; with text they move in the text.
    await act(page, "predict", "first");
    await page.keyboard.press("p");
    const at = () => page.evaluate(() => [document.activeElement.id, window.warpsim.view.currentRow]);
    const begun = await at();
    equal(begun[0], "guess", "one can type at once");
    await page.keyboard.press("ArrowLeft");
    equal((await at())[1], begun[1] - 1, "back");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    equal((await at())[1], begun[1] + 1, "forward, past the question");
    await act(page, "back");
    await page.evaluate(() => document.getElementById("guess").focus());
    await page.keyboard.type("12");
    await page.keyboard.press("ArrowLeft");
    equal(await at(), begun, "in the text");
    // Marks above the slider do not tell either.
    const marks = await page.evaluate(() => {
      const canvas = document.getElementById("marks"), {data} = canvas.getContext("2d").getImageData(Math.floor(canvas.width / 2), 0, Math.floor(canvas.width / 2), canvas.height);
      return data.filter((_, k) => k % 4 === 3).some((alpha) => alpha > 0);
    });
    equal(marks, false, "marks to come");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "tooltips name the keys, and the place survives a reload": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked", "--lanes", "8"), asIs);
    const titles = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("header [data-do], footer [data-do]")].map((one) => [one.dataset.do, one.title])));
    const keys = {first: "Home", back: "←", play: "Space", forward: "→", last: "End", previousShuffle: "⇧S", nextShuffle: "S", language: "E", help: "?", fold: "F",
      setUp: "Z", contributions: "C", predict: "P", panels: "W", transpose: "T", zoomIn: "+", zoomOut: "-", zoomFit: "0", theme: "D", exportSvg: "V", exportPng: "⇧V",
      showProgram: "I", showState: "U"};
    for (const [name, key] of Object.entries(keys)) ok(titles[name]?.endsWith(` (${key})`), `${name}: ${titles[name]}`);
    ok(await page.evaluate(() => ["previousShuffle", "nextShuffle"].every((one) => document.querySelector(`[data-do=${one}]`).textContent === "shuffle")), "the shuffle buttons have words");
    const place = () => page.evaluate(() => {
      const {language, turned, view} = window.warpsim;
      return [view.n, view.lane, view.folded, view.setUpShown, view.contributions, turned, language];
    });
    await act(page, "setUp", "nextShuffle", "nextShuffle", "contributions", "transpose", "language");
    await page.evaluate(() => window.warpsim.chooseLane(5));
    const before = await place();
    await until(page, () => location.hash.includes("lane=5"));
    await page.reload();
    await until(page, () => document.documentElement.dataset.ready);
    equal(await place(), before, await page.evaluate(() => location.hash));
    // What this page does not know is ignored: members, values, versions.
    for (const [hash, expected] of [["#v=1&step=9&planet=mars&lane=99&fold=x&lanes=8", [9, 0, false]], ["#v=2&step=9&lane=3", [6, 0, false]], ["#step=9", [6, 0, false]], ["#anything", [6, 0, false]], ["#v=1&lane=2&step=20&fold=1", [20, 2, true]]]) {
      await page.evaluate((one) => { location.hash = one; }, hash);
      await page.reload();
      await until(page, () => document.documentElement.dataset.ready);
      equal((await place()).slice(0, 3), expected, hash);
    }
    // At the start the address says nothing.
    await act(page, "fold", "first");
    await page.evaluate(() => window.warpsim.chooseLane(0));
    await until(page, () => location.hash === "");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "a phone uses its height; nothing is in letters below 10 pixels": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", "8"), {width: 390, height: 844, ...asIs});
    const used = await page.evaluate(() => {
      const box = document.querySelector(".scroll").getBoundingClientRect(), last = [...document.querySelectorAll(".lane")].at(-1).getBoundingClientRect();
      return [(last.bottom - box.top) / box.height, document.getElementById("sentence").textContent];
    });
    ok(used[0] > 0.85 && used[0] <= 1, `the lanes take ${used[0]} of the height`);
    ok(used[1].endsWith("Tap › to begin."), used[1]);
    for (const [lanes, size] of [["8", {width: 1440, height: 900}], ["8", {width: 390, height: 844}], ["16", {width: 1440, height: 900}], ["32", {width: 390, height: 844}]]) {
      await page.setViewportSize(size);
      await show(page, view("p26/butterfly_parallel_max", "--lanes", lanes), asIs);
      await act(page, "nextShuffle");
      const small = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((one) => one.offsetParent && [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()))
        .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 10).map((one) => `${one.className}: ${one.textContent}`));
      equal(small, [], `${lanes} lanes, ${size.width}x${size.height}`);
    }
    equal(page.faults, [], "faults");
    await close(page);
  },
  "a scan is the shuffles that a GPU runs; one click shows it as one step": async (browser) => {
    const page = await open(browser, view("p26/warp_inclusive_prefix_sum", "--lanes", "8"), asIs);
    const gaps = () => page.evaluate(() => window.warpsim.view.rows.map((row) => row.gap).filter((gap) => gap !== "none"));
    const subtitle = () => page.evaluate(() => document.getElementById("subtitle").textContent);
    equal(await gaps(), ["arrows", "arrows", "arrows"], "shuffles");
    const form = () => page.evaluate(() => { const one = document.getElementById("formSwitch"); return [one.textContent, one.getAttribute("aria-pressed"), one.title]; });
    equal(await form(), ["as shuffles", "false", "Collectives as one step (M)"], "the button says which");
    ok((await subtitle()).endsWith("collectives as shuffles"), await subtitle());
    // "Cycle 1" of the document counts phases: no machine cycle is called so.
    equal(await page.evaluate(() => document.querySelector(".phase span").textContent), "Phase 1: All lanes load their values simultaneously", "the phase");
    const title = () => page.evaluate(() => window.warpsim.view.rows.map((row) => row.title).find((one) => one.includes("prefix_sum")));
    equal(await title(), "Phase 2: prefix_sum[exclusive=False] executes (as shuffles)", "not hardware-accelerated");
    await act(page, "nextShuffle", "forward");
    await page.click("#views [data-do=collectives]");
    equal(await gaps(), ["stairs"], "one step");
    equal((await form()).slice(0, 2), ["as one step", "true"], "it says so");
    ok((await subtitle()).endsWith("collectives as one step"), await subtitle());
    equal(await page.evaluate(() => window.warpsim.view.trace.events[window.warpsim.view.event].op), "scan.add", "at the same step");
    await page.keyboard.press("m");
    equal(await gaps(), ["arrows", "arrows", "arrows"], "and back");
    equal(await page.evaluate(() => { const {view} = window.warpsim; return [view.n, view.trace.events[view.n].op]; }), [10, "st.global"], "at its end");
    await act(page, "forward", "collectives");
    equal(await page.evaluate(() => window.warpsim.view.trace.events[window.warpsim.view.event].op), "st.global", "the store");
    await until(page, () => location.hash.includes(`step=${window.warpsim.view.n}`) && location.hash.includes("form=step"));
    await page.reload();
    await until(page, () => document.documentElement.dataset.ready);
    equal([await gaps(), await page.evaluate(() => window.warpsim.view.trace.events[window.warpsim.view.event].op)], [["stairs"], "st.global"], "after a reload");
    // A program without reductions and scans has no such button.
    await show(page, view("p26/butterfly_pair_swap", "--lanes", "8"), asIs);
    equal(await page.evaluate(() => document.querySelector("#views [data-do=collectives]").offsetParent), null, "no button");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "beside the program its twin in CUDA C++, and where it comes from; both in colours": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", "8"), asIs);
    const seen = () => page.evaluate(() => ["code", "cuda"].map((id) => document.getElementById(id).offsetParent !== null));
    equal(await seen(), [true, false], "the program");
    const kinds = (id) => page.evaluate((one) => [...new Set([...document.querySelectorAll(`#${one} li:not(.aside) [class^=code-]`)].map((piece) => piece.className))].sort(), id);
    equal(await kinds("code"), ["code-name", "code-number", "code-word"], "its colours");
    // Cut into pieces, the text is still the text.
    equal(await page.evaluate(() => [...document.querySelectorAll("#code li code")].map((one) => one.textContent).find((text) => text.includes("shfl"))).then((text) => text.trim()),
      "shfl.bfly.b32 %other|%there, %max_val, %offset, %last_lane", "a line");
    await page.keyboard.press("q");
    equal(await seen(), [false, true], "the twin");
    const twin = await page.evaluate(() => [...document.querySelectorAll("#cuda code")].map((one) => one.textContent).join("\n"));
    ok(twin.includes("__shfl_xor_sync(living, max_val, offset)") && twin.trimEnd().endsWith("}"), twin);
    for (const kind of ["code-comment", "code-word", "code-name"]) ok((await kinds("cuda")).includes(kind), `${kind} in ${await kinds("cuda")}`);
    await page.click("#cudaSwitch");
    equal(await seen(), [true, false], "and back");
    const sources = await page.evaluate(() => [document.getElementById("sources").textContent, [...document.querySelectorAll("#sources a")].map((one) => [one.textContent, one.href, one.rel])]);
    ok(sources[0].includes("Butterfly parallel maximum"), sources[0]);
    equal(sources[1], [["Mojo GPU Puzzle 26, shuffle_xor, lines 221-419", "https://github.com/modular/mojo-gpu-puzzles/blob/main/book/src/puzzle_26/warp_shuffle_xor.md", "noopener noreferrer"]], "the link");
    // A program of one's own has neither.
    await show(page, view(program("alone", "        st.global.u32 output[%gtid], %gtid"), "--lanes", "8"), asIs);
    await page.keyboard.press("q");
    equal([await seen(), await page.evaluate(() => [document.getElementById("cudaSwitch").offsetParent, document.getElementById("sources").textContent])], [[true, false], [null, ""]], "nothing to show");
    equal(page.faults, [], "faults");
    await close(page);
  },
};
