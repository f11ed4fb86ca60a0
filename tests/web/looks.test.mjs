// Access, languages, themes, sizes: what axe finds, what the keys do, what a phone shows.
import {readFileSync} from "node:fs";
import {close, equal, ok, open, until, view, violations} from "./pages.mjs";

const act = (page, ...actions) => page.evaluate((list) => list.forEach((one) => window.warpsim.do(one)), actions);

/** Nothing sticks out of the window, no two controls or texts of the page's frame lie on each other, the grid has room. */
const frame = (everyPanel) => {
  const {warpsim} = window;
  const look = (when) => faultsOf().map((fault) => `${when}: ${fault}`);
  if (!everyPanel) return look("as it is");
  const out = [];
  for (const [language, program, state] of [["en", true, false], ["en", false, false], ["ko", true, true], ["en", false, true]]) {
    warpsim.language = language;
    warpsim.wanted = {program, state};
    warpsim.layOut();
    out.push(...look(`${language}, panels ${program} ${state}`));
    if (program !== state && document.getElementById(program ? "program" : "inspector").clientHeight < 40) out.push("the panel is not there");
  }
  return out;

  function faultsOf() {
    const out = [];
    const {scrollWidth, scrollHeight} = document.documentElement;
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) out.push(`the page is ${scrollWidth}x${scrollHeight}`);
    const boxes = [...document.querySelectorAll("header button, header output, header select, h1, #slider, #sentence, footer button, .paneName, .scroll")]
      .filter((element) => element.offsetParent && !element.closest("#menu")).map((element) => [element, element.getBoundingClientRect()]);
    const name = (element) => element.id || element.dataset.do || element.className;
    for (const [a, x] of boxes) {
      if (x.left < -0.5 || x.right > innerWidth + 0.5 || x.top < -0.5 || x.bottom > innerHeight + 0.5) out.push(`${name(a)} is cut off`);
      if (a.matches("button") && a.scrollWidth > a.clientWidth + 1 && !a.matches(".paneName")) out.push(`the text of ${name(a)} is cut off`);
      for (const [b, y] of boxes)
        if (a !== b && x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1)
          out.push(`${name(a)} lies on ${name(b)}`);
    }
    const grids = [...document.querySelectorAll(".scroll")].filter((grid) => grid.offsetParent);
    if (grids.length === 0) out.push("no grid");
    for (const grid of grids) if (grid.clientWidth < 200 || grid.clientHeight < 90) out.push(`the grid is ${grid.clientWidth}x${grid.clientHeight}`);
    return out;
  }
};

