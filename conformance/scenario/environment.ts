import type { Identity } from "../request/access.ts";
import type { RunContext } from "../session/context.ts";
import type { PublicKeys } from "./notification.ts";
import type { Receiver } from "./receiver.ts";

/** What scenarios share beside the service itself. */
export interface Environment {
  readonly context: RunContext;
  /** The operator's interface, and who operates it. */
  readonly operator: { readonly context: RunContext; readonly identity: Identity } | undefined;
  readonly receiver: Receiver | undefined;
  readonly mailFolder: string | undefined;
  /** A text that no other scenario of any run has. */
  unique(): string;
  /** The keys under which the service signs what it sends; undefined where it shows none. */
  publicKeys(): Promise<PublicKeys | undefined>;
}
