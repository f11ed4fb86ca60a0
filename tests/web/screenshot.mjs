// The picture of the page in docs/learn.md: `node screenshot.mjs FILE.png`, with the command's path in WARPSIM.
import {close, launch, open, view} from "./pages.mjs";

const browser = await launch();
const page = await open(browser, view("p26/butterfly_parallel_max", "--case", "worked"), {width: 1160, height: 680, asOpened: true});
await page.evaluate(() => ["fold", "nextShuffle", "nextShuffle"].forEach((one) => window.warpsim.do(one)));
await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
await page.screenshot({path: process.argv[2]});
await close(page);
await browser.close();
