// The element as a script: `<script src="https://…/embed/warp-sim.js"></script>`. What else it needs lies beside it, also on another
// host than the page's.

import {define} from "./element.js";

const {src} = /** @type {HTMLScriptElement} */ (document.currentScript);
const beside = (/** @type {string} */ name) => new URL(name, src);
// On the site the playground is one folder up.
define({diagram: () => import(beside("diagram.js").href), wasm: beside("warpsim.wasm"),
  site: beside(".").pathname.endsWith("/embed/") ? beside("../").href : ""});
