export type { AnyRow, Application, InterfaceRow, StandardRow, TopicWords } from "./application.ts";
export { compose, type ComposeOptions, type Service } from "./compose.ts";
export type { Listening } from "./listen.ts";
export { openReader, sealerOf, storeOptionsOf } from "./from-config.ts";
