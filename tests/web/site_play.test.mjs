// The playground in a browser: running, editing, links, and programs and links that mean harm.
import {execFileSync} from "node:child_process";
import {readdirSync} from "node:fs";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {deflateRawSync} from "node:zlib";
import {close, equal, ok, run, until} from "./pages.mjs";
import {openSite, ready, serve, site, withSite} from "./site_server.mjs";

const packed = (text) => deflateRawSync(text).toString("base64url");
const title = (page) => page.evaluate(() => document.getElementById("subtitle").textContent);
const results = (page) => page.evaluate(() => (document.getElementById("results").hidden ? "" : document.getElementById("resultsText").textContent));
const setText = (page, from, to) => page.evaluate(([a, b]) => {
  const {editor} = window.playground;
  editor.text = editor.text.replaceAll(a, b);
}, [from, to]);
const openEditor = async (page) => {
  await page.click("#editSwitch");
  await until(page, () => window.playground.editor?.ready);
};

const kTriple = ".kernel f (out o: u32[size], param size: u32 = WARP_SZ)\n    mul.lo.u32 %x, %laneid, 3\n    st.global.u32 o[%laneid], %x\n    exit\n.case test\n    expect o = 3 * i\n";
const kSaxpy = `.version 8.0
.target sm_90
.address_size 64
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
{
  .reg .pred %p; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.f32 %f1, [a]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x; setp.ge.u32 %p, %r2, %r1; @%p bra done;
  cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
  mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5]; fma.rn.f32 %f3, %f1, %f2, %f3; st.global.f32 [%rd5], %f3;
done: ret;
}
`, kSaxpyLaunch = `.kernel saxpy (in x: f32[n], inout y: f32[n], param a: f32, param n: u32)
.case test
    n = 4
    a = 2.5
    x = i
    y = 1
`;
const kForever = ".kernel f (out o: u32[1])\n    mov.u32 %n, 0\nagain: add.u32 %n, %n, 1\n    st.global.u32 o[0], %n\n    bra again\n";

