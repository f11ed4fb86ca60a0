// What is in a page: hostile traces, two traces, large ones, pictures, and the modules themselves.
import {execFileSync} from "node:child_process";
import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {close, embedded, equal, folder, ok, open, run, show, until, view} from "./pages.mjs";

const act = (page, ...actions) => page.evaluate((list) => list.forEach((one) => window.warpsim.do(one)), actions);
const viewer = fileURLToPath(new URL("../../tools/viewer/", import.meta.url));
const kMarkup = `</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"><!--`;

export const tests = {
  "markup in a trace is text": async (browser) => {
    const trace = JSON.parse(run("trace", "p26/butterfly_parallel_max", "--case", "worked"));
    trace.program.title = kMarkup;
    trace.program.name = kMarkup;
    trace.generator.backend = kMarkup;
    trace.program.text[17] = kMarkup;
    for (const insn of trace.program.code) insn.doc = insn.text = kMarkup;
    for (const event of trace.events) if (event.phase) event.phase.title = kMarkup;
    trace.outcome.findings = [{kind: kMarkup, cycle: 9, block: 0, warp: 0, pc: 8, lanes: "0x00000001", message: kMarkup, hint: kMarkup}];
    const file = join(folder, "hostile.json");
    writeFileSync(file, JSON.stringify(trace));
    const page = await open(browser, view(file));
    await act(page, "last", "nextFinding", "contributions", "predict", "language", "exportSvg");
    ok(await page.evaluate(() => window.hacked === undefined), "a label ran");
    equal(await page.evaluate(() => [document.querySelectorAll("img").length, document.getElementById("title").textContent]), [0, kMarkup], "title");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "the policy lets nothing in": async (browser) => {
    const page = await open(browser, view("p25/basic_broadcast"));
    const ran = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "window.ran = 1";
      document.body.append(script);
      const fetched = await fetch("data:text/plain,x").then(() => true, () => false);
      return [window.ran === 1, fetched];
    });
    equal(ran, [false, false], "a script, a fetch");
    await close(page);
  },
  "two traces stand side by side, step by step": async (browser) => {
    const file = view("reduce/sum_down", "twin/reduction_shared", "--lanes", "8");
    let page = await open(browser, file);
    ok((await page.evaluate(() => document.getElementById("subtitle").textContent)).includes("phase"), "by phase");
    const traces = [embedded(file, "trace-0"), embedded(file, "trace-1")];
    const phaseAt = (trace, n) => trace.events.slice(0, n).reduce((last, event) => event.phase?.number ?? last, 0);
    for (let k = 0; k < traces[0].events.length; ++k) {
      await act(page, "forward");
      const [a, b] = await page.evaluate(() => window.warpsim.views.map((one) => one.n));
      equal(phaseAt(traces[1], b), phaseAt(traces[0], a), `the phase at step ${k + 1}`);
    }
    await act(page, "last");
    equal(await page.evaluate(() => window.warpsim.views.map((one) => one.n)), traces.map((trace) => trace.events.length), "the ends");
    await close(page);
  },
  "two programs side by side show collectives as the shuffles that a GPU runs": async () => {
    const opcodes = (file, which) => embedded(file, which).program.code.map((insn) => insn.op);
    const file = view("p26/warp_inclusive_prefix_sum", "scan/hillis_steele_inclusive", "--lanes", "8");
    ok(opcodes(file, "trace-0").includes("shfl.up") && !opcodes(file, "trace-0").includes("scan.add"), "no scan in one step");
    const recorded = join(folder, "one_step.json");
    writeFileSync(recorded, run("trace", "p26/warp_inclusive_prefix_sum", "--lanes", "8"));
    ok(opcodes(view("p26/warp_inclusive_prefix_sum", recorded), "trace-0").includes("scan.add"), "beside a trace as the trace has it");
  },
  "where two traces differ is marked, said, and gone to: registers, predicates, memory": async (browser) => {
    const changed = JSON.parse(run("trace", "p26/butterfly_parallel_max", "--case", "worked"));
    const exchanges = changed.events.flatMap((event, k) => (event.exchange ? [k] : []));
    const store = changed.events.findIndex((event) => event.memory?.access === "store");
    changed.events[exchanges[0]].writes.find((write) => write.reg === "%other").values[3] = 77;
    changed.events[exchanges[1]].writes.find((write) => write.reg === "%there").values[5] = false;
    changed.events[store].memory.values[2] = 5;
    const other = join(folder, "changed.json");
    writeFileSync(other, JSON.stringify(changed));
    const page = await open(browser, view("p26/butterfly_parallel_max", other));
    ok((await page.evaluate(() => document.getElementById("subtitle").textContent)).includes("occurrence"), "by instruction");
    const wanted = [exchanges[0], exchanges[1], store];
    equal(await page.evaluate(() => window.warpsim.views.map((one) => [...one.differences.keys()])), [wanted, wanted], "the steps that differ");
    const seen = [];
    for (const _ of wanted) {
      await page.keyboard.press("x");
      seen.push(await page.evaluate(() => [window.warpsim.view.event, document.querySelector(".compared").textContent]));
    }
    equal(seen.map(([event]) => event), wanted, "X goes to each");
    ok(seen[0][1].includes("Lane 3 %other") && seen[0][1].includes("77 there"), seen[0][1]);
    ok(seen[1][1].includes("Lane 5 %there: true here, false there"), seen[1][1]);
    ok(seen[2][1].includes("output[2] = 5 there"), seen[2][1]);
    await page.keyboard.press("X");
    equal(await page.evaluate(() => window.warpsim.view.event), wanted[1], "and back");
    await act(page, "first", "nextDifference");
    const cells = await page.evaluate(() => [...document.querySelectorAll(".row.current .differs")].map((cell) => [cell.dataset.lane, cell.getAttribute("aria-label")]));
    equal(cells.map(([lane]) => lane), ["3", "3"], "marked in both");
    ok(cells[1][1].includes("differs: 77 here"), cells[1][1]);
    equal(page.faults, [], "faults");
    await close(page);
  },
  "two traces: forwards and back, every step of both is current once, in sight, beside what it belongs to": async (browser) => {
    const page = await open(browser, view("reduce/sum_down", "twin/reduction_shared", "--lanes", "8"));
    const walked = await page.evaluate(() => {
      const {warpsim} = window, {views} = warpsim, phases = views.map(({trace}) => {
        let number = 0;
        return trace.events.map((event) => (number = event.phase?.number ?? number));
      });
      const seen = [new Set(), new Set()], faults = [], forwards = [];
      const look = () => views.forEach((view, k) => {
        const at = view.currentRow;
        seen[k].add(at);
        const box = warpsim.grids[k].scroll.getBoundingClientRect(), row = warpsim.grids[k].canvas.querySelector(".row.current")?.getBoundingClientRect();
        if (at >= 0 && (!row || row.top < box.top || row.bottom > box.bottom)) faults.push(`row ${at} of trace ${k} is not in sight`);
        if (k === 1 && views[0].event >= 0 && view.event >= 0 && phases[0][views[0].event] !== phases[1][view.event]) faults.push(`row ${at} in another phase`);
      });
      for (const action of ["forward", "back"]) {
        const path = [];
        for (let last = ""; ;) {
          const rows = views.map((view) => view.currentRow), now = rows.join();
          if (now === last) break;
          if (path.length > 0 && rows.some((row, k) => Math.abs(row - path[path.length - 1][k]) > 1)) faults.push(`${path[path.length - 1]} to ${rows}`);
          path.push(rows);
          last = now;
          look();
          warpsim.do(action);
        }
        if (action === "back") {
          if (JSON.stringify(path.reverse()) !== JSON.stringify(forwards)) faults.push("back is another way");
        } else forwards.push(...path);
      }
      return [faults, seen.map((rows, k) => rows.size - 1 - views[k].rows.length), forwards.length > views[1].rows.length];
    });
    equal(walked, [[], [0, 0], true], "the way");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "two traces of one program can be told apart": async (browser) => {
    const files = ["4", "8"].map((lanes) => {
      const file = join(folder, `of${lanes}.json`);
      run("trace", "reduce/sum_down", "--lanes", lanes, "-o", file);
      return file;
    });
    const page = await open(browser, view(...files));
    const said = () => page.evaluate(() => [document.getElementById("title").textContent, ...[...document.querySelectorAll(".paneName")].map((name) => name.textContent)]);
    const [title, one, two] = await said();
    ok(title.includes("1: of4.json, 4 lanes") && title.includes("2: of8.json, 8 lanes"), title);
    ok(one.includes("1: of4.json, 4 lanes · reduce/sum_down") && two.includes("2: of8.json, 8 lanes"), `${one} ${two}`);
    await show(page, view("reduce/sum_down", "reduce/sum_down", "--lanes", "4"));
    equal((await said()).slice(1).map((text) => text.slice(0, 4)), ["1 · ", "2 · "], "the same twice");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "two versions of a program: what they share stands beside each other, a changed line beside what it was, a new one alone": async (browser) => {
    const textOf = (name) => JSON.parse(run("show", name, "--json")).result.text;
    const was = textOf("p26/butterfly_parallel_max"), file = (name, text) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    };
    const edited = file("edited.warp", was.replace(/^( *)@%there max\.f32 (.*)$/m, "$1@%there min.f32 $2\n$1mov.f32         %new, %max_val"));
    const page = await open(browser, view(edited, "p26/butterfly_parallel_max", "--case", "worked", "--lanes", "8"));
    equal(await page.evaluate(() => document.getElementById("subtitle").textContent), "Two traces: two versions, aligned by the instructions that they share", "said");
    const [pairs, alone] = await page.evaluate(() => {
      const {warpsim} = window, [a, b] = warpsim.views, text = (view, event) => /^(?:@\S+ +)?(\S+)/.exec(view.trace.code[view.trace.events[event].pc].text)[1];
      const paired = new Set(warpsim.pairs.map(([k]) => k));
      return [warpsim.pairs.map(([k, l]) => `${text(a, k)} ${text(b, l)}`).filter((one) => new Set(one.split(" ")).size > 1),
        a.rows.map((row) => row.event).filter((k) => !paired.has(k)).map((k) => text(a, k))].map((list) => [...new Set(list)]);
    });
    equal(pairs, ["min.f32 max.f32"], "the changed line");
    equal(alone, ["mov.f32"], "the new line");
    await act(page, "first", "nextDifference");
    ok(/min/.test(await page.evaluate(() => window.warpsim.view.trace.code[window.warpsim.view.trace.events[window.warpsim.view.event].pc].text)), "X goes to where they part");
    // What shares no more than its name is aligned as before.
    const other = file("other.warp", textOf("twin/reduction_shared").replace(/\.kernel \w+/, ".kernel butterfly_parallel_max"));
    await show(page, view(other, "p26/butterfly_parallel_max", "--lanes", "8"));
    ok(!(await page.evaluate(() => document.getElementById("subtitle").textContent)).includes("versions"), "another program");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "two traces: rows that belong together stand beside each other, each has its program and breakpoints": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "twin/reduction_shared", "--lanes", "8"));
    const apart = (turned) => page.evaluate((across) => {
      const {warpsim} = window, [a, b] = warpsim.views;
      const place = (one, event) => one.rows.filter((row) => row.event === event).map(({begin, size}) => [begin, size]);
      const pairs = warpsim.pairs.filter(([k, l]) => JSON.stringify(place(a, k)) !== JSON.stringify(place(b, l)));
      warpsim.do("forward");
      const [x, y] = warpsim.grids.map((grid) => grid.canvas.querySelector(".row.current").getBoundingClientRect());
      const stand = across ? x.left === y.left && x.width === y.width : x.top === y.top && x.height === y.height;
      return [warpsim.pairs.length > 10, pairs, warpsim.view.transposed, stand];
    }, turned);
    await act(page, "nextShuffle", "nextShuffle");
    equal(await apart(false), [true, [], false, true], "side by side");
    await act(page, "transpose");
    equal(await apart(true), [true, [], true, true], "above each other");
    await act(page, "transpose", "showProgram", "breakpoint");
    const program = () => page.evaluate(() => [document.getElementById("code").textContent.includes(".shared"), document.querySelectorAll("#code [aria-pressed=true]").length]);
    equal(await program(), [false, 1], "the first program");
    await page.keyboard.press("o");
    equal(await program(), [true, 0], "the second, with its own breakpoints");
    await act(page, "run");
    equal(await page.evaluate(() => window.warpsim.view.n === window.warpsim.view.trace.events.length), true, "no breakpoint of its own");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "twenty thousand events: only the rows in sight are drawn": async (browser) => {
    const trace = JSON.parse(run("trace", "scan/hillis_steele_inclusive", "--lanes", "16"));
    const body = trace.events.slice(0, -1), end = trace.events[trace.events.length - 1];
    const events = [];
    while (events.length < 20000) for (const event of body) events.push({...event, masks: event.masks?.filter((mask) => mask.kind !== "exit"), cycle: events.length + 1});
    trace.events = [...events.map((event) => { if (!event.masks?.length) delete event.masks; return event; }), {...end, cycle: events.length + 1}];
    Object.assign(trace.outcome, {cycles: trace.events.length, instructions: trace.events.length});
    const file = join(folder, "large.json");
    writeFileSync(file, JSON.stringify(trace));
    const page = await open(browser, view(file));
    await act(page, "forward", "last", "back", "nextShuffle", "previousShuffle");
    ok(await page.evaluate(() => document.querySelectorAll(".row").length) < 80, "rows in the page");
    ok(await page.evaluate(() => document.querySelector(".row.current") !== null), "the current row is in sight");
    const over = await page.evaluate(() => [...document.querySelectorAll(".row .labelText:not(.more)")].filter((label) => {
      const widthOf = (one) => { const range = document.createRange(); range.selectNodeContents(one); return range.getBoundingClientRect(); };
      const [number, op, pane] = [widthOf(label.querySelector("b")), widthOf(label.querySelector(".op")), label.closest(".scroll").getBoundingClientRect()];
      return number.right > op.left || number.left < pane.left;
    }).length);
    equal(over, 0, "numbers of five digits beside the instructions");
    const bar = await page.evaluate(() => {
      const canvas = document.getElementById("marks"), {data} = canvas.getContext("2d").getImageData(0, canvas.height - 1, canvas.width, 1);
      return data.filter((value, k) => k % 4 === 3 && value > 0).length / canvas.width;
    });
    ok(bar < 0.5, `marks are no bar: ${bar}`);
    await page.setViewportSize({width: 390, height: 844});
    await until(page, () => window.warpsim.view.transposed);
    ok(await page.evaluate(() => Math.abs(document.getElementById("speed").getBoundingClientRect().top - document.getElementById("position").getBoundingClientRect().top) < 20), "a phone's speed beside the place");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "slices and contributions are C++'s": async (browser) => {
    const names = ["p26/butterfly_parallel_max", "p26/warp_inclusive_prefix_sum", "p26/warp_partition", "p25/broadcast_shuffle_coordination",
      "scan/blelloch", "coord/aggregated_atomics", "block/histogram", "twin/reduction_shared", "permute/transpose", "shuffle/member_masks"];
    let page;
    // Windows too: what they found when they begin is no input.
    const back = join(folder, "back.warp");
    writeFileSync(back, ".kernel back (out output: u32[8])\n        st.global.u32 output[%laneid], %laneid\n        ld.global.u32 %v, output[%laneid]\n        exit\n.case test\n");
    // And lanes that take effect in an order of their own.
    const tickets = join(folder, "tickets.warp");
    writeFileSync(tickets, ".kernel tickets (inout counter: u32[1], out output: u32[8])\n        atom.global.add.u32 %t, counter[0], %laneid\n        st.global.u32 output[%laneid], %t\n        atom.global.add.u32 %v, counter[0], %t\n        st.global.u32 output[%laneid], %v\n        exit\n.case test\n    counter = 0\n");
    // And machine code, whose instructions the trace explains, with values of 64 bits and vectors.
    const code = ["p26/butterfly_parallel_max", "permute/transpose", "shuffle/split_64", "block/sum", "coord/aggregated_atomics"]
      .map((one) => [one, "--lanes", "32", "--profile", "h200", "--timing", "machine-code"]);
    const windows = [...code, ["twin/reduction_shared", "--from", "20"], [back, "--from", "2"], [tickets, "--schedule", "fuzz:3"]];
    for (const [name, ...window] of [...names.map((one) => [one]), ...windows]) {
      const trace = join(folder, "flow.json");
      run("trace", name, ...(window.includes("--lanes") ? [] : ["--lanes", "8"]), ...window, "-o", trace);
      const file = view(trace);
      page = page ? await show(page, file) : await open(browser, file);
      const lines = execFileSync(process.env.FLOW_DUMP, [trace], {encoding: "utf8", maxBuffer: 1 << 28}).trim().split("\n");
      const wanted = lines.map((line) => JSON.parse(line));
      const wrong = await page.evaluate((list) => {
        const {dataflow} = window.warpsim.view;
        return list.filter(([event, lane, register, inputs, nodes]) => {
          const node = {event, lane, register};
          const own = dataflow.slice(node).nodes.map((one) => [one.event, one.lane, one.register]);
          const unique = (all) => [...new Set(all.map((one) => one.join(":")))].sort().join(" ");
          const all = dataflow.slice(node).nodes.sort((a, b) => b.event - a.event || a.lane - b.lane);
          const last = dataflow.latest(node, 5);
          const events = (list) => list.map((one) => one.event).join();
          if (events(last.nodes) !== events(all.slice(0, 5)) || last.more !== all.length > 5) return true;
          return dataflow.text(dataflow.contributions(node)) !== inputs || unique(own) !== unique(nodes);
        }).slice(0, 3).map(([event, lane, register, inputs]) => {
          const node = {event, lane, register};
          return [event, lane, register, inputs, dataflow.text(dataflow.contributions(node)), JSON.stringify(dataflow.slice(node).nodes)];
        });
      }, wanted);
      equal(wrong, [], `${name}, ${wanted.length} values`);
    }
    await close(page);
  },
  "pictures: the SVG is whole and has the arrows in sight, the PNG comes": async (browser) => {
    const page = await open(browser, view("p26/butterfly_parallel_max", "--lanes", "16"));
    await act(page, "nextShuffle");  // the votes before it are still in sight
    const [download] = await Promise.all([page.waitForEvent("download"), act(page, "exportSvg")]);
    const svg = readFileSync(await download.path(), "utf8");
    const counts = await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      const rows = [...document.querySelectorAll(".row")].filter((row) => {
        const k = Number(row.dataset.row), {from, to} = window.warpsim.grid.drawn;
        return k >= from && k < to;
      });
      const heads = rows.flatMap((row) => [...row.querySelectorAll(".head")]).length;
      return [parsed.querySelector("parsererror")?.textContent ?? "", heads, (text.match(/Z" fill="/g) ?? []).length];
    }, svg);
    equal(counts[0], "", "well formed");
    ok(counts[1] > 16 && counts[2] >= counts[1], `${counts[2]} heads in the picture, ${counts[1]} on the page`);
    equal(svg.match(/>0x0000ffff</g)?.length, 1, "a mask that all lanes have stands once, whole");
    await act(page, "transpose");
    const [turned] = await Promise.all([page.waitForEvent("download"), act(page, "exportSvg")]);
    const text = readFileSync(await turned.path(), "utf8");
    for (const label of ["p26/butterfly_parallel_max · 16 lanes", "Step 1: shuffle_xor", ">ld.glo", ">%max_"]) ok(text.includes(label), `turned, the picture lacks ${label}`);
    await act(page, "transpose");
    const [png] = await Promise.all([page.waitForEvent("download"), act(page, "exportPng")]);
    equal([...readFileSync(await png.path()).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47], "PNG");
    equal(page.faults, [], "faults");
    await close(page);
  },
  "the modules: types hold, names are unique, both languages have the same words": async () => {
    execFileSync(process.execPath, [fileURLToPath(new URL("node_modules/typescript/bin/tsc", import.meta.url)), "-p",
      fileURLToPath(new URL("tsconfig.json", import.meta.url))], {stdio: "inherit"});
    const order = /set\(viewer_scripts ([^)]*)\)/.exec(readFileSync(join(viewer, "CMakeLists.txt"), "utf8"))[1].trim().split(/\s+/);
    equal([...order].sort(), readdirSync(viewer, {recursive: true}).filter((name) => name.endsWith(".js")).sort(), "all modules are in the page");
    for (const file of order)
      for (const [, path] of readFileSync(join(viewer, file), "utf8").matchAll(/^import .* from "(\..*)";$/gm)) {
        const from = join(dirname(file), path);
        ok(order.includes(from) && order.indexOf(from) < order.indexOf(file), `${file} comes before ${from}, which it imports`);
      }
    const seen = new Map();
    for (const file of order) {
      for (const [, first, more] of readFileSync(join(viewer, file), "utf8").matchAll(/^(?:export )?(?:async )?(?:const|let|class|function\*?) (\w+)(.*)/gm)) {
        for (const name of [first, ...[...more.matchAll(/, (k[A-Z]\w*) = /g)].map(([, other]) => other)]) {
          ok(!seen.has(name), `${name} is in ${file} and in ${seen.get(name)}: they become one script`);
          seen.set(name, file);
        }
      }
    }
    // As a data: URL, because Node 18 takes a .js file without a package.json beside it for CommonJS.
    const words = ["words.js", "multiprocessor/words.js"].map((name) => readFileSync(join(viewer, name), "utf8").replace(/^import .*/gm, "")).join("");
    const {wordKeys} = await import(`data:text/javascript,${encodeURIComponent(words)}`);
    equal(wordKeys().ko, wordKeys().en, "words");
    ok(!/\{[^{}]*\/[^{}]*\}/.test(words), "no particle depends on a value: C++ has those");
  },
};
