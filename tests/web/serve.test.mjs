// The page from `warpsim view --serve`: it loads again when the file changes and stays at its step; a mistake in the file is shown
// until it is corrected.
import {spawn} from "node:child_process";
import {renameSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {close, equal, folder, ok, until, warpsim} from "./pages.mjs";

const text = (opcode) => `.kernel served (in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ)
        ld.global.u32 %own, input[%gtid]
        ${opcode} %own, %own, 1
        shfl.bfly.b32 %other, %own, 1
        st.global.u32 output[%gtid], %other
        exit
.case test
    input = i
`;

function save(file, opcode) {
  writeFileSync(`${file}~`, text(opcode));
  renameSync(`${file}~`, file);
}

/** Starts a server; resolves to its process and its address. null: this warpsim was built without it. */
const serve = (file) => new Promise((resolve, reject) => {
  const child = spawn(warpsim, ["view", file, "--lanes", "4", "--serve", "--port", "0"]);
  let said = "";
  child.stderr.on("data", (words) => (said += words));
  child.stdout.on("data", (words) => resolve({child, address: String(words).trim()}));
  child.on("exit", (code) => (code === 5 ? resolve(null) : reject(new Error(said))));
});

/** until(), for a page that may load again while it is asked. */
const untilLoaded = (page, condition) => until({evaluate: (what) => page.evaluate(what).catch(() => false)}, condition);

async function followsTheFile(browser, file, address) {
  const context = await browser.newContext(), page = await context.newPage(), faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(address);
  await untilLoaded(page, () => document.documentElement.dataset.ready);
  await page.evaluate(() => ["first", "forward", "forward", "forward"].forEach((one) => window.warpsim.do(one)));
  await untilLoaded(page, () => location.hash.includes("step=3"));

  save(file, "sub.u32");
  await untilLoaded(page, () => document.documentElement.dataset.ready && document.body.textContent.includes("sub.u32"));
  equal(await page.evaluate(() => window.warpsim.view.n), 3, "the step after the page was loaded again");

  save(file, "sb.u32");
  await untilLoaded(page, () => document.querySelector("pre[role=alert]"));
  const error = await page.evaluate(() => document.querySelector("pre[role=alert]").textContent);
  ok(error.includes("unknown opcode `sb.u32`") && /\n +\| +\^~/.test(error), `the error with its caret: ${error}`);

  save(file, "mul.lo.u32");
  await untilLoaded(page, () => document.documentElement.dataset.ready && document.body.textContent.includes("mul.lo.u32"));
  equal(await page.evaluate(() => window.warpsim.view.n), 3, "the step after the error was corrected");
  equal(faults, [], "faults in the page");
  await close(page);
}

export const tests = {
  async "a served page loads again and stays at its step"(browser) {
    const file = join(folder, "served.warp");
    save(file, "add.u32");
    const served = await serve(file);
    if (!served) return;
    const ended = new Promise((resolve) => served.child.on("exit", resolve));
    try {
      await followsTheFile(browser, file, served.address);
    } finally {
      served.child.kill("SIGINT");
    }
    equal(await ended, 0, "the exit code after Ctrl-C");
  },
};
