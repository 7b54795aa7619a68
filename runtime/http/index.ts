export { serveHttp, type HttpOptions, type HttpService } from "./serve.ts";
export { createMetrics, type Metrics } from "./metrics.ts";
