// The multiprocessor in the playground: what is changed beside it runs again and is in the link; the numbers are the command's.
import {close, equal, ok, run, until, violations} from "./pages.mjs";
import {openSite, serve, withSite} from "./site_server.mjs";

const statsOf = (...words) => JSON.parse(run("stats", "reduce/sum_down", "--case", "test", "--profile", "h200", ...words, "--json")).result.reports[0].runs[0];
const shown = (page) => page.evaluate(() => window.warpsim.view.timing?.statistics ?? null);

/** Moves a slider as a hand does: its value, then that it is let go. */
const slide = (page, id, value) => page.evaluate(([name, to]) => {
  const range = document.getElementById(name);
  range.value = to;
  for (const kind of ["input", "change"]) range.dispatchEvent(new Event(kind, {bubbles: true}));
}, [id, String(value)]);
const cycles = async (page, expected) => {
  for (const begun = Date.now(); Date.now() - begun < 30000; await new Promise((resolve) => setTimeout(resolve, 50)))
    if ((await shown(page))?.cycles === expected) return;
  throw new Error(`${(await shown(page))?.cycles} cycles, not ${expected}`);
};

export const tests = {
  "warps, blocks, SMs and scheduler are chosen beside the multiprocessor, run again, and are in the link": async (browser) => {
    const server = await serve();
    try {
      const page = await openSite(browser, server, "play.html#v=1&program=reduce/sum_down");
      equal(await page.evaluate(() => document.getElementById("watch").hidden), true, "no time, no multiprocessor");
      await page.selectOption("#profiles", "h200");
      await cycles(page, statsOf().cycles);
      await slide(page, "launch-launchWarps", 32);
      await cycles(page, statsOf("--block", "1024", "--param", "size=1024").cycles);
      const many = await shown(page);
      equal(await page.evaluate(() => document.getElementById("watchSums").textContent), `${many.cycles} cycles · ${many.instructions} instructions · ${many.roofline.instructions_a_cycle.toFixed(3)} a cycle on an SM`, "said");
      equal(many, statsOf("--block", "1024", "--param", "size=1024"), "every number is the command's");
      await slide(page, "launch-launchWarps", 1);
      await cycles(page, statsOf().cycles);
      const one = await shown(page), idle = ({sub_cores, cycles: all}) => sub_cores[0].none_eligible / all;
      ok(idle(one) > 0.95 && idle(many) < 0.75, `one warp waits, eight do not: ${idle(one)}, ${idle(many)}`);
      await slide(page, "launch-launchBlocks", 8);
      await until(page, () => window.warpsim.view.timing.statistics.sms === 8);
      await page.selectOption("#launch-launchSms", "1");
      const eight = statsOf("--grid", "8", "--sms", "1", "--param", "size=256");
      await cycles(page, eight.cycles);
      await slide(page, "launch-launchResident", 1);
      const alone = statsOf("--grid", "8", "--sms", "1", "--param", "size=256", "--resident-blocks", "1");
      await cycles(page, alone.cycles);
      ok(alone.cycles > 7 * eight.cycles, "one block at a time hides nothing");
      await page.selectOption("#launch-launchScheduler", "gto");
      await until(page, () => window.warpsim.view.trace.scheduler === "gto");
      await until(page, () => ["grid=8", "resident=1", "sms=1", "scheduler=gto", "given="].every((one) => location.hash.includes(one)));
      const other = await openSite(browser, server, `play.html${new URL(page.url()).hash}`);
      equal(await shown(other), statsOf("--grid", "8", "--sms", "1", "--param", "size=256", "--resident-blocks", "1", "--scheduler", "gto"), "the link's run");
      await other.click("#launchAsCase");
      await cycles(other, statsOf().cycles);
      equal(await other.evaluate(() => document.getElementById("launchAsCase")), null, "as the case has it");
      for (const each of [page, other]) {
        equal(each.faults, [], "faults");
        await close(each);
      }
    } finally {
      server.close();
    }
  },

  "axe finds nothing in the playground's multiprocessor, on a phone neither, in both languages": async (browser) => {
    const server = await serve();
    try {
      for (const how of [{}, {language: "ko-KR", dark: true}, {width: 390, height: 844}]) {
        const page = await openSite(browser, server, "play.html#v=1&program=reduce/sum_down&profile=h200&block=256&grid=2&watch=1", how);
        equal(await page.evaluate(() => document.getElementById("watch").hidden), false, "it is shown");
        equal(await violations(page), [], JSON.stringify(how));
        equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "nothing sticks out");
        equal(page.faults, [], "faults");
        await close(page);
      }
    } finally {
      server.close();
    }
  },

  "what a link cannot mean is left out": withSite(async (open) => {
    const page = await open("play.html#v=1&program=reduce/sum_down&profile=h200&sms=0&scheduler=best&resident=-1&grid=99999&block=x");
    equal(await page.evaluate(() => ["sms", "scheduler", "resident", "grid", "block"].map((name) => window.playground.chosen[name])), ["", "", "", "", ""], "nothing of it");
    equal(await shown(page), statsOf(), "as the case has it");
  }),
};
