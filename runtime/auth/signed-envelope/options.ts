import type { AuthOptions, AuthServices } from "../../ports/index.ts";

/** The options that all steps share. */
export type StepOptions = AuthServices & AuthOptions;
