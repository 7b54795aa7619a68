import type { Reporter } from "../../diagnostics/index.ts";
import type { Node } from "../../syntax/index.ts";

/** Checks a file against the schema of the spec language. */
export function checkStructure(_file: Node, _reporter: Reporter): void {}
