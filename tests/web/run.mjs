// The tests of the page, in a browser. `node run.mjs [WORD]` runs those whose names hold WORD.
import {readdirSync} from "node:fs";
import {launch} from "./pages.mjs";

const wanted = process.argv[2] ?? "";
const browser = await launch();
let failed = 0, ran = 0;
for (const file of readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.mjs")).sort()) {
  const {tests} = await import(`./${file}`);
  for (const [name, test] of Object.entries(tests)) {
    if (!`${file} ${name}`.includes(wanted)) continue;
    const begun = Date.now();
    ++ran;
    try {
      await test(browser);
      console.log(`ok    ${name} (${Date.now() - begun} ms)`);
    } catch (error) {
      ++failed;
      console.log(`FAIL  ${name}: ${error.stack}`);
    }
  }
}
await browser.close();
console.log(failed === 0 ? `${ran} tests: all passed` : `${failed} of ${ran} tests failed`);
process.exit(failed === 0 && ran > 0 ? 0 : 1);
