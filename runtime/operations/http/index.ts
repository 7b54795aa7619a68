export { type WorkLimiter, createWorkLimiter } from "./limiter.ts";
export { type CallLog } from "./log.ts";
export { type AnsweredCall, type Metrics, type ShownBacklog, createMetrics } from "./metrics.ts";
export { addKeySetRoute, addReferencePages } from "./pages.ts";
export {
  type CallMetrics,
  type HttpOptions,
  type HttpService,
  type RpcOptions,
  rpc,
  serveHttp,
} from "./port.ts";
export { type WebPages, addFilePage, addWebPages } from "./web-pages.ts";
