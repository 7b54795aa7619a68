export { createEventTranslator } from "./event-translator.ts";
export {
  emptyPageFor,
  failureFor,
  forHandler,
  earlierPointer,
  encodeFor,
  storedResult,
  repeatedFor,
  routedRevisions,
  scopesFor,
  type Route,
  type RoutedRevision,
} from "./route.ts";
