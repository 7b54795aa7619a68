import type { AuthIdentities } from "../auth/port.ts";

/**
 * Where an application keeps its state. `read` calls run inside `read`, all others inside `write`; the own members of
 * what `run` is given become members of the handler's context: `run({ tx })`. A `run` that rejects is rolled back.
 */
export interface Store<View extends object = object, Transaction extends object = object> {
  read<Result>(run: (view: View) => Promise<Result>): Promise<Result>;
  write<Result>(run: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Remembers calls with an `Idempotency-Key`. Absent: the header is ignored. */
  readonly repetitions?: Repetitions<Transaction>;
}

/** Written as methods, so that the type of the transaction may be forgotten. */
export interface Repetitions<Transaction extends object = object> {
  /** Who repeats. Must not be the same for two callers. `auth` is empty where a method is open. */
  ownerOf(auth: AuthIdentities): string;
  find(transaction: Transaction, key: RepetitionKey): Promise<Repetition | undefined>;
  /** False where the key was kept meanwhile: then the call is rolled back, and answered from what was kept. */
  keep(transaction: Transaction, key: RepetitionKey, repetition: Repetition): Promise<boolean>;
}

/** Unique together. */
export interface RepetitionKey {
  readonly interfaceName: string;
  readonly owner: string;
  /** The value of `Idempotency-Key`, followed by the position in the batch: `abc#2`. */
  readonly key: string;
}

export interface Repetition {
  /** SHA-256 of the method and its params as they were sent, in hexadecimal. */
  readonly requestHash: string;
  /** The result as JSON. */
  readonly resultText: string;
}
