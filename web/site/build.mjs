// Makes the site: `node build.mjs WASM OUT`, called by tools/site.sh. Static files: pages, scripts, the simulator, the licences of
// what is in the scripts.
import {createHash} from "node:crypto";
import {copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync} from "node:fs";
import {basename, dirname, join, resolve} from "node:path";
import {fileURLToPath} from "node:url";
import {build} from "esbuild";
import {Marked} from "marked";
import {documents} from "./documents.mjs";
import {buildElement} from "./element.mjs";
import {loadMachine} from "./machine.js";
import {lessonPages} from "../lessons/pages.mjs";
import {kFirst, nameOf} from "./ready.js";
import {documentPages, kPolicy, page as stillPage, staticPages} from "./static_pages.mjs";

const here = dirname(fileURLToPath(import.meta.url)), viewer = resolve(here, "../../tools/viewer");
const [wasm, out] = process.argv.slice(2);
const text = (...path) => readFileSync(join(...path), "utf8");

/** The page of a run with the playground's bar and panels in it; a lesson is an article beside it. */
function playPage({root = "", language = "en", title = "", lesson = ""} = {}) {
  const links = (/** @type {string} */ html) => html.replaceAll('href="index.html"', `href="${root}${language === "ko" ? "ko/" : ""}index.html"`);
  const replaced = [[/<meta http-equiv="Content-Security-Policy"[^>]*>/, `<meta http-equiv="Content-Security-Policy" content="${kPolicy}">`],
    ["<style>@STYLE@</style>", `<link rel="icon" href="${root}icon.svg">\n<script type="module" src="${root}early.js"></script>\n` +
      ["page.css", "watch.css", "site.css", ...(lesson ? ["lesson.css"] : [])].map((name) => `<link rel="stylesheet" href="${root}${name}">`).join("\n")],
    ["<body>", `<body class="plays empty${lesson ? " lesson" : ""}">`],
    ["<header>", `${lesson}${links(text(here, "bar.html"))}<header>`],
    ["</main>", `${text(here, "panels.html")}</main>`],
    ["<!--@DATA@-->\n<script>@SCRIPT@</script>", `${importsOf("play.js").map((name) => `<link rel="modulepreload" href="${root}${name}">\n`).join("")}<script type="module" src="${root}play.js"></script>`],
    ...(title ? [[/<title>[^<]*<\/title>/, `<title>${title.replace(/[&<]/g, (one) => ({"&": "&amp;", "<": "&lt;"})[one])}</title>`]] : []),
    ...(language === "en" ? [] : [['<html lang="en"', `<html lang="${language}"`]])];
  return replaced.reduce((page, [from, to]) => {
    const next = page.replace(from, () => to);
    if (next === page) throw new Error(`page.html has no ${from}`);
    return next;
  }, text(viewer, "page.html"));
}

/** The files that a script needs before it runs. */
const importsOf = (name) => Object.entries(made.metafile.outputs).find(([path]) => basename(path) === name)[1].imports.filter(({kind}) => kind === "import-statement").map(({path}) => basename(path));

