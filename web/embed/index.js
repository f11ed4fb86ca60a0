// The element as a module: `import "warp-sim"`.

import {define, WarpSim} from "./element.js";

define({diagram: () => import("./diagram.js"), wasm: new URL("./warpsim.wasm", import.meta.url), site: ""});

export {WarpSim};
