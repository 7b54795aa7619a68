export { canonicalNames } from "./canonical-names.ts";
export { formatAccepts } from "./formats.ts";
export {
  accepts,
  acceptsPayload,
  escaped,
  isJsonObject,
  payloadProblems,
  problemsOf,
  type Problem,
} from "./problems.ts";
export {
  wireNames,
  type FieldShape,
  type ObjectShape,
  type Reading,
  type ResolvedShape,
  type Shape,
} from "../suite/shape.ts";
