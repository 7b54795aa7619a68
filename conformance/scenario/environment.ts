import type { Lookup } from "../request/resolve-value.ts";
import type { Identity } from "../request/access.ts";
import type { RunContext } from "../session/context.ts";
import type { PublicKeys } from "./notification.ts";
import type { Receiver } from "./receiver.ts";
import type { MethodEntry } from "../suite/suite.ts";
import type { Unused, UnusedObjects } from "./unused.ts";

/** An interface beside the one under test, and who calls it. */
export interface Peer {
  readonly context: RunContext;
  readonly identity: Identity;
}

/** An object for a later case: its samples, and how it was made. */
export interface Spare extends Unused {
  readonly method: MethodEntry;
  readonly samples: readonly (readonly [string, unknown])[];
}

/** The environment that scenarios share beside the service itself. */
export interface Environment {
  readonly context: RunContext;
  /** The operator's interface, and who operates it. */
  readonly operator: Peer | undefined;
  /** The documented interface and its caller, where the operator's interface is under test. */
  readonly caller: Peer | undefined;
  readonly receiver: Receiver | undefined;
  readonly mailFolder: string | undefined;
  /** How long an event or a mail may take, where a step does not allow more. */
  readonly eventTimeoutMs: number;
  /** Objects that a run makes once, by the name of their resource. */
  readonly fixtures: Map<string, Promise<readonly (readonly [string, unknown])[] | undefined>>;
  /** Objects that cases have changed nothing in, or put back, for later cases: by the name of their resource. */
  readonly spare: Map<string, Spare[]>;
  /** The values of objects of the access file before they were changed, by the name of their resource. */
  readonly noted: Map<string, Promise<Lookup>>;
  /** Those that no case needs any more, for scenarios. */
  readonly unused: UnusedObjects;
  /** Aborted when the run has to end: no further step is begun. */
  readonly signal: AbortSignal | undefined;
  /** Fulfilled when everything is done that waits for nothing else of the run. */
  readonly rest: PromiseWithResolvers<void>;
  /** A text that no other scenario of any run has. */
  unique(): string;
  /** The keys under which the service signs what it sends; undefined where it shows none. */
  publicKeys(): Promise<PublicKeys | undefined>;
}
