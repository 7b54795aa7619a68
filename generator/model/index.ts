export type * from "./service-model.ts";
export { flatMethods, selectedFlat } from "../../conformance/suite/methods.ts";
export { createModelLoader, loadServiceModel } from "./build-model.ts";
export { sharedModel } from "./shared-model.ts";
export {
  errorsOfMethod,
  exampleId,
  firstPageOf,
  formsOf,
  isGrouped,
  isNotification,
  methodPath,
  methodsAsTried,
  payloadShapes,
  readingOf,
  requestIdOf,
  resolve,
  isSentAsText,
  resultFields,
  typeOf,
} from "./resolve.ts";
export type { ReadFolder } from "../language/index.ts";
