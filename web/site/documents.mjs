// The documentation as pages: the Markdown files of the repository that docs/README.md leads to, below text/.
//
// Shapes: docs/check.md is text/docs/check.html. Headings have the anchors that code hosts give them, so that links keep their ends. A
//         link to a file that is no page is its words alone; pictures are copied.
import {readFileSync, statSync} from "node:fs";
import {dirname, join, normalize, relative} from "node:path";
import {Marked} from "marked";

const kFirst = ["README.md", "docs/README.md"];
const kPictures = /\.(svg|png)$/;

const anchorOf = (text) => text.toLowerCase().replace(/<[^>]*>|&[a-z#0-9]+;/g, "").replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");
const isFile = (path) => { try { return statSync(path).isFile(); } catch { return false; } };

/** @param {string} root  the repository's @returns {{pages: {path: string, title: string, body: string}[], pictures: string[]}}  paths below text/ */
export function documents(root) {
  const pages = [], pictures = new Set(), seen = new Set(kFirst), queue = [...kFirst];
  for (let file; (file = queue.shift());) {
    const target = (to) => normalize(join(dirname(file), decodeURIComponent(to.replace(/[#?].*/, ""))));
    const marked = new Marked({gfm: true, renderer: {
      heading({tokens, depth}) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchorOf(text)}">${text}</h${depth}>\n`;
      },
      link({href, tokens}) {
        const text = this.parser.parseInline(tokens), end = /#.*/.exec(href)?.[0] ?? "";
        if (/^https?:/.test(href)) return `<a href="${href}" rel="noopener noreferrer">${text}</a>`;
        if (href.startsWith("#")) return `<a href="${href}">${text}</a>`;
        const to = target(href);
        if (!to.endsWith(".md") || to.startsWith("..") || !isFile(join(root, to))) return text;
        if (!seen.has(to)) queue.push(to);
        seen.add(to);
        return `<a href="${relative(dirname(file), to).replace(/\.md$/, ".html")}${end}">${text}</a>`;
      },
      image({href, text}) {
        const from = target(href);
        if (!kPictures.test(from) || !isFile(join(root, from))) return text;
        pictures.add(from);
        return `<img src="${relative(dirname(file), from)}" alt="${text.replace(/"/g, "&quot;")}">`;
      },
      table(token) {
        const cell = (one, tag) => `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`;
        const head = token.header.some((one) => one.text) ? `<thead><tr>${token.header.map((one) => cell(one, one.text ? "th" : "td")).join("")}</tr></thead>` : "";
        return `<div class="table" tabindex="0"><table>${head}<tbody>${token.rows.map((row) => `<tr>${row.map((one) => cell(one, "td")).join("")}</tr>`).join("\n")}</tbody></table></div>\n`;
      },
      code({text}) {
        return `<pre tabindex="0">${text.replace(/[&<>"]/g, (one) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"})[one])}</pre>\n`;
      },
    }});
    const text = readFileSync(join(root, file), "utf8");
    const title = /^# (.*)$/m.exec(text)?.[1].replace(/[`*]/g, "") ?? file;
    pages.push({path: file.replace(/\.md$/, ".html"), title, body: marked.parse(text)});
  }
  return {pages, pictures: [...pictures]};
}