export const tests = {
  "the site's scripts have the types that they say": async () => {
    execFileSync(process.execPath, [fileURLToPath(new URL("node_modules/typescript/bin/tsc", import.meta.url)), "-p",
      fileURLToPath(new URL("site.tsconfig.json", import.meta.url))], {stdio: "inherit"});
  },

  "a link shows its program, at its lanes, at its step; other choices run at once": withSite(async (open) => {
    const page = await open("play.html#v=1&program=p26/butterfly_pair_swap&lanes=8&step=6&lane=3");
    equal(await title(page), "p26/butterfly_pair_swap · 8 lanes · simulator", "subtitle");
    equal(await page.evaluate(() => [window.warpsim.view.n, window.warpsim.view.lane]), [6, 3], "the place");
    await page.selectOption("#laneCounts", "16");
    await until(page, () => window.warpsim.view.trace.lanes === 16);
    await page.selectOption("#programs", "bugs/a_stretch_for_each_lane");
    await until(page, () => window.warpsim.view.trace.name === "bugs/a_stretch_for_each_lane");
    await page.selectOption("#profiles", "h200");
    await until(page, () => window.warpsim.view.trace.profile === "h200");
    await until(page, () => location.hash.includes("profile=h200"));
  }),

  "an edited program runs, is checked, is in the link, and can be taken back": withSite(async (open) => {
    const page = await open("play.html#v=1&program=p26/butterfly_parallel_max&lanes=8");
    await openEditor(page);
    await setText(page, "max.f32", "min.f32");
    await page.click("#runButton");
    await until(page, () => window.warpsim.view.trace.outcome.passed === false);
    await page.click("#checkButton");
    await until(page, () => !document.getElementById("results").hidden && /under other schedules/.test(document.getElementById("resultsText").textContent));
    ok((await results(page)).includes("mine.warp"), await results(page));
    await until(page, () => location.hash.includes("text="));
    const other = await open(`play.html${new URL(page.url()).hash}`);
    equal(await other.evaluate(() => window.warpsim.view.trace.outcome.passed), false, "the link's run");
    await openEditor(other);
    ok(await other.evaluate(() => window.playground.editor.text.includes("min.f32")), "the link's text");
    await other.click("#revert");
    await until(other, () => window.warpsim.view.trace.outcome.passed === true);
    await until(other, () => !location.hash.includes("text="));
  }),

  "an edited program stands beside its original, a program beside its twin": withSite(async (open) => {
    const page = await open("play.html#v=1&program=p26/butterfly_parallel_max&lanes=8");
    await openEditor(page);
    await setText(page, "max.f32", "min.f32");
    await page.selectOption("#besides", "p26/butterfly_parallel_max");
    await until(page, () => window.warpsim.views.length === 2);
    equal(await page.evaluate(() => [...document.querySelectorAll(".pane")].length), 2, "grids");
    equal(await page.evaluate(() => window.warpsim.views.map(({trace}) => trace.outcome.passed)), [false, true], "edited and original");
    await page.evaluate(() => window.warpsim.do("first"));
    await page.evaluate(() => window.warpsim.do("forward"));
    const [a, b] = await page.evaluate(() => window.warpsim.views.map(({n}) => n));
    equal(a, b, "they run together");
    await page.click(".pane:nth-child(2) .cell[data-lane]");
    equal(await page.evaluate(() => window.warpsim.active), 1, "the second can be chosen");
    await page.selectOption("#besides", "");
    await until(page, () => window.warpsim.views.length === 1);
    const twins = await open("play.html#v=1&program=p26/butterfly_pair_swap&lanes=8&beside=twin/pair_swap_shared");
    equal(await twins.evaluate(() => window.warpsim.views.map(({trace}) => trace.name)), ["p26/butterfly_pair_swap", "twin/pair_swap_shared"], "the link");
    await twins.click("#compareButton");
    await until(twins, () => document.getElementById("resultsText").textContent.includes("A and B agree in `output`"));
    ok(/shuffles +1 +0/.test(await results(twins)), "the twin has none");
    ok(!(await page.locator("#compareButton").isVisible()), "one alone is compared with nothing");
  }),

  "PTX has its launch below it, inputs of it can be changed, and without one it is said how": withSite(async (open) => {
    const page = await open(`play.html#v=1&text=${packed(kSaxpy + kSaxpyLaunch)}`);
    const left = () => page.evaluate(() => window.warpsim.view.trace.outcome.outputs.y);
    equal(await left(), [0, 1, 2, 3].map((x) => 2.5 * x + 1), "as its case says");
    await page.click("#inputsSwitch");
    await page.evaluate(() => {
      const type = (/** @type {string} */ name, /** @type {string} */ text) => {
        const field = /** @type {HTMLInputElement} */ (document.querySelector(`[aria-label="${name}"]`));
        field.focus();
        field.select();
        document.execCommand("insertText", false, text);
      };
      type("a", "3");
      type("x[3]", "10");  // at once: while the run with the other `a` is on its way, which fills the fields when it ends
    });
    await until(page, () => document.querySelector("[aria-label=a]").defaultValue === "3");
    equal(await left(), [0, 1, 2, 3].map((x) => 3 * x + 1), "with the changed `a`");
    await page.keyboard.press("Tab");
    await until(page, () => window.warpsim.view.trace.outcome.outputs.y?.[3] === 31);
    await openEditor(page);
    await setText(page, ".case test", ".case");
    await until(page, () => window.playground.editor.view.root.querySelector(".cm-lintRange-error, .cm-lintPoint-error"));
    const alone = await open(`play.html#v=1&text=${packed(kSaxpy)}`);
    ok((await results(alone)).includes("Below the PTX write how it is launched"), await results(alone));
  }),

  "inputs are a table to change, numbers too, and the link has them": withSite(async (open) => {
    const page = await open("play.html#v=1&program=p26/butterfly_parallel_max&lanes=8");
    const largest = (on) => on.evaluate(() => {
      const {events} = window.warpsim.view.trace;
      return events.findLast((event) => event.memory?.access === "store").memory.values;
    });
    await page.click("#inputsSwitch");
    await page.fill("#inputFields input >> nth=2", "5000");
    await page.keyboard.press("Tab");
    await until(page, () => window.playground.data.inputs.input[2] === 5000);
    equal(await largest(page), Array(8).fill(5000), "the largest");
    equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "input[3]", "the focus");
    await until(page, () => location.hash.includes("given="));
    const other = await open(`play.html${new URL(page.url()).hash}`);
    equal(await largest(other), Array(8).fill(5000), "the link");
    await other.click("#inputsSwitch");
    await other.click("#asCase");
    await until(other, () => window.warpsim.view.trace.outcome.passed === true);
    equal(await largest(other), Array(8).fill(1000), "as the case has them");
    await other.fill("[aria-label=size]", "4");
    await other.keyboard.press("Tab");
    await until(other, () => window.playground.data.program.params.find(({name}) => name === "size").value === 4);
    equal(await largest(other), Array(4).fill(1000), "four of them");
    await other.fill("[aria-label=size]", "four");
    await other.keyboard.press("Tab");
    await until(other, () => document.getElementById("resultsText").textContent.includes("four"));
  }),

  "once loaded, the site goes on without a network": withSite(async (open) => {
    const page = await open("play.html#v=1&lanes=8");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.context().setOffline(true);
    await page.reload();
    await ready(page);
    await page.selectOption("#programs", "p26/butterfly_pair_swap");
    await until(page, () => window.warpsim.view.trace.name === "p26/butterfly_pair_swap");
    await openEditor(page);
    await page.context().setOffline(false);
  }),

  "what the assembler says is marked where it is, and a click puts right what it suggests": withSite(async (open) => {
    const page = await open("play.html#v=1&lanes=8");
    await openEditor(page);
    await setText(page, "max.f32", "mxa.f32");
    const marked = () => page.evaluate(() => [...window.playground.editor.view.root.querySelectorAll(".cm-lintRange-error")].map((one) => one.textContent));
    await until(page, () => window.playground.editor.view.root.querySelector(".cm-lintRange-error"));
    equal(await marked(), ["mxa.f32"], "marked");
    await page.hover("#editor .cm-lintRange-error");
    await until(page, () => window.playground.editor.view.root.querySelector(".cm-diagnosticAction"));
    await page.click("#editor .cm-diagnosticAction");
    await until(page, () => window.playground.editor.text.includes("max.f32"));
    await until(page, () => !window.playground.editor.view.root.querySelector(".cm-lintRange-error"));
  }),

  "a fix that adds, one of several, one in another line, and one that takes away apply on click": withSite(async (open) => {
    const page = await open(`play.html#v=1&text=${packed(kTriple)}&lanes=8`);
    await openEditor(page);
    const {editor} = await page.evaluate(() => ({editor: window.playground.editor.text}));
    /** Breaks the text; after a click on the fix of that name it is what it is to be. */
    const puts = async (broken, name, right) => {
      await page.evaluate((text) => { window.playground.editor.text = text; }, broken);
      const button = page.locator("#editor .cm-diagnosticAction", {hasText: name}).first();
      await until(page, () => window.playground.editor.view.root.querySelector(".cm-lintRange-error"));
      await page.hover("#editor .cm-lintRange-error");
      await button.click();
      equal(await page.evaluate(() => window.playground.editor.text), right, name);
      await page.mouse.move(5, 5);
      await until(page, () => !window.playground.editor.view.root.querySelector(".cm-lintRange-error"));
    };
    equal(editor, kTriple, "the text");
    const korean = kTriple.replace("exit", "/* 가나다 */ exit");
    await puts(korean.replace("exit", "exti"), "Put exit there", korean);
    await puts(kTriple.replace(/(mul\.lo\.u32 +%\w+), /, "$1 "), "Put , there", kTriple.replace(/(mul\.lo\.u32 +%\w+), /, "$1, "));
    await puts(kTriple.replace("mul.lo.u32", "mul.u32"), "Put mul.lo.u32 there", kTriple);
    await puts(kTriple.replace(/\n *exit/, ""), "Put exit there", kTriple);
    await puts(kTriple.replace("exit", "} exit"), "Take } away", kTriple.replace("exit", " exit"));
  }),

  "the check says what could be faster where that is asked, and the program is there as PTX": withSite(async (open) => {
    const page = await open("play.html#v=1&program=bugs/column_of_a_tile");
    await page.click("#checkButton");
    await until(page, () => !document.getElementById("adviceSwitch").hidden);
    ok(!/WS0801/.test(await results(page)), await results(page));
    await page.click("#adviceSwitch");
    await until(page, () => /WS0801/.test(document.getElementById("resultsText").textContent));
    const advised = await results(page);
    equal(await page.evaluate(() => document.activeElement.id), "adviceSwitch", "the focus");
    await page.click("#ptxButton");
    await until(page, () => document.getElementById("resultsText").textContent.includes(".visible .entry"));
    equal(await results(page), run("ptx", "bugs/column_of_a_tile").trimEnd(), "the command's");
    equal(await page.evaluate(() => document.getElementById("adviceSwitch").hidden), true, "nothing to advise of");
    await page.click("#checkButton");
    await until(page, () => !document.getElementById("adviceSwitch").hidden);
    equal(await results(page), advised, "as it was asked before");
    await openEditor(page);
    await setText(page, "exit", "exit\n        exit");
    await page.click("#ptxButton");
    await until(page, () => (document.getElementById("resultsText").textContent.match(/\bexit;|\bret;/g) ?? []).length > 1);
  }),

  "the skip link and another version's address leave the program alone": withSite(async (open) => {
    const page = await open("play.html#v=1&program=p26/butterfly_pair_swap&lanes=8&step=7");
    const here = () => page.evaluate(() => [window.warpsim.view.trace.name, window.warpsim.view.n]);
    const before = await here();
    await page.evaluate(() => { location.hash = "#panes"; });
    await page.waitForTimeout(500);
    equal(await here(), before, "the place");
  }),

  "the site's own words follow the page's language, by key and by link": withSite(async (open) => {
    const page = await open("play.html#v=1&lanes=8");
    const words = () => page.evaluate(() => [document.getElementById("runButton").textContent, document.getElementById("programs").getAttribute("aria-label")]);
    equal(await words(), ["Run", "Programs"], "English");
    await page.keyboard.press("e");
    equal(await words(), ["실행", "프로그램"], "by key");
    const korean = await open("play.html", {language: "ko-KR"});
    equal(await korean.textContent("#runButton"), "실행", "by the browser's language");
  }),

  "an emptied editor is an empty program, not the catalogue's": withSite(async (open) => {
    const page = await open("play.html#v=1&lanes=8");
    await openEditor(page);
    await page.evaluate(() => { window.playground.editor.text = ""; });
    await page.click("#runButton");
    await until(page, () => !document.getElementById("results").hidden);
    ok(!(await page.evaluate(() => document.getElementById("revert").hidden)), "it can be taken back");
    await page.click("#revert");
    await until(page, () => window.warpsim.view.trace.outcome.passed === true && document.getElementById("results").hidden);
  }),

  "what the site's pages link to is shown before there is a simulator": async (browser) => {
    const server = await serve({without: "warpsim.wasm"});
    for (const path of ["play.html", "play.html#v=1&program=scan/max&lanes=8&step=9", "lessons/scans.html", "ko/lessons/races.html"]) {
      const page = await openSite(browser, server, path, {waits: false});
      await until(page, () => window.warpsim && !document.getElementById("results").hidden);
      ok(await page.evaluate(() => document.querySelectorAll("#panes .row").length > 3), `${path}: a picture`);
      await close(page);
    }
    const edited = await openSite(browser, server, "play.html#v=1&lanes=16", {waits: false});
    await until(edited, () => !document.getElementById("results").hidden);
    ok(await edited.evaluate(() => !window.warpsim), "nothing is ready of another run");
    await close(edited);
    server.close();
  },

  "what is ready is what the simulator says, in both languages": withSite(async (open) => {
    const names = readdirSync(join(site, "ready")).map((name) => name.replace(/\.json$/, ""));
    ok(names.length > 250, `${names.length} runs`);
    for (const language of ["en", "ko"]) {
      const page = await open("play.html", {language: language === "ko" ? "ko-KR" : "en-US"});
      const others = await page.evaluate(async ([all, lang]) => {
        const {simulator} = window.playground, programs = new Map((await (await fetch("programs.json")).json()).map(({name}) => [name.replace("/", "-"), name]));
        const found = [];
        for (const name of all) {
          const [program, named, lanes, profile, beside] = name.split("~"), {ko, ...english} = await (await fetch(`ready/${name}.json`)).json();
          const options = Object.fromEntries(Object.entries({lang, case: named, lanes, profile}).filter(([, value]) => value));
          const answer = await simulator.ask({verb: "page", names: [program, beside].flatMap((one) => (one ? [programs.get(one)] : [])), options});
          const ready = lang === "ko" ? {...english, ...ko} : english;
          for (const one of [answer, ready]) delete one.data.options.lang;
          if (JSON.stringify(answer) !== JSON.stringify(ready)) found.push(name);
        }
        return found;
      }, [names.filter((_, k) => k % 4 === (language === "ko" ? 1 : 0)), language]);
      equal(others, [], language);
    }
  }),

  // Before or after the page's script, whichever comes late.
  "a simulator that cannot be loaded is said": async (browser) => {
    for (const late of ["", "play.js", "warpsim.wasm"]) {
      const server = await serve({without: "warpsim.wasm", late});
      const page = await openSite(browser, server, "play.html", {waits: false});
      await until(page, () => !document.getElementById("results").hidden);
      ok((await results(page)).startsWith("The simulator could not be loaded:"), await results(page));
      ok(await page.evaluate(() => getComputedStyle(document.getElementById("results")).visibility === "visible"), "it is to be seen");
      await close(page);
      server.close();
    }
  },

  "a link in the same tab counts, whatever the page writes into its address meanwhile": withSite(async (open) => {
    const page = await open("play.html#v=1&lanes=8&step=3");
    await page.evaluate(() => {
      location.hash = "#v=1&program=p26/butterfly_pair_swap&lanes=8&step=7";
      window.warpsim.address.write(window.warpsim);
    });
    await until(page, () => window.warpsim.view.trace.name === "p26/butterfly_pair_swap" && window.warpsim.view.n === 7);
  }),

  "keys of the page are letters in the editor": withSite(async (open) => {
    const page = await open("play.html#v=1&lanes=8");
    await openEditor(page);
    const before = await page.evaluate(() => [window.warpsim.view.n, window.warpsim.language]);
    await page.keyboard.type("jeq ");
    equal(await page.evaluate(() => [window.warpsim.view.n, window.warpsim.language]), before, "the page");
    ok(await page.evaluate(() => window.playground.editor.text.startsWith("jeq ")), "the text");
  }),

  "a program that does not end leaves the page alive, and is stopped": withSite(async (open) => {
    const page = await open("play.html#v=1&lanes=8");
    const link = `#v=1&text=${encodeURIComponent(packed(kForever))}`;
    await page.evaluate((hash) => { location.hash = hash; }, link);
    await until(page, () => !document.getElementById("stop").hidden);
    await page.evaluate(() => window.warpsim.do("forward"));
    await page.click("#stop");
    await until(page, () => /Stopped|livelock|cycles/.test(document.getElementById("resultsText").textContent));
    await page.selectOption("#programs", "p26/butterfly_pair_swap");
    await until(page, () => window.warpsim.view.trace.name === "p26/butterfly_pair_swap");
  }),

  "Stop ends also what has not begun, behind what runs": withSite(async (open) => {
    const page = await open("play.html#v=1&lanes=8");
    await page.evaluate((text) => void window.playground.simulator.ask({verb: "run", names: ["-"], files: {"-": text}, options: {}}).catch(() => {}), kForever);
    await until(page, () => window.playground.simulator.running?.request.verb === "run");
    await page.evaluate(() => { window.playground.warming = true; });  // else the next choice ends what runs
    await page.evaluate((hash) => { location.hash = hash; }, `#v=1&text=${encodeURIComponent(packed(kForever))}`);
    await until(page, () => window.playground.simulator.waiting.length === 1);
    await page.click("#stop");
    await until(page, () => document.getElementById("resultsText").textContent === "Stopped." && document.getElementById("stop").hidden);
    const left = await page.evaluate(() => [window.playground.simulator.running, ...window.playground.simulator.waiting].map((one) => one?.request.verb));
    equal(left.filter((verb) => verb && verb !== "asm"), [], "what is left, but for what the editor asks of its text");
  }),

  // Made by the first version that had links. They must open for ever.
  "old links open": withSite(async (open) => {
    const known = [["#v=1&program=p26/butterfly_pair_swap&lanes=4", "p26/butterfly_pair_swap · 4 lanes · simulator", true],
      ["#v=1&program=bugs%2Fa_stretch_for_each_lane&lanes=8&step=3", "bugs/a_stretch_for_each_lane · 8 lanes · simulator", true],
      ["#v=1&text=00vPSy3KTFRIU9DIL0pMyUlVyLe10g0GcrOBOEUhtzI7MUchJ1XBVkFJT8lATyk4MVdJRwEmaGOlZ2wQZGNpYBBkDADq&lanes=8", null, null],
      ["#v=1&text=LYq7CsIwFIb3PMW_BFRCBrMJHXwDsYNgKRLrUYJpT2lOIPj00tDxu9gvLRNFvLHjLOATsjt2KfyoN5j94kesUDUa3M7Xy6O97xUAjDnayHYtuhjo6CcKLwNXaxL7ifz0sQ7cbbk30KUOVIIoO_hEEEqyuZkGAaOBwwFB_QE&lanes=8&case=test", "f · 8 lanes · simulator", true]];
    for (const [hash, subtitle, passed] of known) {
      const page = await open(`play.html${hash}`);
      if (subtitle !== null) equal([await title(page), await page.evaluate(() => window.warpsim.view.trace.outcome.passed)], [subtitle, passed], hash);
      else ok((await results(page)).length > 0, hash);  // damaged: said, beside the first program
    }
  }),

  "a program's texts and a link cannot run script": withSite(async (open) => {
    const evil = "<img src=x onerror=pwned=1><script>pwned=1</script>", text = kTriple.replace(".kernel", `.title "${evil}"\n.kernel`);
    const links = [`#v=1&text=${packed(text)}`, `#v=1&program=${encodeURIComponent(evil)}`, `#v=1&lanes=${encodeURIComponent(evil)}&case=javascript:pwned=1`,
      "#v=1&text=%%%", "#v=1&text=" + "A".repeat(5000), `#v=1&text=${packed("x".repeat(3 << 20))}`, "#v=1&program=../../etc/passwd&profile=/etc/passwd",
      "#v=1&program=__proto__&case=constructor&step=99999999999", "#v=2&program=nothing", `#v=1&text=${packed("\n".repeat(1_000_000))}`, "#" + "\u0000&".repeat(40),
      `#v=1&text=${packed(`${evil}\n\u202e`)}`];
    let seed = 1;
    const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
    for (let k = 0; k < 30; ++k) links.push(`#v=1&${Array.from({length: 60}, () => "abvtext=&%<>\"'program12lanes/.-_"[random(32)]).join("")}`);
    const page = await open("play.html");
    const address = page.url();
    for (const link of links) {
      await page.goto("about:blank");
      await page.goto(address + link);
      await ready(page);
      equal(await page.evaluate(() => [typeof window.pwned, document.querySelectorAll("img, main script").length, Boolean(window.warpsim)]),
        ["undefined", 0, true], link.slice(0, 200));
    }
  }),
};
