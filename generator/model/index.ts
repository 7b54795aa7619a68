export type * from "./service-model.ts";
export { flatMethods, methodPath, methodsAsTried, selectedFlat } from "./resolve.ts";
export { exampleId, requestIdOf } from "./resolve.ts";
export { createModelLoader, loadServiceModel } from "./build-model.ts";
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
