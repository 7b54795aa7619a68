export { canonicalNames, canonicalValue, type Renamed } from "./payload.ts";
export { formatAccepts } from "./formats.ts";
export { escaped, isJsonObject, leadsTo, memberOf } from "./json.ts";
export type { Problem, ProblemKind } from "./problems.ts";
export { acceptsPayload, payloadProblems } from "./payload.ts";
export { accepts, problemsOf } from "./problems.ts";
export {
  wireNames,
  type FieldShape,
  type ObjectShape,
  type Reading,
  type ResolvedShape,
  type Shape,
} from "../suite/shape.ts";
