export type * from "./spec.ts";
export { createSpecLoader, type ReadFolder } from "./load.ts";
export type { LoadedSpec, Scope, ServedSpec } from "./scope.ts";
export { eventsOf, reachOf, resolveShape, type Direction, type Reach } from "./reach.ts";
export { compareRevisions } from "./compare-revisions.ts";
export { closest } from "./closest.ts";
export { bySectionThen, compareNames } from "./canonical-order.ts";
export { formatMeaning, formatPatterns } from "./formats.ts";
export { flatBodies, tellingValues, type HeldValue, type JsonType } from "./flat-bodies.ts";
