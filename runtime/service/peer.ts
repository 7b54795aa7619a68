import type { JsonRpcTransport, Notifier } from "../contract/index.ts";
import type { Evidence } from "../auth/port.ts";
import type { RequestAuth } from "../auth/authenticator.ts";
import type { CallReport } from "./options.ts";
import type { Deadline } from "./outcome.ts";
import type { PeerCalls } from "./limiter.ts";

/** The other end: who sent an HTTP request, or keeps a connection open. */
export interface Peer {
  readonly transport: JsonRpcTransport;
  readonly evidence: Evidence;
  /** Absent where there is no way back. */
  readonly notify?: Notifier;
  /** Receives one report for each of its calls. */
  readonly onCall?: (report: CallReport) => void;
  /** Names the request in logs, and in answers of internal errors where the protocol says so. */
  readonly requestId?: string;
  /**
   * Asked once the caller is known: waits while this user has too many calls at work. Gives false where that takes too
   * long. Present where the transport bounds the calls at work; else the service does.
   */
  readonly admit?: (userName: string) => boolean | Promise<boolean>;
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
