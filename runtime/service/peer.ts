import type { JsonRpcTransport, Notifier } from "../contract/index.ts";
import type { Evidence } from "../auth/port.ts";
import type { RequestAuth } from "../auth/authenticator.ts";
import type { CallReport } from "./options.ts";
import type { Deadline } from "./deadline.ts";
import type { PeerCalls } from "./limiter.ts";

/** The other end: who sent an HTTP request, or keeps a connection open. */
export interface Peer {
  readonly transport: JsonRpcTransport;
  readonly evidence: Evidence;
  /** Absent where there is no way back. */
  readonly notify?: Notifier;
  /** Receives one report for each of its calls. */
  readonly onCall?: (report: CallReport) => void;
}

/** A peer with its authentication, which is done once for all of its calls. */
export interface OpenPeer {
  readonly peer: Peer;
  readonly requestAuth: RequestAuth;
  /** Of its messages that are at work. */
  readonly deadlines: Set<Deadline>;
  readonly calls: PeerCalls;
  /** The value of `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
}
