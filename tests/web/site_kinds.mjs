// One page of each kind of the site, and how it is brought to what there is to see: for what is looked at on all of them.
import {until} from "./pages.mjs";
import {openSite} from "./site_server.mjs";

const click = (id) => (page) => page.evaluate((one) => document.getElementById(one).click(), id);
const kRun = "play.html#v=1&program=p26/butterfly_parallel_max&case=worked&lanes=8";

/** does: after the page is there. still: it is ready as it comes. english: there is no Korean one. */
export const kKinds = [
  {name: "front", path: "index.html"},
  {name: "programs", path: "programs.html", still: true},
  {name: "program", path: "programs/p26/butterfly_parallel_max.html", still: true},
  {name: "mistake", path: "programs/bugs/a_stretch_for_each_lane.html", still: true},
  {name: "documents", path: "text/docs/README.html", still: true, english: true},
  {name: "document", path: "text/docs/check.html", still: true, english: true},
  {name: "lessons", path: "lessons.html", still: true},
  {name: "lesson", path: "lessons/butterflies.html"},
  {name: "play", path: kRun},
  {name: "play-first", path: "play.html"},
  {name: "play-64", path: "play.html#v=1&program=reduce/sum_bfly&lanes=64&profile=h200"},
  {name: "play-beside", path: "play.html#v=1&program=p26/butterfly_pair_swap&lanes=8&beside=twin/pair_swap_shared"},
  {name: "play-edit", path: kRun, does: async (page) => {
    await click("editSwitch")(page);
    await until(page, () => window.playground.editor?.ready);
  }},
  {name: "play-inputs", path: kRun, does: click("inputsSwitch")},
  {name: "play-results", path: "play.html#v=1&program=bugs/a_stretch_for_each_lane", does: async (page) => {
    await click("checkButton")(page);
    await until(page, () => document.getElementById("resultsText").textContent.length > 20);
  }},
];

/** Opens a page of a kind in a language; the playground's is the browser's. */
export async function openKind(browser, server, kind, language, options) {
  const korean = language === "ko", path = korean && !/^(play|text)/.test(kind.path) ? `ko/${kind.path}` : kind.path;
  const page = await openSite(browser, server, path, {language: korean ? "ko-KR" : "en-US", waits: !kind.still, ...options});
  await kind.does?.(page);
  return page;
}
export const languagesOf = (kind) => (kind.english ? ["en"] : ["en", "ko"]);
