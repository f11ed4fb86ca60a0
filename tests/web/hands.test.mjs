// Keys and clicks: where the focus is after them, and what they do not do.
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {close, equal, folder, ok, open, show, view} from "./pages.mjs";

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
    equal(await page.evaluate(() => [...document.querySelectorAll(".phase span")].map((one) => one.textContent)), ["Cycle 3: it is stored"], "titles");
    ok((await page.evaluate(() => document.getElementById("sentence").textContent)).startsWith("Cycle 2: add"), "the sentence");
    equal(page.faults, [], "faults");
    await close(page);
  },
};
