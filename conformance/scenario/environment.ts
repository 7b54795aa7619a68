import type { Identity } from "../request/access.ts";
import type { RunContext } from "../session/context.ts";
import type { PublicKeys } from "./notification.ts";
import type { Receiver } from "./receiver.ts";

/** An interface beside the one under test, and who calls it. */
export interface Peer {
  readonly context: RunContext;
  readonly identity: Identity;
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
  /** Objects that a run makes once, by the name of their resource. */
  readonly fixtures: Map<string, Promise<readonly (readonly [string, unknown])[] | undefined>>;
  /** Objects that cases have changed nothing in, or put back, for later cases: by the name of their resource. */
  readonly spare: Map<string, (readonly (readonly [string, unknown])[])[]>;
  /** A text that no other scenario of any run has. */
  unique(): string;
  /** The keys under which the service signs what it sends; undefined where it shows none. */
  publicKeys(): Promise<PublicKeys | undefined>;
}
