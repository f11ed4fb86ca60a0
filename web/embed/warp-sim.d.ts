/** A live diagram of a warp program: `<warp-sim src="p26/butterfly_parallel_max" lanes="8">`. */
export class WarpSim extends HTMLElement {}

/** What `<warp-sim>` may say. README.md has what each means. */
export interface WarpSimAttributes {
  src?: string;
  lanes?: 1 | 2 | 4 | 8 | 16 | 32 | 64 | "1" | "2" | "4" | "8" | "16" | "32" | "64";
  case?: string;
  step?: number | string;
  height?: number | string;
  lang?: "en" | "ko";
  theme?: "light" | "dark";
  site?: string;
}

declare global {
  interface HTMLElementTagNameMap {
    "warp-sim": WarpSim;
  }
}
