export { readAccess, type Access, type Identity } from "./access.ts";
export type { Case, Edit, Expectation, RequestPlan } from "./case.ts";
export { curlPreparation } from "./request/curl.ts";
export type { Outcome } from "./run/outcome.ts";
export { conform, Unreachable, type RunOptions, type RunReport } from "./run/run.ts";
export { levels, type Level } from "./stated.ts";
export type { Suite } from "./suite.ts";
export { countsOf } from "./report/summary.ts";
export { textReport } from "./report/text.ts";
