import { createRequire } from "node:module";
import type recheck from "recheck/lib/browser.js";

/** Loads the checker of patterns: it takes a tenth of a second. The package has its one file instead (`bin/pack/generator.ts`). */
export function loadChecker(): typeof recheck {
  const loaded: typeof recheck = createRequire(import.meta.url)("recheck/lib/browser.js");
  return loaded;
}
