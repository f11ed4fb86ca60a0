// ajv holds SARIF against the schema of SARIF 2.1.0, which npm brings (Microsoft's jest-sarif has it whole): the sample that
// tests/tools/report/sarif_test.cpp compares with what is written, and what `warpsim check` writes.
import {readFileSync} from "node:fs";
import Ajv from "ajv";
import {equal, ok, run} from "./pages.mjs";

const here = (path) => new URL(path, import.meta.url);
const read = (path) => JSON.parse(readFileSync(here(path), "utf8"));

const schema = read("./node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
delete schema.$schema;  // draft 4; what it uses of that means the same in draft 7, which ajv has
delete schema.id;
const isUri = (text, base) => {
  try {
    return Boolean(new URL(text, base)) && /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/.test(text) && !/%(?![0-9A-Fa-f]{2})/.test(text);
  } catch {
    return false;
  }
};
const ajv = new Ajv({allErrors: true, strict: false, unicodeRegExp: false, formats: {
  "uri": (text) => isUri(text), "uri-reference": (text) => isUri(text, "file:///root/"), "date-time": true}});
const validate = ajv.compile(schema);
/** What is wrong with a SARIF log, as texts. */
export const faults = (log) => (validate(log) ? [] : validate.errors.map((one) => `${one.instancePath} ${one.message}`));

const sample = () => read("../tools/report/check_sample.sarif");

export const tests = {
  "the sample of SARIF fits the schema of SARIF 2.1.0": async () => equal(faults(sample()), [], "the sample"),
  "what check finds in every mistake fits it, too, and names every code once as a rule": async () => {
    const log = JSON.parse(run("check", "bugs", "--advice", "--error-exitcode", "0", "--sarif", "-"));
    equal(faults(log), [], "check bugs");
    const {results, tool: {driver: {rules}}} = log.runs[0];
    ok(results.length > 76, `${results.length} results of 76 mistakes`);
    const codes = new Set(results.map((result) => result.ruleId));
    // What no text of the assembly can do: fall off the end, be stopped from outside, and what kernels from PTX alone do.
    const ofNoText = ["WS0107", "WS0703", "WS0706", "WS0708", "WS0709", "WS0710", "WS0711",
      "WS1001", "WS1002", "WS1003", "WS1004", "WS1005", "WS1006", "WS1007", "WS1008", "WS1009"];  // of the host of a CUDA program
    equal(rules.map((rule) => rule.id).filter((id) => !codes.has(id)), ofNoText, "codes that no mistake shows");
    ok(results.every((result) => rules[result.ruleIndex].id === result.ruleId), "the index is the rule's");
  },
  "and the schema refuses it damaged": async () => {
    const damages = [
      (run) => { delete run.results[0].message; },
      (run) => { run.results[0].level = "advice"; },
      (run) => { run.results[0].lanes = "0xf"; },
      (run) => { run.results[0].locations[0].physicalLocation.region.startLine = 0; },
      (run) => { run.results[0].locations[0].physicalLocation.artifactLocation.uri = "a b.warp"; },
      (run) => { run.results[0].codeFlows[0].threadFlows[0].locations = []; },
      (run) => { run.results[1].suppressions[0].kind = "file"; },
      (run) => { run.results[0].partialFingerprints.other = 5; },
      (run) => { delete run.tool.driver.name; },
      (run) => { run.tool.driver.rules[0].defaultConfiguration.level = "wrong"; },
      (run) => { run.columnKind = "bytes"; },
      (run) => { delete run.invocations[0].executionSuccessful; },
    ];
    for (const damage of damages) {
      const log = sample();
      damage(log.runs[0]);
      ok(faults(log).length > 0, damage.toString());
    }
  },
};
