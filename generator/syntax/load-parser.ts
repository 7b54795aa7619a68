import { createRequire } from "node:module";
import type * as yaml from "yaml";

let parser: typeof yaml | undefined;

/** Loads the YAML parser: a run over specs of the common form does without it, and without the time that loading takes. */
export function loadParser(): typeof yaml {
  parser ??= createRequire(import.meta.url)("yaml");
  if (parser === undefined) throw new Error("there is no package yaml");
  return parser;
}
