export { formatExamples, formatMistakes } from "./format-samples.ts";
export {
  drawnIdentifier,
  identifierShape,
  shapesOfSamples,
  unknownIdentifiers,
  type IdentifierShapes,
} from "./identifiers.ts";
export { fieldInstance, instanceOf } from "./instances.ts";
export { mutationsOf, type Mutation } from "./mutations.ts";
export { scalarSample, scalarSamples, type SampleReading } from "./scalar-samples.ts";
