export type * from "./service-model.ts";
export { flatMethods, methodPath, methodsAsTried, selectedFlat } from "./flat-methods.ts";
export { exampleId, requestIdOf } from "./wire.ts";
export { createModelLoader, loadServiceModel } from "./load-service-model.ts";
export { sharedModel } from "./shared-model.ts";
export {
  errorsOfMethod,
  firstPageOf,
  formsOf,
  isGrouped,
  isNotification,
  payloadShapes,
  readingOf,
  resolve,
  isSentAsText,
  resultFields,
  typeOf,
} from "./resolve.ts";
export type { ReadFolder } from "../language/index.ts";
