import { UnavailableError } from "../../../store/ports/index.ts";
import type { HttpOptions } from "../options.ts";
import type { RequestTracker } from "../../connections/index.ts";
import type { RequestLog } from "../request-log.ts";

/** A page that machines read: health and metrics. */
export interface TextPage {
  readonly status: number;
  readonly text: string;
  readonly type: string;
}

const plainText = "text/plain; charset=utf-8";

/** The pages of a port that machines read, by their paths. Made anew for each request; what rejects is a fault of ours. */
export function healthAndMetrics(
  options: HttpOptions,
  tracker: RequestTracker,
  log: RequestLog,
): ReadonlyMap<string, () => Promise<TextPage>> {
  const { metrics, showMetrics = true } = options;
  const readiness = async (): Promise<TextPage> => {
    const obstacle = tracker.closing ? "shutting down" : await obstacleOf(options, log);
    if (obstacle === undefined) return { status: 200, text: "ready\n", type: plainText };
    const text = obstacle === "" ? "not ready\n" : `not ready: ${obstacle}\n`;
    return { status: 503, text, type: plainText };
  };
  const figures = async (): Promise<TextPage> => ({
    status: 200,
    text: await metrics.text(),
    type: metrics.contentType,
  });
  return new Map([
    ["/healthz", healthPage],
    ["/readyz", readiness],
    ...(showMetrics ? [["/metrics", figures] as const] : []),
  ]);
}

async function healthPage(): Promise<TextPage> {
  return { status: 200, text: "ok\n", type: plainText };
}

/** Why the service cannot answer: `""` where the reason is not public; undefined where it can. */
async function obstacleOf({ ready }: HttpOptions, log: RequestLog): Promise<string | undefined> {
  try {
    await ready();
    return undefined;
  } catch (error) {
    // The store itself has logged it, once.
    if (error instanceof UnavailableError) return error.message;
    log.failed("not-ready", { err: error }, "not ready");
    return "";
  }
}
