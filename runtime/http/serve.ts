import type { Express } from "express";
import type { Logger } from "pino";
import type { Pipeline } from "../pipeline/index.ts";
import type { Metrics } from "./metrics.ts";

/** What one listening port needs. */
export interface HttpOptions {
  /** `127.0.0.1`, `::`. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly pipeline: Pipeline;
  readonly logger: Logger;
  /** One for the process: `/metrics` of every port shows all. */
  readonly metrics: Metrics;
  /** Rejects while the service cannot answer: `store.ping`. Asked by `/readyz`. */
  ready(): Promise<void>;
  /** Names a request whose caller did not; default: a random UUID. */
  newRequestId?(): string;
  /** Adds further pages before the 404: `/.well-known/jwks.json`, reference pages. */
  addRoutes?(app: Express): void;
  readonly limits?: HttpLimits;
}

export interface HttpLimits {
  /** Time to receive a request's headers. Default 10,000. */
  readonly headersTimeoutMs?: number;
  /** Time to receive a whole request. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Time an idle connection is kept. Default 65,000: above the usual 60 s of load balancers. */
  readonly keepAliveTimeoutMs?: number;
  /** Default: no limit. */
  readonly connectionsMax?: number;
}

export interface HttpService {
  /** `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /**
   * Takes no new connection, answers 503 to new requests on open ones, and resolves when those in flight have been
   * answered, or after `graceMs` (default 10,000) when the rest is cut off.
   */
  close(graceMs?: number): Promise<void>;
}

/** Serves one pipeline on one port. */
export function serveHttp(options: HttpOptions): Promise<HttpService> {
  return Promise.reject(new Error(`${options.host}:${options.port} is being built`));
}
