// A kernel from PTX that names its source: CUDA C++ beside the PTX, steps by its lines, folded arithmetic of addresses.
import {mkdtempSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {close, embedded, equal, folder, ok, open, view} from "./pages.mjs";

// sum.cu and sum.ptx of the case that shows the same in text: line 9 calls a function of line 2, which is inlined.
const kCase = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "../cases/check/bad-check-cuda-lines.txt"), "utf8");
const place = mkdtempSync(join(folder, "source-"));
for (const name of ["sum.cu", "sum.ptx"]) {
  const text = kCase.slice(kCase.indexOf(`--- file ${name}\n`) + `--- file ${name}\n`.length);
  writeFileSync(join(place, name), text.slice(0, text.indexOf("\n--- ") + 1));
}
const kWords = ["--block", "4", "--input", "in:s32[4]=i", "--input", "out:s32[4]=0"];

const said = (page) => page.evaluate(() => ({
  line: document.querySelector("#source .current")?.dataset.line ?? "",
  callers: [...document.querySelectorAll("#source .caller")].map((item) => item.dataset.line),
  ptx: document.querySelector("#code .current")?.dataset.line ?? "",
  event: window.warpsim.view.event,
}));

export const tests = {
  "steps by lines of the source, and marks where they were inlined": async (browser) => {
    const page = await open(browser, view(join(place, "sum.ptx"), ...kWords), {asOpened: true});
    ok(await page.evaluate(() => !document.getElementById("sourceBlock").hidden), "the source is beside the program");
    ok((await page.evaluate(() => document.getElementById("source").textContent)).includes("add_neighbour(const int* s, int i)"), "its text");
    const lines = [];
    for (let k = 0; k < 6; ++k) {
      await page.evaluate(() => window.warpsim.do("nextLine"));
      lines.push((await said(page)).line);
    }
    equal(lines, ["0:7", "0:8", "0:2", "0:9", "0:10", "0:10"], "to the end of each line, and no further than the last");
    await page.evaluate(() => ["previousLine", "previousLine"].forEach((one) => window.warpsim.do(one)));
    equal(await said(page), {line: "0:2", callers: ["0:9"], ptx: "32", event: 15}, "back into the inlined function");
    ok((await page.evaluate(() => document.getElementById("sentence").textContent)).startsWith("sum.cu:2 "), "the sentence names the line");
    equal(page.faults, [], "faults");
    await close(page);
  },

  "arithmetic of addresses is folded until it is asked for": async (browser) => {
    const file = view(join(place, "sum.ptx"), ...kWords);
    const page = await open(browser, file, {asOpened: true});
    const trace = embedded(file, "trace-0"), {code} = trace.program;
    const events = () => page.evaluate(() => window.warpsim.view.rows.map((row) => row.event));
    const folded = await events();
    ok(code.some((insn) => insn.address), "there is some");
    equal(folded, trace.events.flatMap(({pc}, k) => (code[pc].address ? [] : [k])), "the others are shown");
    await page.evaluate(() => window.warpsim.do("addresses"));
    equal((await events()).length, trace.events.length, "all of it");
    await page.evaluate(() => window.warpsim.do("addresses"));
    // A breakpoint in the PTX shows its line all the same; one in the source does not unfold what belongs to no line.
    const line = code.find((insn) => insn.address).line;
    await page.evaluate((own) => window.warpsim.toggleBreakpoint(own), line);
    equal((await events()).length, folded.length + 1, "the line with the breakpoint");
    await close(page);
  },

  "breakpoints on lines of the source": async (browser) => {
    const page = await open(browser, view(join(place, "sum.ptx"), ...kWords), {asOpened: true});
    await page.evaluate(() => document.querySelector("#source li[data-line='0:8'] button").click());
    equal(await page.evaluate(() => document.querySelector("#source li[data-line='0:8'] button").getAttribute("aria-pressed")), "true", "pressed");
    await page.evaluate(() => window.warpsim.do("run"));
    equal((await said(page)).line, "0:8", "stops there");
    await page.evaluate(() => window.warpsim.do("run"));
    equal((await said(page)).line, "0:10", "and once: the line's other instructions do not stop again");
    await close(page);
  },
};