export const tests = {
  "axe finds nothing, in both themes and languages, at 4 and 64 lanes and on a phone": async (browser) => {
    const cases = [["p26/butterfly_parallel_max", "8", {}], ["scan/hillis_steele_inclusive", "4", {}], ["p26/warp_partition", "64", {dark: true}],
      ["shuffle/out_of_range", "32", {width: 390, height: 844}], ["twin/reduction_shared", "16", {dark: true, width: 390, height: 844}]];
    for (const [name, count, how] of cases) {
      const page = await open(browser, view(name, "--lanes", count), how);
      equal(await page.evaluate(frame), [], `${name} at ${count} lanes`);
      await act(page, "forward", "nextShuffle", "contributions");
      equal(await violations(page), [], `${name} at ${count} lanes`);
      await act(page, "language", "theme", "predict", "menu");
      equal(await violations(page), [], `${name} at ${count} lanes, in Korean, predicting`);
      equal(await page.evaluate(frame), [], `${name} at ${count} lanes, in Korean`);
      equal(page.faults, [], name);
      await close(page);
    }
  },
  "every width: nothing is cut off, nothing lies on anything": async (browser) => {
    const sizes = [[320, 640], [360, 740], [844, 390], [1024, 768], [1280, 720], [768, 1024], [1600, 900], [700, 360], [1101, 700], [2560, 1200]];
    for (const words of [["p26/butterfly_parallel_max", "--lanes", "8"], ["p26/butterfly_parallel_max", "--lanes", "32"],
      ["p26/butterfly_parallel_max", "--lanes", "64"], ["reduce/sum_down", "twin/reduction_shared", "--lanes", "8"],
      ["block/sum", "block/sum", "--lanes", "32"]]) {
      const page = await open(browser, view(...words));
      await act(page, "nextShuffle");
      for (const [width, height] of words.includes("8") ? sizes : sizes.slice(0, 5)) {
        await page.setViewportSize({width, height});
        equal(await page.evaluate(frame, true), [], `${words.join(" ")}, ${width}x${height}`);
      }
      equal(page.faults, [], words[0]);
      await close(page);
    }
  },
  "64 lanes as columns that are fitted to the window: every value of up to four characters can be read, on the page and in its picture": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", "64"));
    await act(page, "transpose", "nextShuffle", "nextShuffle", "zoomFit");
    const [wide, bad, seen] = await page.evaluate(() => {
      const {grid, view} = window.warpsim, bad = [];
      let seen = 0;
      for (const cell of document.querySelectorAll(".row .cell[data-lane].value:not(.joined), .row .cell.offer")) {
        const lane = Number(cell.dataset.lane ?? cell.dataset.offer), row = cell.closest(".row");
        const value = cell.dataset.offer === undefined ? cell.getAttribute("aria-label").match(/: ([^, ]+)/)[1] : "";
        const text = cell.textContent, full = {T: "true", F: "false"}[text] ?? text;
        ++seen;
        if (text === "" || (value && value.length <= 4 && full !== value)) bad.push(`${value} of lane ${lane}, row ${row.dataset.row}: "${text}"`);
        if (text !== value && text.includes("…") && !cell.title) bad.push(`${text} of lane ${lane} does not say the rest`);
        if (cell.scrollWidth > cell.clientWidth + 1 || cell.scrollHeight > cell.clientHeight + 1) bad.push(`"${text}" of lane ${lane} is cut off`);
      }
      return [grid.scroll.scrollWidth > grid.scroll.clientWidth, bad, seen];
    });
    equal(wide, false, "all lanes are in sight");
    equal(bad, [], "cells");
    ok(seen > 400, `${seen} cells`);
    const [download] = await Promise.all([page.waitForEvent("download"), act(page, "exportSvg")]);
    const svg = readFileSync(await download.path(), "utf8");
    for (const value of ["1000", "124", "34"]) ok(svg.includes(`>${value}</text>`), `${value} is not in the picture`);
    ok((svg.match(/rotate\(90 /g) ?? []).length > 300, "the numbers run downwards");
    await page.setViewportSize({width: 700, height: 800});
    await act(page, "zoomOut", "zoomOut");
    equal(await page.evaluate(() => [...document.querySelectorAll(".row .cell[data-lane].value:not(.joined), .row .cell.offer")].filter((cell) => cell.textContent === "").length), 0, "at the narrowest");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "both languages, throughout": async (browser) => {
    const page = await open(browser, view("block/sum", "--lang", "ko"));
    const texts = () => [...document.querySelectorAll("body *")]
      .filter((element) => element.children.length === 0 && element.offsetParent && !element.closest(".title, #sentence, #code, script, #subtitle, h1"))
      .map((element) => element.textContent.trim()).concat([...document.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label")));
    await act(page, "forward", "forward");
    equal(await page.evaluate(() => document.documentElement.lang), "ko", "language");
    const korean = await page.evaluate(texts);
    ok(korean.some((text) => text.includes("레지스터")), "no Korean");
    for (const text of korean) ok(!/\b(Step|Registers|Buffers|Diagnostics|Program|active|undefined|changed|cycle)\b/.test(text) || /[%.]/.test(text), `English in Korean: ${text}`);
    await act(page, "language");
    const english = await page.evaluate(texts);
    for (const text of english) ok(!/[가-힣]/.test(text) || /한국어/.test(text), `Korean in English: ${text}`);
    for (const text of [...korean, ...english]) ok(!/\{[a-z가-힣/]+\}/.test(text), `left open: ${text}`);
    await close(page);
  },
  "a breakpoint on a line that is folded away is stopped at": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked"));
    await act(page, "fold");
    const line = await page.evaluate(() => {
      const {trace} = window.warpsim.view, found = trace.events.findIndex((event, k) => event.op === "max" && !trace.moves(k));
      const button = document.querySelector(`#code [data-line="${window.warpsim.view.lineOf(found)}"] button`);
      button.focus();
      button.click();
      return document.activeElement.closest("li")?.dataset.line ?? "the focus is lost";
    });
    await act(page, "run");
    equal(await page.evaluate(() => [window.warpsim.view.trace.events[window.warpsim.view.event].op, document.querySelector("#code .current").dataset.line]), ["max", line], "stopped");
    await close(page);
  },
  "the keyboard alone": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked"));
    const now = () => page.evaluate(() => ({n: window.warpsim.view.n, row: window.warpsim.view.currentRow}));
    const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
    await press("j", "ArrowRight", "k");
    equal(await now(), {n: 1, row: 0}, "J, right, K");
    await press("s");
    equal(await now(), {n: 9, row: 8}, "the next shuffle: not the vote before it");
    await press("b", "r");
    equal(await now(), {n: 14, row: 13}, "to the breakpoint");
    equal(await page.evaluate(() => document.querySelectorAll("#code [aria-pressed=true]").length), 1, "breakpoints");
    await press("g");
    equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "gridcell", "focus");
    await press("ArrowRight", "ArrowUp", "End");
    equal(await page.evaluate(() => [document.activeElement.dataset.lane, document.activeElement.closest(".row").dataset.row]), ["7", "12"], "in the grid");
    equal(await page.evaluate(() => document.querySelectorAll('[role=gridcell][tabindex="0"]').length), 1, "tab stops");
    await press("Home", "Control+Home", "Enter");
    equal(await now(), {n: 1, row: 0}, "Enter goes there");
    await press("?");
    ok(await page.evaluate(() => document.getElementById("help").open), "? opens the keys");
    equal(await page.evaluate(() => { const {scrollTop} = document.getElementById("help"); return [scrollTop, document.querySelectorAll("#help .sign").length > 20]; }), [0, true], "from its beginning, with the signs");
    await press("Escape");
    ok(await page.evaluate(() => !document.getElementById("help").open), "Escape closes them");
    await press("l", "h");
    equal(await now(), {n: 0, row: -1}, "to the end and the start");
    await press(" ");
    await page.evaluate(() => document.activeElement.blur());
    await press(" ");
    await until(page, () => window.warpsim.view.currentRow > 0);
    await press(" ");
    for (let k = 0; k < 24; ++k) await press("Tab");
    ok(await page.evaluate(() => document.activeElement !== document.body), "Tab reaches something");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "prediction hides what comes, and tells right from wrong": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked"));
    await act(page, "predict");
    equal(await page.evaluate(() => document.querySelector('.row[data-event="8"] [data-lane="0"]').textContent), "?", "hidden");
    const asked = () => page.evaluate(() => Number(/Lane (\d+) executes shfl/.exec(document.getElementById("predictPanel").textContent)[1]));
    const said = () => page.evaluate(() => document.querySelector(".said").textContent);
    // By hand: a distance of four, then of two, among 8 10 12 1000 8 10 12 1000.
    await page.fill("#guess", String([8, 10, 12, 1000, 0, 2, 4, 6][await asked()]));
    await page.keyboard.press("Enter");
    ok(/Right/.test(await said()), await said());
    equal(await page.evaluate(() => window.warpsim.view.n), 9, "each answer is a step");
    await page.click("#predictPanel button");
    equal(await page.evaluate(() => window.warpsim.view.n), 13, "on to the next exchange");
    const value = [12, 1000, 8, 10, 12, 1000, 8, 10][await asked()];
    await page.fill("#guess", "7");
    await page.keyboard.press("Enter");
    ok(new RegExp(`Not quite.*holds ${value}\\.`).test(await said()), await said());
    await close(page);
  },
  "a cell lights up where its value comes from": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked"), {height: 1500});
    for (let k = 0; k < 20; ++k) await act(page, "forward");
    await page.hover('.row[data-event="19"] [data-lane="0"]');
    const lit = await page.evaluate(() => [...window.warpsim.view.lit.arrows].sort());
    // By hand: lane 0 heard of 1, which had heard of 3, which had heard of 7; and so on.
    equal(lit, ["13:0", "13:1", "18:0", "8:0", "8:1", "8:2", "8:3"], "arrows");
    ok((await page.evaluate(() => document.getElementById("why").textContent)).includes("0..7"), "all inputs");
    await act(page, "contributions");
    const texts = await page.evaluate(() => ["9", "14", "19"].map((event) => [...document.querySelectorAll(`.row[data-event="${event}"] [data-lane]`)].map((cell) => cell.textContent)[1]));
    equal(texts, ["1,5", "1,3,5,7", "0..7"].map((text) => text), "contributions of lane 1");
    await close(page);
  },
  "contributions that do not fit a cell: shorter, with all of them in the tooltip and to hear": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", "32"));
    await act(page, "transpose", "contributions", "last");
    const look = () => page.evaluate(() => {
      const {view} = window.warpsim, out = {};
      for (const row of document.querySelectorAll(".row")) {
        const event = view.trace.events[Number(row.dataset.event)];
        if (!["shfl.bfly", "max"].includes(event.op)) continue;
        for (const cell of row.querySelectorAll("[data-lane][data-band='0']")) {
          const whole = /\(([^()]*)\)( %\w+)?$/.exec(cell.getAttribute("aria-label"))?.[1];
          out[`${row.dataset.event}:${cell.dataset.lane}`] = [cell.textContent, cell.title || cell.textContent, whole,
            cell.scrollWidth > cell.clientWidth + 1 || cell.scrollHeight > cell.clientHeight + 1];
        }
      }
      return out;
    });
    const wide = await look();
    ok(Object.keys(wide).length > 60, "cells");
    for (const [place, [text, title, whole, cut]] of Object.entries(wide)) {
      ok(title === whole && !cut && !text.includes("…"), `${place}: "${text}" is ${whole}, the tooltip ${title}`);
      // What a stride means, apart from what the page does with it.
      const [, from, to, step] = /^(\d+)\.\.(\d+)\/(\d+)$/.exec(text) ?? [];
      if (step) equal(whole, Array.from({length: (to - from) / step + 1}, (_, k) => Number(from) + k * step).join(","), place);
    }
    // By hand: in the fourth step lane 1 hears of lane 3, which has every fourth from 3 on; then it has every second.
    const texts = Object.values(wide).map(([text]) => text);
    for (const text of ["3..31/4", "1..31/2"]) ok(texts.includes(text), `${text} is not among ${[...new Set(texts)].join(" ")}`);
    for (let k = 0; k < 9; ++k) await act(page, "zoomOut");
    const narrow = Object.values(await look());
    ok(narrow.every(([text, title, whole]) => title === whole && (text === whole || /^(\d+\.\.\d+\/\d+|\d+ of 32|\d+\/32|…|.*…)$/.test(text))), JSON.stringify(narrow.slice(0, 9)));
    const [download] = await Promise.all([page.waitForEvent("download"), act(page, "zoomFit", "exportSvg")]);
    ok(/>\d+\.\.31\/2</.test(readFileSync(await download.path(), "utf8")), "in the picture too");
    await close(page);
  },
  "the title of a phase stays in sight while its rows do, also turned": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", "8"), {width: 1280, height: 500});
    for (const turned of [false, true]) {
      if (turned) await act(page, "transpose");
      const place = await page.evaluate(async () => {
        const {warpsim} = window, {view, grid} = warpsim, {transposed} = view.geometry;
        const at = view.rows.findIndex((row) => row.title.startsWith("Step 1")) + 2;  // the phase began two rows before
        grid.scroll[transposed ? "scrollLeft" : "scrollTop"] = view.rows[at].begin;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const text = [...grid.canvas.querySelectorAll(".phase span")].find((one) => one.textContent.startsWith("Step 1"));
        const box = text?.getBoundingClientRect(), pane = grid.scroll.getBoundingClientRect();
        return box && [box.left - pane.left, box.top - pane.top];
      });
      ok(place && place[turned ? 1 : 0] < 20 && place[turned ? 0 : 1] < 60 && Math.min(...place) > -1, `the title is at ${place}`);
    }
    await close(page);
  },
  "the sentences of two traces can be read on small screens, at every step": async (browser) => {
    for (const words of [["reduce/sum_down", "twin/reduction_shared", "--lanes", "8"], ["block/sum", "block/sum", "--lanes", "32"]]) {
      const page = await open(browser, view(...words));
      for (const [width, height] of [[768, 1024], [844, 390], [390, 844]]) {
        await page.setViewportSize({width, height});
        for (const language of ["en", "ko"]) {
          const cut = await page.evaluate((wanted) => {
            const {warpsim} = window, box = document.getElementById("sentence"), cut = [];
            Object.assign(warpsim, {language: wanted, wanted: {program: false, state: false}});
            warpsim.do("first");
            warpsim.layOut();
            for (let before = ""; before !== warpsim.views.map((one) => one.n).join();) {
              before = warpsim.views.map((one) => one.n).join();
              warpsim.do("forward");
              if (box.scrollHeight > box.clientHeight + 1) cut.push(box.textContent);
              const row = document.querySelector(".pane.active .row.current").getBoundingClientRect();
              const {geometry} = warpsim.view;
              if (!geometry.transposed && row.height < 80 && row.bottom > box.closest("footer").getBoundingClientRect().top + 5) cut.push(`the footer is over row ${before}`);
            }
            return cut;
          }, language);
          equal(cut, [], `${words[0]}, ${width}x${height}, ${language}`);
          equal(await page.evaluate(frame), [], `${words[0]}, ${width}x${height}, ${language}`);
        }
      }
      await close(page);
    }
  },
  "a phone: lanes are rows, and everything fits": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", "16"), {width: 390, height: 844});
    ok(await page.evaluate(() => window.warpsim.view.transposed), "turned");
    const lanes = await page.evaluate(() => [...document.querySelectorAll(".lane")].map((lane) => lane.getBoundingClientRect()).map((box) => [box.left, box.top]));
    ok(lanes.every(([left, top], k) => k === 0 || (left === lanes[0][0] && top > lanes[k - 1][1])), "lanes below each other");
    equal(await page.evaluate(() => [document.getElementById("inspector").offsetParent, document.getElementById("program").offsetParent]), [null, null], "the grid alone");
    await act(page, "predict");
    ok(await page.evaluate(() => document.activeElement.id === "guess" && document.getElementById("inspector").offsetParent !== null), "where prediction asks is opened");
    await act(page, "predict", "showState");
    // The mask of a vote, which all lanes have, and nothing of the current row's colour beside it.
    const vote = await page.evaluate(() => {
      const {view} = window.warpsim;
      window.warpsim.motion.toRow(view.rows.findIndex((row) => row.gap === "bar"));
      const row = document.querySelector(".row.current"), text = row.querySelector(".spanning span").getBoundingClientRect();
      const bar = row.querySelector(".spanning").getBoundingClientRect(), label = row.querySelector(".labelText").getBoundingClientRect();
      const back = getComputedStyle(row, "::before");
      return [text.left >= bar.left && text.right <= bar.right && text.top > label.bottom && text.bottom < innerHeight - 100, text.height > 50,
        back.borderTopWidth, label.left === row.getBoundingClientRect().left + parseFloat(back.left)];
    });
    equal(vote, [true, true, "0px", true], "the vote");
    await page.setViewportSize({width: 1280, height: 800});
    await until(page, () => !window.warpsim.view.transposed);
    await close(page);
  },
};
