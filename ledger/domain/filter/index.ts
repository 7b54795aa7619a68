export { filterLimits, parseFilter } from "./parse-filter.ts";
