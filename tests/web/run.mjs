// The tests of the page, in browsers. `node run.mjs [WORD]` runs those whose names hold WORD: in two processes, each with a browser
// of its own, which take one test after the other. With SITE, a folder, those of the site that lies there, without it the others.
// With PART, K/N, the Kth of N parts of them.
import {fork} from "node:child_process";
import {readdirSync} from "node:fs";
import {fileURLToPath} from "node:url";

const kWorkers = 2;
// The longest first, so that the two end together.
const kFirst = ["steps.test.mjs", "looks.test.mjs"];
const rank = (file) => (kFirst.indexOf(file) + kFirst.length + 1) % (kFirst.length + 1);
const files = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.mjs"))
  .filter((name) => name.startsWith("site_") === Boolean(process.env.SITE))
  .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));

/** Runs what the parent names and says how it went. */
async function work() {
  const {launch} = await import("./pages.mjs");
  const browser = await launch();
  process.on("message", async (message) => {
    if (!message) {
      await browser.close();
      process.exit(0);  // a server that a failed test left would keep it
    }
    const {tests} = await import(`./${message.file}`);
    const begun = Date.now();
    try {
      const skipped = await tests[message.name](browser);  // why, if it was
      process.send({text: skipped ? `skip  ${message.name}: ${skipped}` : `ok    ${message.name} (${Date.now() - begun} ms)`, failed: false, skipped: Boolean(skipped)});
    } catch (error) {
      process.send({text: `FAIL  ${message.name}: ${error.stack}`, failed: true});
    }
  });
  process.send({});
}

async function main() {
  const wanted = process.argv[2] ?? "", all = [];
  for (const file of files) {
    const {tests} = await import(`./${file}`);
    for (const name of Object.keys(tests)) if (`${file} ${name}`.includes(wanted)) all.push({file, name});
  }
  const [part, parts] = (process.env.PART ?? "1/1").split("/").map(Number);
  const queue = all.filter((_, k) => k % parts === part - 1);
  const count = queue.length;
  let failed = 0, done = 0, left = 0;
  const one = () => new Promise((resolve) => {
    const child = fork(fileURLToPath(import.meta.url));
    child.on("message", ({text, failed: bad, skipped}) => {
      if (text) {
        console.log(text);
        ++done;
        if (bad) ++failed;
        if (skipped) ++left;
      }
      child.send(queue.shift() ?? null);
    });
    child.on("exit", resolve);
  });
  await Promise.all(Array.from({length: Math.min(kWorkers, count)}, one));
  failed += count - done;  // a process that died took its test along
  console.log(failed === 0 ? `${count} tests: all passed${left > 0 ? `, ${left} skipped` : ""}` : `${failed} of ${count} tests failed`);
  process.exit(failed === 0 && count > 0 ? 0 : 1);
}

await (process.send ? work() : main());
