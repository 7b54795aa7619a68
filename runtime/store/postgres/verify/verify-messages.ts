import type { MessagePort } from "node:worker_threads";
import type { PgRow } from "../connections.ts";

/** The data that the thread is started with. */
export interface VerifyWorkerSettings {
  readonly url: string;
  /** Questions come and answers go through it. */
  readonly port: MessagePort;
  /** Becomes 1 when an answer is there. */
  readonly answered: Int32Array<SharedArrayBuffer>;
}

/** Opens a cursor, or asks one for more rows; `anew` begins another transaction. */
export type VerifyQuestion =
  | {
      readonly kind: "open";
      readonly cursor: number;
      readonly sql: string;
      readonly values: readonly string[];
    }
  | { readonly kind: "fetch"; readonly cursor: number }
  | { readonly kind: "close"; readonly cursor: number }
  | { readonly kind: "anew" };

export type VerifyAnswer = { readonly rows: readonly PgRow[] } | { readonly failure: string };

/** Rows that travel at once. */
export const rowsAtOnce = 1_000;
