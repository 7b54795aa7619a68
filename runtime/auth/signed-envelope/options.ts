import type { AuthOptions, AuthServices } from "../../ports/index.ts";

/** What the steps share. */
export type StepOptions = AuthServices & AuthOptions;
