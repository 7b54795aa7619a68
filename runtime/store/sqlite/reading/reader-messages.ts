import type { SqliteValue } from "../dialect.ts";

/** The data that a reading thread is started with. */
export interface ReaderSettings {
  readonly file: string;
  readonly limits: ReadLimits;
}

/** How much one question may take. */
export interface ReadLimits {
  /** Rows that it looks at. Entries of an index alone count a fourth. */
  readonly rowsMax: number;
  /** Time that a thread spends on it. */
  readonly timeMs: number;
}

/** A question to a thread: a page of a list, which a module exports by a name, or the rows of one statement. */
export type Question =
  | { readonly kind: "list"; readonly module: string; readonly name: string; readonly asked: unknown }
  | { readonly kind: "rows"; readonly sql: string; readonly values: readonly SqliteValue[] };

/** `rows`: it would take looking at more rows than it may. `time`: it took more time. */
export type ReadFailure =
  | "rows"
  | "time"
  | { readonly message: string; readonly errcode: number | undefined };

export type Rows = readonly (readonly SqliteValue[])[];

export type ReadAnswer = { readonly rows: Rows } | { readonly failure: ReadFailure };
