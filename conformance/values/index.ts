export { canonicalNames, canonicalValue, type Renamed } from "./payload.ts";
export { formatAccepts } from "./formats.ts";
export {
  absent,
  canonicalText,
  edited,
  escaped,
  isJsonObject,
  jsonText,
  leadsTo,
  memberOf,
  parsedJson,
  partAt,
  pathText,
  pointerOf,
  replacedAt,
  stepsOf,
  valueAt,
  type JsonPath,
  type TextStyle,
} from "./json.ts";
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
