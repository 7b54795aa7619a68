/** The data that the thread is started with. */
export interface VerifyWorkerSettings {
  readonly url: string;
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

/** Rows that travel at once. */
export const rowsAtOnce = 1_000;
