// What the page says and hides: Korean throughout, prediction that does not tell, traps, windows, collectives, destinations.
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {close, equal, folder, ok, open, run, show, view} from "./pages.mjs";

const act = (page, ...actions) => page.evaluate((list) => list.forEach((one) => window.warpsim.do(one)), actions);
const sentence = (page) => page.evaluate(() => document.getElementById("sentence").textContent);

/** A program of one's own, as a file. */
function program(name, body, head = "in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ") {
  const file = join(folder, `${name}.warp`);
  writeFileSync(file, `.kernel ${name} (${head})\n${body}\n        exit\n.case test\n    input = i + 1\n`);
  return file;
}
const kCollectives = `        ld.global.u32   %v, input[%gtid]
        scan.add.u32    %upto, %v
        scan.add.exclusive.u32 %before, %v
        reduce.max.u32  %most, %v
        setp.gt.u32     %odd, %v, 5
        vote.ballot.mask %votes, %odd
        match.all.b32   %same|%all, %v
        shfl.up.b32     %left|%there, %v, 1
        atom.global.add.u32 %old, output[%gtid], %v`;
const kMixed = "        ld.global.u32 %v, input[%gtid]\n        setp.gt.u32 %odd, %v, 2\n        @%odd bra on\n        add.u32 %v, %v, 1\non:     bar.sync 0";
const kTrap = "        add.u32 %i, %gtid, 3\n        st.global.u32 output[%i], %i";

/** English words that follow each other in what a person sees or hears, code aside. */
const englishIn = (page) => page.evaluate(() => {
  const code = new Set(window.warpsim.views.flatMap((one) => [one.trace.name, one.trace.backend, ...one.trace.code.flatMap((insn) => [insn.text, insn.op]),
    ...one.trace.registers.flatMap((register) => [register.name, ...(register.name.length > 3 ? [register.name.slice(1)] : [])]), ...one.trace.params.map((param) => param.name), ...one.trace.shared.map((array) => array.name)]));
  const found = [];
  const look = (text, where) => {
    let rest = text;
    for (const one of [...code].sort((a, b) => b.length - a.length)) if (one) rest = rest.replaceAll(one, "1");
    rest = rest.replace(/\b(Lane|Warp|View in English|inf, nan)\b/g, "1");
    if (/[A-Za-z]{2,}[ ,:;]+[a-z]{2,}/.test(rest)) found.push(`${where}: ${text}`);
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (element.closest("script, style, #code, #cuda") || element.lang === "en") continue;
    look(walk.currentNode.textContent, element.id || element.className || element.tagName);
  }
  for (const element of document.querySelectorAll("[aria-label], [title], [aria-valuetext]"))
    for (const name of ["aria-label", "title", "aria-valuetext"])
      if (element.getAttribute(name)) look(element.getAttribute(name), name);
  look(document.title, "document.title");
  return found;
});

