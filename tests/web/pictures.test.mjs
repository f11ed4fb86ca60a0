// Pictures that the page saves: what they hold is what the page shows.
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {close, equal, folder, ok, open, view} from "./pages.mjs";

const act = (page, ...actions) => page.evaluate((list) => list.forEach((one) => window.warpsim.do(one)), actions);

/** Saves, and returns the file's name and bytes. */
async function saved(page, action) {
  const [download] = await Promise.all([page.waitForEvent("download"), act(page, action)]);
  return {name: download.suggestedFilename(), bytes: readFileSync(await download.path())};
}

/** A program of one's own, as a file. */
function program(name, body) {
  const file = join(folder, `${name}.warp`);
  writeFileSync(file, `.kernel ${name} (in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ)\n${body}\n        exit\n.case test\n    input = i + 1\n`);
  return file;
}

/** How many pixels of a PNG have a colour of the page. */
const pixelsOf = (page, bytes, name) => page.evaluate(async ([data, variable]) => {
  const image = new Image();
  await new Promise((done, failed) => Object.assign(image, {onload: done, onerror: failed, src: `data:image/png;base64,${data}`}));
  const canvas = Object.assign(document.createElement("canvas"), {width: image.width, height: image.height});
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const colour = getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
  const {data: pixels} = context.getImageData(0, 0, image.width, image.height);
  let count = 0;
  for (let k = 0; k < pixels.length; k += 4)
    if (`#${[0, 1, 2].map((at) => pixels[k + at].toString(16).padStart(2, "0")).join("")}` === colour) ++count;
  return count;
}, [bytes.toString("base64"), name]);

export const tests = {
  "a picture of two traces has both, as they stand, with their titles": async (browser) => {
    const page = await open(browser, view("reduce/sum_down", "twin/reduction_shared", "--lanes", "8"));
    await act(page, "nextShuffle", "nextShuffle");
    for (const turned of [false, true]) {
      if (turned) await act(page, "transpose");
      const {name, bytes} = await saved(page, "exportSvg");
      equal(name, "reduce-sum_down-and-twin-reduction_shared-16-26.svg", "the name");
      const found = await page.evaluate((text) => {
        const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
        document.body.append(document.importNode(parsed.documentElement, true));
        const svg = document.body.lastElementChild;
        const place = (start) => [...svg.querySelectorAll("text")].filter((one) => one.textContent.startsWith(start)).map((one) => one.getBoundingClientRect());
        const [a] = place("1 · reduce/sum_down · simulator · 8 lanes"), [b] = place("2 · twin/reduction_shared · simulator · 8 lanes");
        const [p] = place("Step 2: shuffle_down"), [q] = place("Step 2: tile[l]");
        const places = a && b && p && q && [b.left > a.right, b.top > a.bottom, Math.abs(p.top - q.top) < 1, Math.abs(p.left - q.left) < 1];
        const inside = [...svg.querySelectorAll("text, rect")].every((one) => {
          const box = one.getBoundingClientRect(), all = svg.getBoundingClientRect();
          return box.left >= all.left - 3 && box.right <= all.right + 3 && box.bottom <= all.bottom + 3;
        });
        svg.remove();
        return [places, inside];
      }, bytes.toString());
      equal(found, [turned ? [false, true, false, true] : [true, false, true, false], true], turned ? "turned" : "side by side");
    }
    await close(page);
    const same = await open(browser, view("block/sum", "block/sum", "--lanes", "8"));
    equal((await saved(same, "exportSvg")).name, "block-sum-1-and-2-0.svg", "one program, twice");
    equal([...(await saved(same, "exportPng")).bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47], "PNG");
    equal([...page.faults, ...same.faults], [], "faults");
    await close(same);
  },
  "a picture has the page's signs: a deadlock's line, lanes at fault, hatched lanes, what is lit": async (browser) => {
    const deadlock = program("stuck", "        setp.lt.u32 %low, %laneid, 2\n        @%low bra on\n        bar.sync 0\non:     st.global.u32 output[%gtid], 1");
    const page = await open(browser, view(deadlock, "--lanes", "4"));
    for (const turned of [false, true]) {
      await act(page, ...(turned ? ["transpose"] : []), "last");
      const text = (await saved(page, "exportSvg")).bytes.toString();
      ok(text.replace(/<[^>]*>\s*/g, " ").replace(/ +/g, " ").includes("⚠ deadlock: Lanes 2-3, line 4 · Lanes 0-1, line 5"), `what stands where, turned ${turned}`);
      equal((text.match(/fill="url\(#hatch\)"/g) ?? []).length, await page.evaluate(() => document.querySelectorAll(".row .inactive").length), "hatched lanes");
      ok(await pixelsOf(page, (await saved(page, "exportPng")).bytes, "--hatch") > 150, "the PNG's hatch");
    }
    await act(page, "predict", "first");
    ok(!(await saved(page, "exportSvg")).bytes.toString().includes("deadlock"), "prediction does not tell");
    equal(page.faults, [], "faults");
    await close(page);

    const trap = await open(browser, view(program("at_fault_too", "        ld.global.u32 %a, input[%gtid]\n        add.u32 %i, %a, 3\n        st.global.u32 output[%i], %a"), "--lanes", "8"));
    await act(trap, "last");
    const plain = (await saved(trap, "exportSvg")).bytes.toString();
    const lost = await trap.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--lost").trim());
    equal((plain.match(new RegExp(`fill="${lost}"[^>]*>✕`, "g")) ?? []).length, 4, "lanes at fault");
    ok(new RegExp(`fill="${lost}"[^>]*>⚠`).test(plain), "the row's sign");
    await trap.evaluate(() => window.warpsim.grid.moveStop(2, 6, true));
    const lit = await trap.evaluate(() => document.querySelectorAll(".row .lit").length);
    const yellow = await trap.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--lit").trim());
    equal(((await saved(trap, "exportSvg")).bytes.toString().match(new RegExp(`<rect[^>]*fill="${yellow}"`, "g")) ?? []).length, lit, "what is lit");
    ok(lit >= 2, `${lit} lit`);
    equal(trap.faults, [], "faults");
    await close(trap);
  },
};
