export { formatExamples, formatMistakes } from "./format-samples.ts";
export {
  drawnIdentifier,
  identifierShape,
  shapesOfSamples,
  unknownIdentifiers,
  type IdentifierShapes,
} from "./identifiers.ts";
export { fieldInstance, instanceOf } from "./instances.ts";
export { absent, partAt, pathText, replacedAt, type JsonPath } from "./json-path.ts";
export { mutationsOf, type Mutation } from "./mutations.ts";
export type { SampleReading } from "./scalar-samples.ts";
export { scalarSample, scalarSamples } from "./scalar-samples.ts";
