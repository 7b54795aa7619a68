export { addKeySetRoute } from "./key-set.ts";
export { addReferencePages } from "./reference-pages.ts";
export { addFilePage, addWebPages, type WebPages } from "./web-pages.ts";
export { rpc, type CallConnections, type CallLog, type CallMetrics, type RpcOptions } from "./rpc.ts";
export { serveHttp, type HttpService } from "./listen.ts";
export type { Drained } from "./drain.ts";
export { createWorkLimiter, type WorkLimiter, type WorkLimits } from "./work-limiter.ts";
export type { HttpLimits, HttpOptions } from "./options.ts";
export { createMetrics, type AnsweredCall, type Metrics } from "./metrics.ts";
