// ajv, the second of two validators that share nothing, holds the traces of all programs against `warpsim schema`; the first is
// python3-jsonschema, in tests/traces/schema_test.cpp.
import Ajv2020 from "ajv/dist/2020.js";
import {equal, ok, run} from "./pages.mjs";

const schema = JSON.parse(run("schema"));
const ajv = new Ajv2020({allErrors: false, strict: false});
ajv.addSchema(schema, "trace");
const check = (part, value) => {
  const validate = ajv.getSchema(part === "" ? "trace" : `trace#/$defs/${part}`);
  return validate(value) ? "" : `${validate.errors[0].instancePath} ${validate.errors[0].message}`;
};
const checkRecords = (text) => {
  const records = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  return [check("head", records[0]), ...records.slice(1, -1).map((one) => check("event", one)),
    check("last_record", records.at(-1))].filter((fault) => fault !== "");
};

export const tests = {
  "traces of all programs fit the schema": async () => {
    for (const name of run("list", "--names").trim().split("\n")) {
      equal(check("", JSON.parse(run("trace", name))), "", name);
      equal(checkRecords(run("trace", name, "--format", "ndjson", "--from", "3", "--max-events", "20")), [], `a window of ${name}`);
    }
  },
  "the schema refuses what the format forbids": async () => {
    const trace = () => JSON.parse(run("trace", "p26/butterfly_pair_swap"));
    const broken = [(t) => { t.machine.lanes = 12; }, (t) => { t.version = "2.0"; }, (t) => { delete t.outcome; },
      (t) => { t.events[0].active = "0xf"; }, (t) => { t.events[0].pc = -1; }, (t) => { t.program.code[0].text = 5; }];
    for (const damage of broken) {
      const one = trace();
      damage(one);
      ok(check("", one) !== "", damage.toString());
    }
  },
};
