export { createBodyRoom, type BodyRoom } from "./read-body.ts";
export { evidenceOf } from "./evidence.ts";
export { createHttpHandler, type HttpHandler, type HttpOptions } from "./handler.ts";
