export { filterLimits, parseFilter } from "./parse-filter.ts";
export type { FilterFault } from "./tokens.ts";
