import type { EventLine } from "../mock/index.ts";

/** Where events come from: a mock, or a running service. */
export interface EventSource {
  /** In messages: `the mock`. */
  readonly noun: string;
  readonly origin: string;
  /** Advice where it cannot be opened at first. */
  readonly hint: string;
  /** Whether such an error means that there is no such source at its address. */
  isElsewhere(error: FinalError): boolean;
  /**
   * Opens it, again where it ended before: then what came meanwhile is not left out, as far as the source keeps it.
   *
   * @throws FinalError where asking again would not help, and other errors where it may
   */
  open(): Promise<EventStream>;
}

export interface EventStream {
  /** Names of the events that come of it; absent where that is not known yet. */
  readonly events?: readonly string[];
  /** Their owner: `ledger`, `2 subscriptions of yours`. */
  readonly owner: string;
  /** Lines that say how a receiver verifies them, and how one is made. */
  readonly introduction: readonly string[];
  /** Ends where the source ends; an event is asked for when the one before was taken care of. */
  readonly lines: AsyncIterable<EventLine>;
}

/** The source says no for good. */
export class FinalError extends Error {}
