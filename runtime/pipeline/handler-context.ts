import type { Caller } from "../auth/auth-services.ts";
import type { AuditTrail, Reads, Writes } from "../store/ports/store.ts";
import type { EventTranslator } from "./event-translator.ts";
import type { Sealer, Clock, IdSource, MailMessage } from "../store/ports/system.ts";

/** An event to be announced. */
export interface EventDraft {
  readonly name: string;
  /** What it is about, the most important first: its subscribers receive it. */
  readonly topics: readonly string[];
  /** What its topics belong to. The application says which events a group's subscribers receive, too. */
  readonly group?: string;
  /** The notification's `payload`: no personal data. */
  readonly payload: object;
  /** Sent instead to subscribers of these topics alone. */
  readonly otherPayloads?: readonly { readonly topic: string; readonly payload: object }[];
}

/** Writes events to the outbox, in the transaction of the change. */
export interface EventRecorder {
  record(event: EventDraft): Promise<void>;
  /** Deliveries were queued, or what is queued may have changed: once committed, it is looked for at once. */
  wake(): void;
}

/**
 * A mail as it waits, sealed: its message is written when it is sent. The application has its own kinds. Further members
 * are JSON, for the one who writes the message.
 */
export interface MailDraft {
  readonly kind: string;
  readonly to: string;
}

/** The mails of an application. Those about subscriptions the engine writes. */
export interface MailRenderers {
  /** What its users call whoever operates the service, as in "ask your bank". */
  readonly operator: string;
  /** Writes a mail of one of the application's kinds. Drafts come back as they were queued. */
  render(draft: MailDraft): MailMessage | Promise<MailMessage>;
}

/** To whom a mail goes, and until when it is of use. */
export interface MailRecipient {
  readonly institutionId: string;
  readonly userName?: string;
  /** Identifies a recipient who is no user, among the application's own. */
  readonly recipientId?: string;
  /** From then on the mail may be dropped; absent: it is kept until it is sent. */
  readonly expiresAt?: number;
}

/** Writes mails to the outbox, in the transaction of the change that causes them; they leave after the commit. */
export interface MailQueue {
  queue<Draft extends MailDraft>(mail: Draft, recipient: MailRecipient): Promise<void>;
  /** Mails were made due: once committed, they are looked for at once. */
  wake(): void;
}

interface CallContext {
  readonly caller: Caller;
  /**
   * Aborts when the time of the call is over: what the handler does from then on is rolled back. For a method that only reads
   * it also aborts when the caller has left.
   */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly sealer: Sealer;
  readonly keyUses: KeyUses;
  /** Absent: events are sent as they were recorded. */
  readonly eventTranslator?: EventTranslator | undefined;
}

/** When keys were last used: to the minute in this process and within ten minutes over all. */
export interface KeyUses {
  /** When some keys of a user were last used, by identifier. */
  of(store: Reads, userName: string, keyIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** The configured rules that handlers obey. */
export interface Policy {
  /** Names of the interfaces that are served and whose users operators add: a user belongs to one of them. */
  readonly interfaces: readonly string[];
  /** `subscriptions.perUserMax`. */
  readonly subscriptionsPerUserMax: number;
  /** Whether plain http callback addresses are taken: the sandbox profile only. */
  readonly httpCallbacks: boolean;
  /** `callbacks.allowedNetworks`: CIDR ranges that callback addresses may lie in although they are internal. */
  readonly callbackNetworksAllowed?: readonly string[];
  /** `callbacks.allowedPorts`: ports that callback addresses may have; none or absent: any. */
  readonly callbackPortsAllowed?: readonly number[];
}

/** The context of a `read` handler. */
export interface ReadContext extends CallContext {
  readonly store: Reads;
}

/** The context of handlers of `set` and `create`: everything it writes commits together or not at all. */
export interface WriteContext extends CallContext {
  readonly store: Writes;
  /** The revision that new subscribers speak; absent: the first. */
  readonly subscribersRevision?: string;
  readonly ids: IdSource;
  readonly events: EventRecorder;
  readonly mail: MailQueue;
  /** Every change of a record that is audited is recorded here, with the change. */
  readonly audit: AuditTrail;
  /** Once committed, the next call of this user is authenticated from the store, not from a cache. */
  invalidateCaller(userName: string): void;
  /**
   * Commits the handler's writes so far even though it then fails. Use it for counters that must survive an error,
   * such as failed one-time passwords. The error is answered all the same.
   */
  commitOnFailure(): void;
}
