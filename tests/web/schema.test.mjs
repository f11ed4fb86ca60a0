// ajv, the second of two validators that share nothing, holds the traces of all programs against `warpsim schema`, and the
// built-in profiles against `warpsim schema profile`; the first is python3-jsonschema, in tests/traces/.
import {spawnSync} from "node:child_process";
import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import Ajv2020 from "ajv/dist/2020.js";
import {equal, folder, ok, run, warpsim} from "./pages.mjs";

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

// Every value of a trace in turn is replaced by others, and each member left out: [what was done, the trace].
function* damaged(trace) {
  const values = [null, -1, 0, 1.5, 77, 1e18, true, "", "x", "0xf", "%r", [], {}, [null]];
  const places = [];
  const walk = (value, path) => {
    if (path.length > 0) places.push(path);
    if (value !== null && typeof value === "object") for (const key of Object.keys(value)) walk(value[key], [...path, key]);
  };
  walk(trace, []);
  const shapes = new Set();
  for (const path of places) {
    const shape = path.map((key) => (/^[0-9]+$/.test(key) ? "*" : key)).join("/");  // one of a list represents all
    if (shapes.has(shape)) continue;
    shapes.add(shape);
    for (const value of [undefined, ...values]) {
      const copy = structuredClone(trace);
      const parent = path.slice(0, -1).reduce((at, key) => at[key], copy), key = path.at(-1);
      if (value === undefined) Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key];
      else parent[key] = value;
      yield [`${shape} = ${JSON.stringify(value)}`, copy];
    }
  }
}

export const tests = {
  "what the schema refuses, validate refuses": async () => {
    const all = [];
    for (const name of ["block/prefix_sum", "p26/warp_partition", "coord/aggregated_atomics"])
      all.push(...damaged(JSON.parse(run("trace", name, "--lanes", "4", ...(name.startsWith("p26") ? ["--from", "8", "--max-events", "6"] : [])))));
    const files = all.map(([, trace], k) => {
      const file = join(folder, `damaged${k}.json`);
      writeFileSync(file, JSON.stringify(trace));
      return file;
    });
    const {result} = JSON.parse(spawnSync(warpsim, ["validate", "--json", ...files], {encoding: "utf8", maxBuffer: 1 << 28}).stdout);
    const refused = all.map(([what, trace], k) => ({what, ok: result[k].ok, bySchema: check("", trace) !== ""})).filter(({bySchema}) => bySchema);
    equal(refused.filter((one) => one.ok).map(({what}) => what), [], "refused by the schema, not by validate");
    ok(refused.length > 1000, `only ${refused.length} were refused`);
  },
  "traces of all programs fit the schema": async () => {
    for (const name of run("list", "--names").trim().split("\n").filter(name => !name.startsWith("bugs/"))) {
      equal(check("", JSON.parse(run("trace", name))), "", name);
      equal(checkRecords(run("trace", name, "--format", "ndjson", "--from", "3", "--max-events", "20")), [], `a window of ${name}`);
    }
  },
  "profiles fit their schema, and one with a wrong number does not": async () => {
    const validate = ajv.compile(JSON.parse(run("schema", "profile")));
    const sources = fileURLToPath(new URL("../../sim/timing", import.meta.url));
    const files = readdirSync(sources).filter((name) => name.endsWith(".json"));
    ok(files.length >= 2, files.join());
    for (const name of files) {
      const profile = JSON.parse(readFileSync(join(sources, name), "utf8"));
      ok(validate(profile), `${name}: ${JSON.stringify(validate.errors)}`);
      profile.branch.taken = "6";
      ok(!validate(profile), name);
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
