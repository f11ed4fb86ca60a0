// Makes the element `<warp-sim>` (web/embed/) ready: the folder embed/ of the site, which is an npm package too.
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {build} from "esbuild";

/** The package is the project's version. @param {string} root */
function versionOf(root) {
  const found = /^project\(warpsim VERSION ([\d.]+)/m.exec(readFileSync(join(root, "CMakeLists.txt"), "utf8"));
  if (!found) throw new Error("CMakeLists.txt names no version");
  return found[1];
}

/** @param {string} root  of the project @param {string} wasm @param {string} out */
export async function buildElement(root, wasm, out) {
  const here = join(root, "web/embed");
  const made = async (/** @type {string} */ name, /** @type {import("esbuild").BuildOptions} */ options) =>
    (await build({entryPoints: [join(here, name)], bundle: true, minify: true, target: "es2022", charset: "utf8", logLevel: "warning", write: false, ...options})).outputFiles[0].text;
  const style = (await made("style.css", {})).replaceAll(":root", ".frame");
  const worker = await made("blob_worker.js", {format: "esm"});
  mkdirSync(out, {recursive: true});
  const write = (/** @type {string} */ name, /** @type {string} */ text) => writeFileSync(join(out, name), text);
  write("diagram.js", await made("diagram.js", {format: "esm", define: {warpsimStyleText: JSON.stringify(style), warpsimWorkerText: JSON.stringify(worker)}}));
  write("index.js", await made("index.js", {format: "esm", external: ["./diagram.js"]}));
  write("warp-sim.js", await made("script.js", {format: "iife", external: ["./diagram.js"]}));
  write("package.json", `${JSON.stringify({version: versionOf(root), ...JSON.parse(readFileSync(join(here, "package.json"), "utf8"))}, null, 2)}\n`);
  for (const name of ["README.md", "warp-sim.d.ts"]) copyFileSync(join(here, name), join(out, name));
  copyFileSync(join(root, "LICENSE"), join(out, "LICENSE"));
  copyFileSync(wasm, join(out, "warpsim.wasm"));
}
