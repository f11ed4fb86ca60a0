// The worker in which the site's simulator runs.

import {answerCalls} from "./calls.js";

answerCalls(fetch(new URL("warpsim.wasm", import.meta.url)));
