// The lessons in a browser: all can be solved, wrong answers are refused, what was written stays, and hostile progress does no harm.
import {execFileSync} from "node:child_process";
import {existsSync, readFileSync, readdirSync} from "node:fs";
import {join} from "node:path";
import {equal, ok, until} from "./pages.mjs";
import {site, withSite} from "./site_server.mjs";

const root = new URL("../..", import.meta.url).pathname, answers = join(root, "tests/data/grade");
const lessons = readdirSync(join(site, "lessons")).map((name) => name.replace(".html", ""));
const tasksOf = (page) => page.evaluate(() => [...document.querySelectorAll("section.task")].map((section) => JSON.parse(section.dataset.task)));
const section = (page, name) => page.locator("section.task").filter({has: page.locator("h2")}).and(page.locator(`[data-task*='"name":"${name}"']`));
const said = (part) => part.locator(".said").textContent();
const show = (name) => JSON.parse(execFileSync(process.env.WARPSIM, ["show", name, "--json"], {encoding: "utf8"})).result.text;
const clicked = (button) => button.evaluate((one) => one.click());  // there are hundreds: without waiting for it to be seen
const gradedBy = async (page, part) => {
  await clicked(part.locator("button", {hasText: /^(Check my|내 )/}));
  await until(page, () => [...document.querySelectorAll("section.task .said")].every((one) => !/Checking|검사하는 중/.test(one.textContent)));
};

/** Begins a task, puts a text in its place and has it checked. */
async function hand(page, name, text) {
  const part = section(page, name);
  await clicked(part.locator(".doing button").first());
  await until(page, () => window.playground.editor?.ready && window.playground.open === 0);
  await page.evaluate((all) => { window.playground.editor.text = all; }, text);
  await gradedBy(page, part);
  return part;
}

/** The answers by the run itself: for a source the exchange's, for a value what was written. */
const rightAnswers = ({program, question}) => {
  const trace = JSON.parse(execFileSync(process.env.WARPSIM, ["trace", program, "--case", question.case, "--lanes", String(question.lanes), "--format", "json"],
    {encoding: "utf8", maxBuffer: 1 << 28}));
  const event = trace.events[question.event], lanes = (mask) => Array.from({length: question.lanes}, (_, lane) => lane).filter((lane) => (BigInt(mask) >> BigInt(lane)) & 1n);
  const all = Array(question.lanes).fill("");
  if (question.register) {
    const write = event.writes.find(({reg}) => reg === question.register);
    lanes(write.lanes).forEach((lane, k) => { all[lane] = String(write.values[k]); });
  } else {
    lanes(event.exchange.lanes).forEach((lane, k) => { all[lane] = String(event.exchange.from[k]); });
  }
  return all;
};

