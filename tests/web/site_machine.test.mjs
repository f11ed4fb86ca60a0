// The simulator as WebAssembly, in a browser, against the command: every program of the catalogue, byte for byte.
import {execFile} from "node:child_process";
import {createHash} from "node:crypto";
import {close, equal, ok, run, warpsim} from "./pages.mjs";
import {openSite, serve} from "./site_server.mjs";

const kLanes = ["4", "8", "16", "32", "64"];

/** What the command answers; also where it ends with another exit code than 0. */
const command = (words) => new Promise((done) => execFile(warpsim, words, {encoding: "utf8", maxBuffer: 1 << 28},
  (error, out, err) => done({code: error ? error.code : 0, out, err})));

const digest = (text) => createHash("sha256").update(text).digest("hex");

/** In the page: a worker that answers requests with the digests of their texts, so that only those travel. */
const begin = (page) => page.evaluate(() => {
  const worker = new Worker("worker.js", {type: "module"});
  const waiting = new Map();
  worker.onmessage = ({data}) => { waiting.get(data.id)?.(data); waiting.delete(data.id); };  // the first says that it is ready
  let asked = 0;
  const hex = async (text) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
  window.askFor = (request) => new Promise((done) => {
    waiting.set(++asked, done);
    worker.postMessage({id: asked, request});
  });
  window.digestsOf = async (request) => {
    const {answer, broken} = await window.askFor(request);
    return answer ? {code: answer.code, out: await hex(answer.out), err: await hex(answer.err)} : {broken};
  };
});
const answerOf = (page, request) => page.evaluate((one) => window.askFor(one), request);

/** Both answers to every one of many requests; [what differs]. `words` are the command's. */
async function differences(page, calls) {
  const different = [];
  const queue = [...calls];
  const work = async () => {
    for (let one; (one = queue.shift());) {
      const [here, there] = await Promise.all([command(one.words), page.evaluate((request) => window.digestsOf(request), one.request)]);
      const expected = {code: here.code, out: digest(here.out), err: digest(here.err)};
      if (JSON.stringify(expected) !== JSON.stringify(there)) different.push(`${one.words.join(" ")}: ${JSON.stringify(there)} is not ${JSON.stringify(expected)}`);
    }
  };
  await Promise.all([work(), work()]);
  return different;
}

async function inPage(browser, test) {
  const server = await serve(), page = await openSite(browser, server, "play.html");
  await begin(page);
  await test(page);
  equal(page.faults, [], "the page");
  await close(page);
  server.close();
}

const catalogue = () => JSON.parse(run("list", "--json", "--bugs")).result.programs;

export const tests = {
  async "every case of every program has the command's trace, and `test` at every number of lanes"(browser) {
    const calls = catalogue().flatMap(({name, cases}, k) => cases.flatMap((one, at) =>
      (one === "test" ? kLanes : [kLanes[(k + at) % kLanes.length]]).map((lanes) =>
        ({words: ["trace", name, "--case", one, "--lanes", lanes], request: {verb: "trace", names: [name], options: {case: one, lanes}}}))));
    ok(calls.length > 1500, `only ${calls.length} runs`);
    await inPage(browser, async (page) => equal(await differences(page, calls), [], "traces"));
  },

  async "findings, statistics and diagrams are the command's"(browser) {
    const calls = catalogue().filter((_, k) => k % 3 === 0).flatMap(({name}) => [["check", name, {json: true}, ["--json"]], ["stats", name, {profile: "h200", json: true}, ["--profile", "h200", "--json"]],
      ["trace", name, {format: "text", lang: "ko"}, ["--format", "text", "--lang", "ko"]], ["export", name, {to: "svg"}, ["--to", "svg"]]]
      .map(([verb, one, options, words]) => ({words: [verb, one, ...words], request: {verb, names: [one], options}})));
    await inPage(browser, async (page) => equal(await differences(page, calls), [], "answers"));
  },

  async "a program of the reader's own, PTX too, is what the command makes of the file"(browser) {
    const program = ".kernel f (out o: u32[size], param size: u32 = WARP_SZ)\n  mul.lo.u32 %x, %laneid, 3\n  st.global.u32 o[%laneid], %x\n  exit\n.case test\n  expect o = 3 * i\n";
    const ptx = run("ptx", "p26/butterfly_pair_swap");
    await inPage(browser, async (page) => {
      const own = await answerOf(page, {verb: "test", names: ["mine.warp"], files: {"mine.warp": program}});
      equal(own.answer?.code, 0, "code");
      ok(own.answer.out.startsWith("ok    f  test  at 4, 8, 16, 32, 64 lanes"), own.answer.out);
      const kernels = await answerOf(page, {verb: "kernels", names: ["mine.ptx"], files: {"mine.ptx": ptx}});
      ok(kernels.answer.out.includes("butterfly_pair_swap"), JSON.stringify(kernels));
      const wrong = await answerOf(page, {verb: "asm", names: ["mine.warp"], files: {"mine.warp": program.replace("st.global", "st.globl")}, options: {json: true}});
      equal(JSON.parse(wrong.answer.out).diagnostics.map(({code, line, column, length, hint}) => [code, line, column, length, hint]),
        [["A012", 3, 6, 5, "did you mean st.global?"]], "diagnostics");
      const cuda = await answerOf(page, {verb: "run", names: ["mine.cu"], files: {"mine.cu": "__global__ void f() {}\n"}});
      equal(cuda.answer.code, 5, "code of CUDA C++");
      ok(cuda.answer.err.includes("nvcc -arch=sm_90 -ptx"), cuda.answer.err);
    });
  },

  async "what is no request is refused, and the machine goes on"(browser) {
    await inPage(browser, async (page) => {
      const wrong = [[{}, "`verb` is a string"], [{verb: "fly"}, "there is no verb `fly`"], [{verb: "run"}, "`run` does not take 0 names"],
        [{verb: "run", names: ["a"], options: {lane: "8"}}, "did you mean `lanes`?"], [{verb: "run", names: ["a"], options: {lanes: 8}}, "`lanes` wants a string"],
        [{verb: "run", names: ["a"], options: {reconvergence: "foo"}}, "`reconvergence` is one of stack|independent"],
        [{verb: "trace", names: ["p26/butterfly_pair_swap"], options: {lang: "xx"}}, "`lang` is one of en|ko"],
        [{verb: "export", names: ["p26/butterfly_pair_swap"], options: {to: "zz"}}, "there is no form `zz`"],
        [{verb: "export", names: ["p26/butterfly_pair_swap"]}, "there is no form ``"],
        [{verb: "run", names: [3]}, "`names` is a list of strings"], [{verb: "run", names: ["x.warp"], files: {"x.warp": 1}}, "`files` is an object of strings"],
        [{verb: "run", names: ["a"], page: 1}, "a request has no `page`"], [[], "a request is a JSON object"]];
      for (const [request, says] of wrong) {
        const {answer} = await answerOf(page, request);
        equal(answer?.code, 2, JSON.stringify(request));
        ok(answer.err.includes(says), `${JSON.stringify(request)}: ${answer.err}`);
      }
      equal((await answerOf(page, {verb: "tui", names: ["a"]})).answer.code, 5, "tui");
      equal((await answerOf(page, {verb: "run", names: ["none.warp"]})).answer.code, 3, "a file that is not there");
      equal((await answerOf(page, {verb: "run", names: ["p26/butterfly_pair_swap"]})).answer.code, 0, "the next one");
    });
  },
};
