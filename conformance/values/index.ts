export { canonicalNames, canonicalValue, type Renamed } from "./canonical-names.ts";
export { formatAccepts } from "./formats.ts";
export { escaped, isJsonObject, leadsTo } from "./json.ts";
export type { Problem, ProblemKind } from "./problem.ts";
export { acceptsPayload, payloadProblems } from "./payload-problems.ts";
export { accepts, problemsOf } from "./problems.ts";
export {
  wireNames,
  type FieldShape,
  type ObjectShape,
  type Reading,
  type ResolvedShape,
  type Shape,
} from "../suite/shape.ts";
