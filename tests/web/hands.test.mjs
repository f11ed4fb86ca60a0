// Keys and clicks: where the focus is after them, and what they do not do.
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {close, equal, folder, ok, open, show, until, view} from "./pages.mjs";

const act = (page, ...actions) => page.evaluate((list) => list.forEach((one) => window.warpsim.do(one)), actions);

/** A program of one's own, as a file. */
function program(name, body) {
  const file = join(folder, `${name}.warp`);
  writeFileSync(file, `.kernel ${name} (in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ)\n${body}\n        exit\n.case test\n    input = i + 1\n`);
  return file;
}

export const tests = {
  "the focus stays on a warp's tab, a line of the program, a finding, when all is drawn anew": async (browser) => {
    const page = await open(browser, view("block/sum", "--lanes", "8"));
    ok(await page.evaluate(() => document.querySelectorAll("#tabs button").length) > 1, "several warps");
    const place = () => page.evaluate(() => {
      const {activeElement: one} = document;
      return one.closest("#tabs") ? `tab ${[...one.parentElement.children].indexOf(one)}` : one.closest("#code") ? `line ${one.closest("li").dataset.line}`
        : one.closest("#diagnostics") ? "finding" : one.dataset.do ?? one.tagName;
    });
    const keys = ["c", "f", "b", "f", "t", "t", "e", "e", "+", "0", "d", "j", "k", "c"];
    for (const [k, select] of [[1, "#tabs button:nth-child(2)"], [0, "#code li:nth-last-of-type(n+3) button.number"]]) {
      await page.evaluate((one) => document.querySelector(one).focus(), select);
      const begun = await place();
      ok(begun !== "BODY" && (k === 0 || begun === "tab 1"), begun);
      for (const key of keys) {
        await page.keyboard.press(key);
        equal(await place(), begun, `after ${key}`);
      }
    }
    // The chosen tab: the focus goes along with what is chosen. One that is not chosen stays.
    await page.evaluate(() => document.querySelector("#tabs [aria-pressed=true]").focus());
    for (const [key, at] of [["]", "tab 1"], ["]", "tab 2"], ["[", "tab 1"]]) {
      await page.keyboard.press(key);
      equal(await place(), at, key);
    }
    await page.keyboard.press("Enter");
    equal(await place(), "tab 1", "Enter");
    // A panel that is put away: its button.
    await page.evaluate(() => document.querySelector("#code button").focus());
    await page.keyboard.press("i");
    equal(await place(), "showProgram", "without the program");
    await show(page, view(program("found", "        ld.global.u32 %v, input[%gtid]\n        setp.lt.u32 %low, %v, 3\n        @%low mov.u32 %some, 1\n        st.global.u32 output[%gtid], %some"), "--lanes", "8"));
    await page.evaluate(() => document.querySelector("#diagnostics button").focus());
    for (const key of ["Enter", "j", "k", "e"]) {
      await page.keyboard.press(key);
      equal(await place(), "finding", key);
    }
    equal(page.faults, [], "faults");
    await close(page);
  },
  "a click on a line's text sets its breakpoint, and takes it away; selecting text does not": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked"));
    const line = await page.evaluate(() => String(window.warpsim.view.trace.code.find((insn) => insn.op === "max").line));
    const set = () => page.evaluate(() => [...document.querySelectorAll("#code [aria-pressed=true]")].map((one) => one.closest("li").dataset.line));
    await page.click(`#code [data-line="${line}"] code`);
    equal(await set(), [line], "set");
    await act(page, "run");
    equal(await page.evaluate(() => document.querySelector("#code .current").dataset.line), line, "stopped at");
    await page.click(`#code [data-line="${line}"] code`);
    equal(await set(), [], "taken away");
    const box = await page.evaluate((one) => { const {left, top, height} = document.querySelector(`#code [data-line="${one}"] code`).getBoundingClientRect(); return {left, y: top + height / 2}; }, line);
    await page.mouse.move(box.left + 24, box.y);
    await page.mouse.down();
    await page.mouse.move(box.left + 110, box.y, {steps: 4});
    await page.mouse.up();
    ok((await page.evaluate(() => String(document.getSelection()))).length > 2, "text is selected");
    equal(await set(), [], "selecting");
    await page.click("#code li:not(.runs):not(.aside) code");
    equal(await set(), [], "a line that is no instruction");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "Space and Enter on the help's button close it and do nothing else": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked"));
    const state = () => page.evaluate(() => [document.getElementById("help").open, window.warpsim.motion.playing, window.warpsim.view.n]);
    for (const opened of ["key", "button"])
      for (const key of [" ", "Enter"]) {
        if (opened === "key") {
          await page.evaluate(() => document.activeElement.blur());
          await page.keyboard.press("?");
        } else {
          await page.click("[data-do=help]");
        }
        equal(await page.evaluate(() => [document.getElementById("help").open, document.activeElement.dataset.do]), [true, "closeHelp"], "open");
        await page.keyboard.press(key);
        await page.evaluate(() => new Promise((done) => setTimeout(done, 150)));
        equal(await state(), [false, false, 0], `${opened}, ${key}`);
      }
    equal(page.faults, [], "faults");
    await close(page);
  },
  "a phase's title that is only the cycle's number is left out": async (browser) => {
    const body = ['        .phase "Cycle {phase}"', "        ld.global.u32 %v, input[%gtid]", '        .phase "Cycle {phase}:"', "        add.u32 %v, %v, 1",
      '        .phase "Cycle {phase}: it is stored"', "        st.global.u32 output[%gtid], %v"].join("\n");
    const page = await open(browser, view(program("numbered", body), "--lanes", "8"));
    await act(page, "forward", "forward");
    equal(await page.evaluate(() => [...document.querySelectorAll(".phase span")].map((one) => one.textContent)), ["Phase 3: it is stored"], "titles");
    ok((await page.evaluate(() => document.getElementById("sentence").textContent)).startsWith("Cycle 2: add"), "the sentence");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "playing: as fast as it says, to the end, to a breakpoint, to what prediction asks": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked"));
    const speeds = await page.evaluate(() => [...document.getElementById("speed").options].map((one) => [one.textContent, Number(one.value)]));
    const usual = speeds.find(([text]) => text === "1×")[1];
    for (const [text, period] of speeds) equal(period * Number(text.replace("½", "0.5").replace("×", "")), usual, text);
    await page.evaluate(() => { document.getElementById("speed").value = "30"; });
    const played = async () => {
      await act(page, "play");
      await until(page, () => !window.warpsim.motion.playing);
      return page.evaluate(() => window.warpsim.view.n);
    };
    equal(await played(), await page.evaluate(() => window.warpsim.view.trace.events.length), "to the end, and no further");
    equal(await page.evaluate(() => document.getElementById("play").getAttribute("aria-label")), "Play", "the button");
    // From the end it begins anew, and stops at breakpoints.
    const at = await page.evaluate(() => {
      const {view} = window.warpsim, k = view.trace.events.findIndex((event) => event.op === "max");
      window.warpsim.toggleBreakpoint(view.lineOf(k));
      return k + 1;
    });
    equal(await played(), at, "to the breakpoint");
    ok(await played() > at, "and on");
    // A question is not played over; what writes nothing is.
    const asking = program("asking", "        bar.sync 0\n        bar.sync 0\n        ld.global.u32 %v, input[%gtid]\n        st.global.u32 output[%gtid], %v");
    await show(page, view(asking, "--lanes", "4"));
    await page.evaluate(() => { document.getElementById("speed").value = "30"; });
    await act(page, "predict");
    equal([await played(), await page.evaluate(() => document.activeElement.id)], [2, "guess"], "the question");
    equal(await played(), 2, "it waits");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "less motion: nothing is animated": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked"));
    const running = async (motion) => {
      await page.emulateMedia({reducedMotion: motion});
      return page.evaluate(() => { window.warpsim.do("forward"); return document.getAnimations().length; });
    };
    ok(await running("no-preference") > 0, "otherwise the row arrives");
    equal(await running("reduce"), 0, "animations");
    await close(page);
  },
  "many warps: lists of blocks and of warps; few: tabs, the chosen one in sight": async (browser) => {
    const page = await open(browser, view("block/sum", "--grid", "4", "--block", "32", "--lanes", "8"));
    const now = () => page.evaluate(() => {
      const {view} = window.warpsim, {block, warp} = view.trace.warps[view.warp];
      return [block, warp, [...document.querySelectorAll("#tabs select")].map((one) => one.selectedOptions[0].textContent)];
    });
    equal(await now(), [0, 0, ["Block 0", "Warp 0"]], "two lists");
    await page.selectOption("#tabs select:nth-of-type(2)", "3");
    await page.selectOption("#tabs select:nth-of-type(1)", "2");
    equal(await now(), [2, 3, ["Block 2", "Warp 3"]], "chosen");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("]");
    equal(await now(), [3, 0, ["Block 3", "Warp 0"]], "the next");
    await page.setViewportSize({width: 390, height: 844});
    await show(page, view("block/sum", "--block", "48", "--lanes", "8"));
    for (let k = 0; k < 5; ++k) await act(page, "nextWarp");
    ok(await page.evaluate(() => document.querySelector("#tabs [aria-pressed=true]").textContent === "Warp 5" &&
      document.querySelector("#tabs [aria-pressed=true]").getBoundingClientRect().right <= innerWidth), "the tab is in sight");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "to hear: what has not run yet, and that there is nowhere to go": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked"));
    const label = (k) => page.evaluate((row) => document.querySelector(`.row[data-row="${row}"]`).getAttribute("aria-label"), k);
    ok((await label(2)).endsWith(", not yet run"), await label(2));
    await act(page, "forward", "forward", "forward");
    ok(!(await label(2)).includes("not yet") && (await label(3)).endsWith(", not yet run"), await label(3));
    await act(page, "back");
    ok((await label(2)).endsWith(", not yet run"), await label(2));
    const said = () => page.evaluate(() => document.getElementById("sentence").textContent);
    await act(page, "previousShuffle");
    ok((await said()).includes("no further shuffle"), await said());
    await act(page, "nextFinding");
    ok((await said()).includes("No finding") && !(await said()).includes("shuffle"), await said());
    await act(page, "forward");
    ok(!(await said()).includes("No finding"), await said());
    equal(page.faults, [], "faults");
    await close(page);
  },
  "the head of the page says by which profile a run was timed, in both languages": async (browser) => {
    const page = await open(browser, view("p26/butterfly_pair_swap", "--lanes", "8", "--profile", "h200", "--scheduler", "oldest"));
    const said = () => page.evaluate(() => document.getElementById("subtitle").textContent);
    ok((await said()).endsWith(" · simulator · profile h200, scheduler oldest"), await said());
    await act(page, "language");
    ok((await said()).endsWith(" · 프로파일 h200, 스케줄러 oldest"), await said());
    await show(page, view("p26/butterfly_pair_swap", "--lanes", "8"));
    ok((await said()).endsWith("simulator") || (await said()).endsWith("시뮬레이터"), await said());
    equal(page.faults, [], "faults");
    await close(page);
  },
  "one lane, five of eight, elements of a vector, a program that only exits": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", "1"));
    ok((await page.evaluate(() => document.getElementById("subtitle").textContent)).includes("· 1 lane ·"), "1 lane");
    await act(page, "last");
    const titles = await page.evaluate(() => [...document.querySelectorAll(".phase span")].map((one) => one.scrollWidth <= one.clientWidth));
    ok(titles.length > 0 && titles.every(Boolean), "titles have the room that is there");
    await show(page, view(program("vector", "        mul.lo.u32 %at, %tid.x, 2\n        rem.u32 %at, %at, 8\n        ld.global.v2.u32 {%a, %b}, input[%at]\n        st.global.v2.u32 output[%at], {%a, %b}"), "--lanes", "8"));
    equal(await page.evaluate(() => [...document.querySelectorAll('.row[data-row="3"] .to')].map((one) => one.textContent)), ["→ output", "→ output +1"], "elements");
    await show(page, view(program("leaves", ""), "--lanes", "8"));
    await act(page, "last", "back", "forward");
    equal(await page.evaluate(() => [...document.querySelectorAll(".row.current [data-lane]")].map((one) => one.textContent).join("")), "■".repeat(8), "exit");
    equal(page.faults, [], "faults");
    await close(page);
  },
};
