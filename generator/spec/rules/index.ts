import type { Reporter } from "../../diagnostics/index.ts";
import type { LoadedSpec } from "../scope.ts";

/** Checks everything that the schema cannot say. */
export function checkRules(_loaded: LoadedSpec, _reporter: Reporter): void {}
