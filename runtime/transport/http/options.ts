import type { Express } from "express";
import type { Logger } from "pino";
import type { ServerLimits } from "../connections/index.ts";
import type { Pipeline } from "../../service/signed/index.ts";
import type { Metrics } from "./metrics.ts";
import type { WorkLimiter } from "./work-limiter.ts";

/** The options of one listening port. */
export interface HttpOptions {
  /** `127.0.0.1`, `::`. */
  readonly host: string;
  /** Names that requests may be for, beside those that the port listens on. Default: any. */
  readonly names?: readonly string[];
  /** 0 takes a free one. */
  readonly port: number;
  readonly pipeline: Pipeline;
  /** Further interfaces on the same port, each on a path of its own. */
  readonly others?: readonly Pipeline[];
  /** Gets one line a request: never a payload, a credential or a header. */
  readonly logger: Logger;
  /** One for the process: `/metrics` of every port shows all. */
  readonly metrics: Metrics;
  /** Whether this port serves `/metrics`. Default: yes. */
  readonly showMetrics?: boolean;
  /** One for the process: bounds what is worked on at once over all ports. Default: one of its own. */
  readonly work?: WorkLimiter;
  /**
   * Rejects while the service cannot answer: `store.ping`. Asked by `/readyz`, which says why where it is asked by an
   * `UnavailableError`.
   */
  ready(): Promise<void>;
  /** Names a request whose caller did not; default: a random UUID. */
  newRequestId?(): string;
  /** Adds further pages before the 404: `/.well-known/jwks.json`, reference pages. */
  addRoutes?(app: Express): void;
  readonly limits?: PortLimits;
}

export interface PortLimits extends ServerLimits {
  /**
   * Bytes of answers that callers leave unread. Beyond it, those that have left something unread for longest are
   * disconnected. Default 64 MiB.
   */
  readonly answerBytesMax?: number;
}
