export { createEventTranslator } from "./event-translator.ts";
export { failureFor } from "./failure.ts";
export { forHandler } from "./payload.ts";
export { earlierPointer } from "./pointer.ts";
export { encodeFor, storedResult, repeatedFor, type StoredResult } from "./result.ts";
export { routedRevisions, scopesFor, type Route, type RoutedRevision } from "./route.ts";