export const tests = {
  "Korean throughout: nothing that people see is an English sentence": async (browser) => {
    const files = [view("p26/butterfly_parallel_max", "--lanes", "8", "--lang", "ko"), view("twin/reduction_shared", "--lanes", "8", "--lang", "ko"),
      view("coord/quality_control", "--lanes", "8", "--lang", "ko"), view("reduce/sum_down", "twin/reduction_shared", "--lanes", "8", "--lang", "ko"),
      view(program("trapped", kTrap), "--lanes", "8", "--lang", "ko"), view(program("undefined_value", "        setp.lt.u32 %low, %gtid, 2\n        @%low mov.u32 %some, 1\n        st.global.u32 output[%gtid], %some"), "--lang", "ko")];
    let page;
    for (const file of files) {
      page = page ? await show(page, file) : await open(browser, file);
      await act(page, "help");
      equal(await englishIn(page), [], `${file}, at the start`);
      await act(page, "closeHelp", "nextShuffle", "contributions", "predict", "menu");
      equal(await englishIn(page), [], `${file}, predicting`);
      await act(page, "predict", "registers", "last", "wholeText");
      equal(await englishIn(page), [], `${file}, at the end`);
    }
    // The same walk must see English where there is some.
    await act(page, "language");
    ok((await englishIn(page)).length > 5, "English is found in English");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "prediction tells nothing: no value, no arrow, no sign, no light, nothing to hear": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked", "--lanes", "8"));
    // Pointing at what comes later, and going back, leaves nothing lit.
    await act(page, "last");
    await page.evaluate(() => window.warpsim.point(0, 24, 3, 0));
    await act(page, "predict", "first");
    const told = () => page.evaluate(() => {
      const {view} = window.warpsim;
      return [...document.querySelectorAll(".row.future")].flatMap((row) => {
        const cells = [...row.querySelectorAll("[data-lane]")];
        const wrong = [];
        if (cells.some((cell) => cell.textContent !== "?" || !cell.classList.contains("hidden"))) wrong.push("cells");
        if (new Set(cells.map((cell) => cell.getAttribute("aria-label").replace(/\d+/, ""))).size > 2) wrong.push("labels");
        if (row.querySelector("path, .lit, .changed, .differs, .inactive, .taken, .spanning")) wrong.push("signs");
        if (row.classList.contains("trapped")) wrong.push("trap");
        if (!["", "…"].includes(row.querySelector(".title")?.textContent ?? "")) wrong.push("title");
        return wrong.map((one) => `${one} of row ${row.dataset.row} at ${view.n}`);
      });
    });
    equal(await told(), [], "at the start");
    ok(!(await page.evaluate(() => document.getElementById("why").textContent)).includes("cycle 25"), "where it comes from");
    equal(await page.evaluate(() => document.getElementById("diagnostics").textContent.includes("as expected")), false, "the verdict");
    for (let k = 0; k < 10; ++k) await act(page, "forward");
    equal(await told(), [], "in the middle");
    ok(/max\(0,8\)|Cycle 10: max/.test(await sentence(page)), `what has run is said: ${await sentence(page)}`);
    await close(page);
  },
  "prediction by keyboard: the focus stays through steps that write nothing, to the end": async (browser) => {
    const page = await open(browser, view(program("mixed", kMixed), "--lanes", "4"));
    await page.keyboard.press("p");
    const focused = () => page.evaluate(() => document.getElementById("predictPanel").contains(document.activeElement));
    ok(await focused(), "the focus goes to the answer");
    const at = () => page.evaluate(() => [window.warpsim.view.currentRow, window.warpsim.view.rows.length - 1]);
    for (let [k, end] = await at(), last = k; last < end; last = k) {
      if (await page.evaluate(() => document.activeElement.tagName === "INPUT")) await page.keyboard.type("1");
      await page.keyboard.press("Enter");
      [k] = await at();
      ok(await focused(), `the focus after step ${k + 1}`);
      ok(k > last, `it goes on after ${last}`);
      const said = await page.evaluate(() => document.querySelector("#predictPanel .said")?.textContent ?? "");
      ok(said === "" || /^(✓ Right|✗ Not quite)/.test(said), said);
    }
    equal(page.faults, [], "faults");
    await close(page);
  },
  "answers in every spelling": async (browser) => {
    const page = await open(browser, view("p25/basic_broadcast"));
    const verdicts = await page.evaluate((cases) => cases.map(([guess, value]) => window.warpsim.prediction.accepts(guess, value)), [
      ["inf", "Infinity"], ["+Infinity", "Infinity"], ["∞", "Infinity"], ["-inf", "-Infinity"], ["NaN", "NaN"], ["nan", {nan: "0x7fc12345"}],
      ["0x1F", 31], ["31.0", 31], ["0xffffffff", -1], ["-0x1", -1], ["0.1", 0.1], ["1,2", [1, 2]], ["(1, -2.5)", [1, -2.5]], ["1 inf", [1, "Infinity"]],
      ["0xff", "0x000000ff"], ["255", "0x000000ff"], ["0b11", "0x00000003"], ["-7", "-7"], ["0xffffffffffffffff", "-1"], ["18446744073709551615", "18446744073709551615"],
      ["T", true], ["0", false], ["?", null],
      ["inf", "-Infinity"], ["inf", 5], ["nan", 0], ["1,2", [2, 1]], ["1", [1, 2]], ["", 0], ["0x", 0], ["seven", 7], ["-1", 1], ["7x", "7"], ["1", null]]);
    equal(verdicts, [...Array(23).fill(true), ...Array(11).fill(false)], "verdicts");
    await close(page);
  },
  "a trap is said, a window says what it shows": async (browser) => {
    const trapped = program("trapped_too", kTrap);
    const page = await open(browser, view(trapped, "--lanes", "8"));
    await act(page, "last");
    ok((await sentence(page)).includes("stopped here: lane 5 writes output[8]"), await sentence(page));
    ok(await page.evaluate(() => document.querySelector(".row.current.trapped") !== null), "its row has the sign");
    await act(page, "language");
    ok((await sentence(page)).includes("여기서 멈춤: Lane 5가 output[8]에 저장"), await sentence(page));

    const file = join(folder, "window.json");
    run("trace", "p26/butterfly_parallel_max", "--case", "worked", "--from", "9", "--to", "20", "-o", file);
    await show(page, view(file));
    equal(await sentence(page), "Cycles 9 to 20 of 26 are shown, 12 of 26 steps. This is the state before cycle 9. Press → to begin.", "the start");
    ok((await page.evaluate(() => document.getElementById("diagnostics").textContent)).includes("only a part of it is shown"), "the verdict");
    // max_val was loaded before the window: that no input went into it would not be true.
    await act(page, "forward", "forward");
    const why = await page.evaluate(() => document.getElementById("why").textContent);
    ok(why.includes("is not followed") && !why.includes("No input"), why);
    await show(page, view("p26/butterfly_parallel_max", "--case", "worked"));
    equal(await sentence(page), "Start: nothing has run yet. Press → to begin.", "of a whole run");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "a deadlock, which is no event's: places, lines, the end of the run, a mark": async (browser) => {
    const barrier = "        setp.lt.u32 %low, %laneid, 2\n        @%low bra on\n        bar.sync 0\non:     st.global.u32 output[%gtid], 1";
    const page = await open(browser, view(program("deadlock", barrier), "--lanes", "4"));
    // Lines 4 and 5 of the file: the barrier, and where the branch ends.
    const marked = () => page.evaluate(() => [...document.querySelectorAll("#code li.trouble")].map((item) => item.dataset.line));
    equal(await marked(), ["4", "5"], "lines");
    const places = () => page.evaluate(() => [...document.querySelectorAll(".places li")].map((item) => item.textContent));
    equal(await places(), ["Lanes 2-3, line 4: waits at barrier 0: 2 threads of 4 there", "Lanes 0-1, line 5: waits to converge with lanes 2, 3 here"], "places");
    const at = () => page.evaluate(() => [window.warpsim.view.n, window.warpsim.view.trace.events.length]);
    for (const go of [() => page.keyboard.press("n"), () => page.evaluate(() => document.querySelector("#diagnostics button").click())]) {
      await act(page, "first");
      await go();
      const [n, all] = await at();
      equal(n, all, "at the end");
      ok(await page.evaluate(() => !document.querySelector(".halt").hidden && document.querySelector(".halt").textContent.includes("deadlock: Lanes 2-3, line 4")), "the grid");
    }
    ok(await page.evaluate(() => {
      const canvas = document.getElementById("marks");
      const scale = canvas.width / canvas.clientWidth;
      return canvas.getContext("2d").getImageData(Math.round((canvas.clientWidth - 8.5) * scale), Math.round(scale), 1, 1).data[3] > 0;
    }), "the mark above the slider");
    await act(page, "predict", "first");
    equal([await marked(), await page.evaluate(() => document.querySelector(".halt").hidden)], [[], true], "not told before");
    await act(page, "predict", "language");
    ok((await places())[0].includes("barrier 0에서 기다림: 스레드 4개 중 2개 도착"), `in Korean: ${await places()}`);
    equal(page.faults, [], "faults");
    await close(page);
  },
  "a finding: its code, how it came about, where the lanes were; and one that is known before the run": async (browser) => {
    // Lines 3 to 7 of the file: lanes 2 to 7 never write %some, all take lane 3's, and store it.
    const body = "        setp.lt.u32 %low, %gtid, 2\n        @%low mov.u32 %some, 1\n        shfl.idx.b32 %v, %some, 3\n        activemask.mask %here\n        shfl.idx.b32 %v, %v, 0, mask=%here\n        st.global.u32 output[%gtid], %v";
    const page = await open(browser, view(program("two_findings", body), "--lanes", "8"));
    const texts = (select) => page.evaluate((one) => [...document.querySelectorAll(one)].map((item) => item.textContent), select);
    const lineHere = () => page.evaluate(() => window.warpsim.view.lineOf(window.warpsim.view.event));
    const faults = await texts("#diagnostics .fault");
    equal(faults.length, 2, "two");
    ok(faults[0].startsWith("Finding: WS0305 active-mask-as-member") && faults[0].includes("line 6, before the run"), faults[0]);
    ok(faults[1].startsWith("Finding: WS0101 never-written") && faults[1].includes("Lanes 0-7, line 7, cycle 6"), faults[1]);
    equal(await texts("#diagnostics .places li"), ["Lanes 0-7, line 7"], "where the lanes were");
    const steps = await texts("#diagnostics .steps li");
    ok(steps.length === 3 && steps[0].startsWith("5line 6: lane 0 takes it from lane 0") && steps[1].startsWith("3line 4: lane 0 takes it from lane 3 into `%v`") && steps[2].includes("lane 3 has never written `%some`"), steps);
    await page.evaluate(() => document.querySelectorAll("#diagnostics .steps button")[1].click());
    equal([await lineHere(), await page.evaluate(() => window.warpsim.view.n)], [4, 3], "a click goes there");
    await page.evaluate(() => [...document.querySelectorAll("#diagnostics .fault:nth-child(2) > button")].at(-1).click());
    equal(await lineHere(), 7, "to the finding itself");
    await act(page, "language");
    const korean = (await texts("#diagnostics .fault")).join(" ");
    for (const part of ["6번째 줄, 실행 전", "여기까지의 과정", "Lane 3이 `%some`을 한 번도 쓰지 않음", "Lane이 있던 곳", "저장되는 값"]) ok(korean.includes(part), `${part}: ${korean}`);
    equal(await englishIn(page), [], "English left");
    await act(page, "predict", "first");
    equal(await texts("#diagnostics .fault"), [], "prediction does not tell");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "a guarded branch: all that stand there are active": async (browser) => {
    // Line 5: the branch, which no lane takes.
    const branch = program("branch", "        setp.gt.u32 %never, %gtid, 100\n        mov.u32 %v, 1\n        @%never bra on\n        mov.u32 %v, 2\non:     st.global.u32 output[%gtid], %v");
    const page = await open(browser, view(branch, "--lanes", "8"));
    await act(page, "forward", "forward", "forward");
    ok((await sentence(page)).endsWith("no lane goes to line 6, all 8 lanes go on; 8 lanes active"), await sentence(page));
    const mask = await page.evaluate(() => [document.getElementById("mask").textContent, document.querySelectorAll("#mask .on").length]);
    equal(mask, ["0x000000ff · 8 of 8", 8], "the mask");
    await close(page);
  },
  "the row that trapped: who is at fault, where its index comes from, the line": async (browser) => {
    const trap = "        ld.global.u32 %a, input[%gtid]\n        add.u32 %i, %a, 3\n        mov.u32 %other, 7\n        st.global.u32 output[%i], %other";
    const page = await open(browser, view(program("at_fault", trap), "--lanes", "8"));
    await act(page, "last");
    const row = await page.evaluate(() => [...document.querySelectorAll(".row.current [data-lane]")].map((cell) => `${cell.textContent}${cell.classList.contains("fault")}`));
    // input = i + 1, so lane i stores at i + 4: past the eighth element from lane 4 on.
    equal(row, [..."0123"].map(() => "·false").concat([..."4567"].map(() => "✕true")), "cells");
    equal(await page.evaluate(() => document.querySelector("#code li.trouble").dataset.line), "5", "the line");
    await page.evaluate(() => { window.warpsim.grid.moveStop(3, 6, true); });
    equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "lane 6: at fault", "to hear");
    const why = await page.evaluate(() => document.getElementById("why").textContent);
    ok(why.includes("%i of lane 6, cycle 4") && why.includes("Inputs: input[6]") && why.includes("add · Lane 6 · 10") && !why.includes("mov"), why);
    equal(await page.evaluate(() => [...document.querySelectorAll(".row [data-lane].lit")].map((cell) => `${cell.closest(".row").dataset.row}:${cell.dataset.lane}`)), ["0:6", "1:6", "3:6"], "lit");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "the focus stays on its cell, and G goes back to it": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", "32"));
    const place = () => page.evaluate(() => {
      const {activeElement: cell} = document, row = cell.closest(".row");
      return row ? `${row.dataset.event}:${cell.dataset.lane}` : cell.tagName;
    });
    await act(page, "nextShuffle", "nextShuffle");
    await page.keyboard.press("g");
    await page.keyboard.press("ArrowDown");  // lanes are rows
    const begun = await place();
    ok(begun.endsWith(":1"), begun);
    for (const key of ["c", "f", "f", "t", "t", "e", "e", "+", "0", "]", "d", "j", "k", "c"]) {
      await page.keyboard.press(key);
      equal(await place(), begun, `after ${key}`);
    }
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("h");
    await page.keyboard.press("g");
    equal(await place(), begun, "G");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "where it comes from: in cycles, inputs with their buffer, and the rest on request": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked"));
    await act(page, "last");
    const {row, cycle} = await page.evaluate(() => {
      const {view, grid} = window.warpsim;
      const row = view.rows.findLastIndex((one) => view.trace.events[one.event].op.startsWith("max"));
      grid.moveStop(row, 0, true);
      return {row, cycle: view.trace.events[view.rows[row].event].cycle};
    });
    const why = () => page.evaluate(() => [document.getElementById("why").textContent, document.querySelectorAll("#why .chain li").length]);
    const [text, count] = await why();
    ok(/of lane 0, cycle /.test(text) && text.includes(`cycle ${cycle}`) && /Inputs: \w+\[0\.\./.test(text), text);
    equal(count, 15, "14 and …");
    await page.evaluate(() => document.querySelector("#why .more").focus());
    await page.keyboard.press("Enter");
    ok((await why())[1] > 15, "more");
    ok(await page.evaluate(() => document.activeElement === document.querySelectorAll("#why .chain button")[14]), "the focus goes on");
    ok((await why())[0].includes(`of lane 0, cycle ${cycle}`), `still of that cell: row ${row}`);
    // In a window too.
    const file = join(folder, "cycles.json");
    run("trace", "p26/butterfly_parallel_max", "--case", "worked", "--from", "9", "--to", "20", "-o", file);
    await show(page, view(file));
    await act(page, "last");
    ok((await why())[0].includes("cycle 20") && !(await why())[0].includes("step 12"), (await why())[0]);
    equal(page.faults, [], "faults");
    await close(page);
  },
  "an answer that is no value does not count": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked"));
    await page.keyboard.press("p");
    const answer = async (text) => {
      await page.evaluate(() => { document.getElementById("guess").value = ""; document.getElementById("guess").focus(); });
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      return page.evaluate(() => [window.warpsim.prediction.all, window.warpsim.view.n, document.querySelector("#predictPanel .unreadable")?.textContent ?? ""]);
    };
    for (const text of ["zzz", "1 2", "0x", "--1", "true?"]) {
      const [all, n, said] = await answer(text);
      equal([all, n], [0, 8], text);
      ok(said.includes("is no value") && said.includes(text), said);
    }
    equal((await answer("0")).slice(0, 2), [1, 9], "a value");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "collectives are drawn as what they are; every destination has cells": async (browser) => {
    const file = program("collectives", kCollectives);
    let page;
    for (const lanes of [8, 32, 64]) {
      const html = view(file, "--lanes", String(lanes));
      page = page ? await show(page, html) : await open(browser, html);
      await act(page, "collectives");
      const drawn = await page.evaluate(() => window.warpsim.view.rows.map((row) => [window.warpsim.view.trace.events[row.event].op, row.gap, row.bands]));
      equal(drawn, [["ld.global", "none", 1], ["scan.add", "stairs", 1], ["scan.add", "stairs", 1], ["reduce.max", "all", 1], ["setp.gt", "none", 1],
        ["vote.ballot", "bar", 1], ["match.all", "bar", 2], ["shfl.up", "arrows", 2], ["atom.global.add", "none", 2], ["exit", "none", 1]], "rows");
      // The stair goes down from each lane to the next; a lane's own line comes from above it and goes on below.
      const stairs = await page.evaluate(() => [...document.querySelectorAll('.row[data-row="1"] path')].map((path) => path.getAttribute("d")));
      const points = [...stairs[1].matchAll(/([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
      ok(points.length === 2 * lanes - 1, `${points.length} corners for ${lanes} lanes`);
      ok(points.every(([x, y], k) => k === 0 || (x >= points[k - 1][0] && y >= points[k - 1][1])), "to the right and down");
      const heads = await page.evaluate(() => [1, 2].map((row) => (document.querySelector(`.row[data-row="${row}"] path.head`).getAttribute("d").match(/M/g) ?? []).length));
      equal(heads, [lanes, lanes - 1], "exclusive: lane 0 gets nothing");
    }
    // Predicates do not widen the columns: 32 lanes fit, and say T and F.
    await show(page, view("twin/reduction_shared", "--lanes", "32"));
    await act(page, "transpose");
    equal(await page.evaluate(() => {
      const {grid, view} = window.warpsim;
      const cells = [...document.querySelectorAll(".row")].filter((row) => view.trace.events[Number(row.dataset.event)].op.startsWith("setp"))
        .flatMap((row) => [...row.querySelectorAll("[data-lane]")]);
      return [grid.scroll.scrollWidth <= grid.scroll.clientWidth, [...new Set(cells.map((cell) => cell.textContent))].sort(), cells[0].title];
    }), [true, ["F", "T"], "false"], "32 lanes");
    // By keys from one destination of an instruction to the other.
    await show(page, view(file, "--lanes", "8"));
    await act(page, "collectives");
    await page.evaluate(() => window.warpsim.grid.moveStop(7, 3, true));
    await page.keyboard.press("ArrowDown");
    equal(await page.evaluate(() => [document.activeElement.dataset.band, document.activeElement.textContent, document.activeElement.getAttribute("aria-label")]),
      ["1", "true", "lane 3: true, from lane 2, changed %there"], "its predicate");
    await page.keyboard.press("ArrowDown");
    equal(await page.evaluate(() => [document.activeElement.dataset.band, document.activeElement.closest(".row").dataset.row]), ["0", "8"], "the next instruction");
    await page.keyboard.press("ArrowUp");
    equal(await page.evaluate(() => document.activeElement.dataset.band), "1", "and back");
    equal(page.faults, [], "faults");
    await close(page);
  },
};
