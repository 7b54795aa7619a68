export { createEventWords, type EventWords } from "./event-translator.ts";
export { failureFor } from "./failure.ts";
export { forHandler } from "./payload.ts";
export { earlierPointer } from "./pointer.ts";
export { encodeFor, keptResult, repeatedFor, type KeptResult } from "./result.ts";
export { routedRevisions, scopesFor, type Route, type RoutedRevision } from "./route.ts";
