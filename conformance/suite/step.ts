import type { Level } from "./level.ts";

/** One step of a scenario, see docs/scenarios.md. `kind` says what it does. */
export type Step =
  | CallStep
  | OperatorCallStep
  | CallerCallStep
  | RepeatStep
  | KeyStep
  | CallerStep
  | ReceiverStep
  | EventStep
  | NoEventStep
  | WaitStep
  | RestStep
  | MailStep
  | CheckStep
  | EachStep
  | AtOnceStep;

interface StepBase {
  /** The level from which on it counts that the step succeeds and what it expects; that of the scenario if absent. */
  readonly level?: Level;
}

/** The assertions of a step on a response, and the name under which later steps find it. */
interface Assertions {
  readonly as?: string;
  /** Pattern of the result; of the error where `error` is given. */
  readonly expect?: unknown;
  /** Pattern of what was decided beyond `expect`: it counts from level `decisions` on. */
  readonly decided?: unknown;
  /** The code that must be answered. */
  readonly error?: string;
}

/** Calls a method of the interface under test. */
export interface CallStep extends StepBase, Assertions {
  readonly kind: "call";
  readonly method: string;
  /** The whole payload; otherwise `base` and `with`, the members that differ. */
  readonly payload?: unknown;
  readonly base?: string;
  readonly with?: unknown;
  /** Name of a caller that an earlier step made. */
  readonly signer?: string;
  /** Request id. */
  readonly id?: string;
  /** Calls in sequence. */
  readonly times?: number;
  /** The same request, sent so often at once. */
  readonly copies?: number;
  readonly text?: "canonical" | "spaced" | "reversed" | "escaped";
}

/** Calls a method of the operator's interface. */
export interface OperatorCallStep extends PeerCall {
  readonly kind: "operatorCall";
}

/** Calls a method of the documented interface, while the operator's is under test. */
export interface CallerCallStep extends PeerCall {
  readonly kind: "callerCall";
}

/** A call of an interface beside the one under test. */
interface PeerCall extends StepBase, Assertions {
  readonly method: string;
  readonly payload: unknown;
  /** Sent as a flat body, with headers in place of an envelope. */
  readonly flat?: boolean;
  readonly times?: number;
}

/** Sends an earlier call again, byte for byte. */
export interface RepeatStep extends StepBase, Assertions {
  readonly kind: "repeat";
  /** The `as` of the earlier call. */
  readonly call: string;
}

/** Makes a key pair. */
export interface KeyStep extends StepBase {
  readonly kind: "key";
  readonly as: string;
}

/** Names a caller for `signer`. */
export interface CallerStep extends StepBase, Readonly<Record<"userName" | "apiKey" | "keyId", string>> {
  readonly kind: "caller";
  readonly as: string;
  /** Name of a key pair. */
  readonly key: string;
}

/** Opens a webhook receiver. */
export interface ReceiverStep extends StepBase {
  readonly kind: "receiver";
  readonly as: string;
  /** Number of notifications that it answers with 503 before it takes any. */
  readonly refuses?: number;
}

/** Waits for an event at a receiver. */
export interface EventStep extends StepBase {
  readonly kind: "event";
  readonly at: string;
  /** More time than other events have. */
  readonly withinSeconds?: number;
  readonly name?: string;
  readonly expect?: unknown;
  readonly as?: string;
  readonly secret?: string;
}

/** Asserts that no further event arrives. */
export interface NoEventStep extends StepBase {
  readonly kind: "noEvent";
  readonly at: string;
  readonly name?: string;
  /** Only arrivals with this text in them count. */
  readonly holds?: string;
}

export interface WaitStep extends StepBase {
  readonly kind: "wait";
  readonly seconds: number;
}

/** Waits until everything else of the run is done: what follows shows what a service still knows by then. */
export interface RestStep extends StepBase {
  readonly kind: "rest";
}

/** Waits for a mail. */
export interface MailStep extends StepBase {
  readonly kind: "mail";
  readonly as?: string;
  readonly holds?: string;
  /** Regular expressions with one group, by the name of what they capture. */
  readonly capture?: Readonly<Record<string, string>>;
  readonly expect?: unknown;
}

/** Compares values with patterns. */
export interface CheckStep extends StepBase {
  readonly kind: "check";
  readonly checks: readonly { readonly actual: unknown; readonly expected: unknown }[];
}

/** Runs steps at the same time: none uses what another one gives. */
export interface AtOnceStep extends StepBase {
  readonly kind: "atOnce";
  readonly steps: readonly Step[];
}

/** Runs steps for several values. */
export interface EachStep extends StepBase {
  readonly kind: "each";
  readonly name: string;
  readonly in?: readonly unknown[] | Readonly<Record<string, unknown>>;
  /** An enum type, in place of `in`. */
  readonly of?: string;
  readonly steps: readonly Step[];
}
