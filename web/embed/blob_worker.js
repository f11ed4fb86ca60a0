// The worker in which an embedded simulator runs. It begins from a Blob, since a page may not begin one from another host; the line
// before this text says where the simulator is.

import {answerCalls} from "../site/calls.js";

answerCalls(fetch(Reflect.get(self, "warpsimWasm")));