export const tests = {
  "every lesson can be solved, and refuses what is wrong": withSite(async (open) => {
    for (const name of lessons) {
      const page = await open(`lessons/${name}.html`), tasks = await tasksOf(page);
      for (const task of tasks) {
        if (task.question) {
          const part = section(page, task.name), right = rightAnswers(task), fields = part.locator(".answers input");
          const fill = async (values) => { for (let lane = 0; lane < values.length; ++lane) if (task.question.asked[lane]) await fields.nth(lane).evaluate((one, value) => { one.value = value; }, values[lane]); };
          const first = task.question.asked.indexOf(true);
          await fill(right.map((value, lane) => (lane === first ? "77" : value)));
          await gradedBy(page, part);
          ok((await said(part)).includes(`The first is lane ${first}.`), `${task.name}: ${await said(part)}`);
          await fill(right);
          await gradedBy(page, part);
          ok((await said(part)).startsWith("Solved."), `${task.name}: ${await said(part)}`);
          continue;
        }
        const folder = join(answers, task.name.replace("/", "__")), wrong = existsSync(folder) ? readdirSync(folder).find((one) => one.startsWith("wrong_")) : undefined;
        ok(wrong, `${task.name} has a wrong answer`);
        const bad = await hand(page, task.name, readFileSync(join(folder, wrong), "utf8"));
        ok(/^(Not yet\.|It could)/.test(await said(bad)) || (await said(bad)).startsWith("Not yet"), `${task.name}: ${await said(bad)}`);
        const good = await hand(page, task.name, show(task.program));
        ok((await said(good)).startsWith("Solved."), `${task.name}: ${await said(good)}`);
      }
      equal(await page.locator(".progress").textContent(), `${tasks.length} of ${tasks.length} tasks solved`, name);
    }
  }),

  "one sees the run that is wrong, gets hints one by one, and the solution beside one's own program": withSite(async (open) => {
    const page = await open("lessons/butterflies.html");
    const wrong = show("bugs/butterfly_without_a_step").replace(/^\.case[^]*/m, ".case test\n    input = 2 * i\n");
    const part = await hand(page, "fix/butterfly_without_a_step", wrong);
    ok((await said(part)).includes("never heard lanes 1, 3"), await said(part));
    await part.locator("button", {hasText: "Show that run"}).click();
    await until(page, () => window.warpsim.view.trace.lanes === 4);
    for (const count of [1, 2, 3]) {
      await part.locator("button", {hasText: /^(Hint|Another hint)$/}).click();
      await until(page, (n) => document.querySelectorAll(".hints li").length === n, count);
    }
    ok(!(await part.locator("button", {hasText: /^(Hint|Another hint)$/}).isVisible()), "there are three");
    const solved = await hand(page, "fix/butterfly_without_a_step", show("bugs/butterfly_without_a_step_fixed"));
    await solved.locator("button", {hasText: "step by step"}).click();
    await until(page, () => window.warpsim.views.length === 2);
  }),

  "what was written and solved stays in the browser, and is a file to take along": withSite(async (open) => {
    const page = await open("lessons/butterflies.html");
    await hand(page, "p26/butterfly_pair_swap", show("p26/butterfly_pair_swap"));
    await page.goto(page.url().replace("lessons/butterflies.html", "lessons.html").replace(/#.*/, ""));
    const line = () => page.locator("[data-tasks*=butterfly_pair_swap]").textContent();
    ok((await line()).startsWith("1 of "), await line());
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#saveProgress")]);
    const file = await download.path(), saved = JSON.parse(readFileSync(file, "utf8"));
    equal(saved.tasks["p26/butterfly_pair_swap"].solved, true, "saved");
    await page.click("#clearProgress");
    ok((await line()).startsWith("0 of "), await line());
    await page.setInputFiles("#loadProgress", file);
    await until(page, () => document.querySelector("[data-tasks*=butterfly_pair_swap]").textContent.startsWith("1 of "));
    await page.setInputFiles("#loadProgress", {name: "evil.json", mimeType: "application/json", buffer: Buffer.from('{"v": 1, "tasks": {"__proto__": {"solved": true}, "x<img>": 3}}')});
    await until(page, () => document.querySelector("[data-tasks*=butterfly_pair_swap]").textContent.startsWith("0 of "));
    await page.setInputFiles("#loadProgress", {name: "no.json", mimeType: "application/json", buffer: Buffer.from("[]")});
    await until(page, () => document.getElementById("progressSaid").textContent.includes("no progress"));
  }),

  "a link of the text shows its place, and leaves what was written alone": withSite(async (open) => {
    const page = await open("lessons/butterflies.html");
    const part = section(page, "p26/butterfly_pair_swap");
    await part.locator(".doing button").first().click();
    await until(page, () => window.playground.editor?.ready);
    await page.evaluate(() => { window.playground.editor.text += "\n// mine\n"; });
    await page.locator("#lesson a[href^='#v=1']").first().click();
    await until(page, () => window.playground.chosen.text === null && window.warpsim.view.trace.name === "reduce/sum_bfly");
    ok(await part.locator("button", {hasText: "Check my program"}).isDisabled(), "what is shown is no task's");
    await part.locator("button", {hasText: "Go on"}).click();
    await until(page, () => window.playground.editor.text.includes("// mine"));
  }),

  "the lessons speak Korean": withSite(async (open) => {
    const page = await open("ko/lessons/butterflies.html");
    equal(await page.evaluate(() => [document.documentElement.lang, window.warpsim.language, document.getElementById("runButton").textContent]), ["ko", "ko", "실행"], "language");
    const part = section(page, "fix/butterfly_without_a_step");
    await part.locator(".doing button").first().click();
    await until(page, () => window.playground.editor?.ready);
    await gradedBy(page, part);
    ok(/[가-힣]/.test(await said(part)) && !/never heard/.test(await said(part)), await said(part));
  }),
};
