import type { Access } from "../request/access.ts";
import type { NoAnswer, WireAnswer } from "../request/transport.ts";
import type { WireRequest } from "../request/build.ts";
import type { ServiceSettings } from "../response/error-findings.ts";
import type { Capabilities } from "../session/capabilities.ts";
import type { Case } from "../suite/case.ts";
import type { Level, Suite } from "../suite/suite.ts";

export interface RunOptions {
  readonly suite: Suite;
  readonly cases: readonly Case[];
  readonly access: Access;
  /** Where the service is, without the path of the interface. */
  readonly baseUrl: string;
  /** Default `decisions`. */
  readonly level?: Level;
  /** Only cases whose operation or id begins with one of these. */
  readonly only?: readonly string[];
  readonly seed?: number;
  /** Requests at once. Default 16. */
  readonly concurrency?: number;
  /** Default 10,000. */
  readonly timeoutMs?: number;
  /** How long an event or a mail may take; the document states no time. Default 5,000. */
  readonly eventTimeoutMs?: number;
  readonly settings?: Partial<ServiceSettings>;
  /** The folder into which the service writes mails. */
  readonly mailFolder?: string;
  /** Where the service can reach the suite's own receiver of events, and the port that it listens on. */
  readonly callback?: { readonly url?: string; readonly port: number };
  /** Where the keys are published with which the suite issues tokens, for `jwt` schemes. Absent: nowhere. */
  readonly issuerPort?: number;
  /** How many random sequences are tried: 10 if absent. `replay`: the one that an earlier run has shown so, alone. */
  readonly explore?: { readonly runs?: number; readonly replay?: string };
  /** Parts that the implementation declares missing. Default: none. */
  readonly capabilities?: Capabilities;
  /** Ends the run after so many failures: what is left is skipped. */
  readonly failuresMax?: number;
  /** Ends the run: what is left is skipped, and what the run made is taken away. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly onExchange?: (request: WireRequest, answer: WireAnswer | NoAnswer) => void;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** The operation of the case that was done last. */
  readonly at: string;
}
