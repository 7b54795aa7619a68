export { addKeySetRoute } from "./key-set.ts";
export { serveHttp, type HttpService } from "./serve.ts";
export type { HttpLimits, HttpOptions } from "./options.ts";
export { createMetrics, type AnsweredCall, type Metrics } from "./metrics.ts";