/** The licences of the packages whose files are in the scripts. */
function licences(metafile) {
  const packages = new Set(Object.keys(metafile.inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter((name) => name));
  return [...packages].sort().map((name) => {
    const folder = join(here, "node_modules", name), file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    if (!file) throw new Error(`${name} has no licence file`);
    return `${name} ${JSON.parse(text(folder, "package.json")).version}\n\n${text(folder, file).trim()}\n`;
  }).join("\n----\n\n");
}

/** Runs what the pages link to, and keeps the answers, for ready.js. @param {(request: object) => any} call @param {string[]} pages @param {string} folder
 * @returns {string[]}  their names */
function readyRuns(call, pages, folder) {
  const links = new Set(["", ...pages.flatMap((html) => [...html.matchAll(/(?:play\.html|["\s])(#v=1&amp;[^"]*)"/g)].map(([, link]) => link.replaceAll("&amp;", "&")))]);
  mkdirSync(folder, {recursive: true});
  const names = new Set();
  for (const link of links) {
    const name = nameOf(link), {program = kFirst, case: named, lanes, profile, beside} = Object.fromEntries(new URLSearchParams(link.slice(1)));
    if (name === "" || names.has(name)) continue;
    const given = Object.entries({case: named === "test" ? "" : named, lanes, profile}).filter(([, value]) => value);
    const asked = (lang) => call({verb: "page", names: beside ? [program, beside] : [program], options: {lang, ...Object.fromEntries(given)}});
    const answer = asked("en"), {out: text, err} = asked("ko");
    if (!answer.data) throw new Error(`${link} shows nothing: ${answer.err}`);
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({...answer, ...(text === answer.out && err === answer.err ? {} : {ko: {out: text, err}})}));
    names.add(name);
  }
  return [...names];
}

rmSync(out, {recursive: true, force: true});
mkdirSync(out, {recursive: true});
const made = await build({
  entryPoints: ["play.js", "worker.js", "front.js", "../lessons/lesson_list.js"].map((name) => join(here, name)), outdir: out, entryNames: "[name]", bundle: true, splitting: true, format: "esm", minify: true,
  target: "es2022", metafile: true, logLevel: "warning", charset: "utf8",
});
const styles = [join(viewer, "page.css"), join(viewer, "multiprocessor/watch.css"), join(here, "site.css"), join(here, "pages.css"), join(here, "../lessons/lesson.css")];
await build({entryPoints: styles, outdir: out, minify: true, entryNames: "[name]", logLevel: "warning"});
copyFileSync(join(here, "icon.svg"), join(out, "icon.svg"));
copyFileSync(wasm, join(out, "warpsim.wasm"));
writeFileSync(join(out, "play.html"), playPage());
const {call} = await loadMachine(readFileSync(wasm));
const listed = JSON.parse(call({verb: "list", options: {json: true, bugs: true}}).out).result.programs;
const root = resolve(here, "../.."), {pages, pictures} = documents(root);
const all = [...staticPages(call, listed), ...lessonPages(call, playPage, stillPage, (markdown) => new Marked({gfm: true}).parse(markdown)), ...documentPages(pages)];
for (const {path, text: html} of all) {
  mkdirSync(dirname(join(out, path)), {recursive: true});
  writeFileSync(join(out, path), html);
}
const ready = readyRuns(call, all.map((one) => one.text), join(out, "ready"));
await build({entryPoints: [join(here, "early.js")], outdir: out, bundle: true, format: "esm", minify: true, target: "es2022", logLevel: "warning", charset: "utf8", define: {warpsimReady: JSON.stringify(ready)}});
writeFileSync(join(out, "programs.json"), JSON.stringify(listed.map(({name, title, cases, twin_of}) => ({name, title, cases, twin_of}))));
for (const path of pictures) {
  mkdirSync(dirname(join(out, "text", path)), {recursive: true});
  copyFileSync(join(root, path), join(out, "text", path));
}
writeFileSync(join(out, "licences.txt"), `${text(here, "../../LICENSE").trim()}\n\n----\n\n${licences(made.metafile)}`);

await buildElement(root, wasm, join(out, "embed"));

// What is loaded at once, for when there is no network; and a version of all that there is, so that the same files have the same one.
const first = ["./", "index.html", "ko/index.html", "play.html", "programs.html", "ko/programs.html", "lessons.html", "ko/lessons.html", "icon.svg", ...styles.map((path) => basename(path)),
  "programs.json", "early.js", "warpsim.wasm", ...Object.keys(made.metafile.outputs).map((path) => basename(path))];
const hash = createHash("sha256");
for (const name of readdirSync(out, {recursive: true}).sort()) if (statSync(join(out, name)).isFile()) hash.update(name).update(readFileSync(join(out, name)));
writeFileSync(join(out, "offline.js"), `self.warpsimSite = ${JSON.stringify({kVersion: `warpsim-${hash.digest("hex").slice(0, 16)}`, kFiles: [...new Set(first)]})};\n${text(here, "offline.js")}`);
