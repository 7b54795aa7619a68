import type { IncomingMessage, ServerResponse } from "node:http";
import { omitUndefined } from "../../conformance/base/omit-undefined.ts";

/** The longest time that a mock holds an answer back. */
export const latencyMsMax = 600_000;

/** The faults of a mock: it closes the connection, breaks off in the middle, sends no JSON, or answers 503. */
export const faultKinds = ["drop", "cut", "garbage", "unavailable"] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Options for faults that are injected on purpose. */
export interface FaultOptions {
  /** The share of the requests that each fault befalls, 0 to 1, all together at most 1. */
  readonly faults: ReadonlyMap<FaultKind, number>;
  /** Milliseconds that answers are held back: between the two, evenly. */
  readonly latencyMs: { readonly least: number; readonly most: number };
}

interface InjectedFault {
  readonly waitMs: number;
  readonly fault?: FaultKind;
}

/** Headers by which a caller asks for what one request is to meet; they win over the options. */
export const mockHeaders = { error: "mock-error", fault: "mock-fault", latency: "mock-latency" } as const;

/** The delay and fault of a request; a text is the error in its headers. Always draws two random numbers. */
export function injectedFaultOf(
  { headers }: IncomingMessage,
  { faults, latencyMs: { least, most } }: FaultOptions,
  random: () => number,
): InjectedFault | string {
  const share = random();
  const wait = Math.round(least + random() * (most - least));
  const asked = headers[mockHeaders.latency];
  const waitMs = asked === undefined ? wait : Number(asked);
  if (!Number.isInteger(waitMs) || waitMs < 0 || waitMs > latencyMsMax)
    return `Mock-Latency has to be milliseconds, from 0 to ${latencyMsMax}`;
  const wanted = headers[mockHeaders.fault];
  const fault = wanted === undefined ? drawnFault(faults, share) : faultKinds.find((kind) => kind === wanted);
  if (wanted !== undefined && fault === undefined && wanted !== "none")
    return `Mock-Fault has to be ${faultKinds.join(", ")} or none`;
  return omitUndefined({ waitMs, fault });
}

function drawnFault(faults: FaultOptions["faults"], share: number): FaultKind | undefined {
  let below = 0;
  for (const [kind, own] of faults) {
    below += own;
    if (share < below) return kind;
  }
  return undefined;
}

export function sendFault(kind: FaultKind, response: ServerResponse): void {
  switch (kind) {
    case "drop":
      response.socket?.destroy();
      return;
    case "cut":
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "200" });
      response.write('{"jsonrpc":"2.0","id":', () => response.socket?.destroy());
      return;
    case "garbage":
      response
        .writeHead(200, { "Content-Type": "text/html" })
        .end("<html><body>A proxy's page</body></html>\n");
      return;
    case "unavailable":
      response
        .writeHead(503, { "Content-Type": "text/plain", "Retry-After": "1" })
        .end("Service Unavailable\n");
  }
}
