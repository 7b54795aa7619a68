export { serve, type ServeOptions, type ServedApp } from "./serve.ts";
export { evidenceOf } from "./evidence.ts";
export { createHttpHandler, type HttpHandler, type HttpOptions } from "./handler.ts";
export { createHostCheck, misdirected, setHostCheck } from "../../runtime/connections/index.ts";
