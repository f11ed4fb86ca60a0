// Pictures of every kind of page of the site, at four widths, in both languages and themes, to look at: `SITE=build/site node
// tests/web/site_pictures.mjs FOLDER [WORD]`, those whose names hold WORD.
import {mkdirSync} from "node:fs";
import {join} from "node:path";
import {close, launch} from "./pages.mjs";
import {kKinds, languagesOf, openKind} from "./site_kinds.mjs";
import {kWidths} from "./site_looks.test.mjs";
import {serve} from "./site_server.mjs";

const [folder, word = ""] = process.argv.slice(2);
if (!folder) {
  console.error("usage: SITE=build/site node tests/web/site_pictures.mjs FOLDER [WORD]");
  process.exit(2);
}
mkdirSync(folder, {recursive: true});
const browser = await launch(), server = await serve();
for (const kind of kKinds)
  for (const language of languagesOf(kind))
    for (const width of kWidths)
      for (const dark of [false, true]) {
        const name = `${kind.name}-${language}-${width}${dark ? "-dark" : ""}.png`;
        if (!name.includes(word)) continue;
        const page = await openKind(browser, server, kind, language, {width, height: width < 500 ? 740 : 900, dark});
        await page.screenshot({path: join(folder, name)});
        await close(page);
        console.log(name);
      }
await browser.close();
server.close();
