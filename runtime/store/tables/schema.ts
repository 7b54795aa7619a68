import type { VerifyRules } from "../common/verify/rules.ts";
import type { TableShape } from "./table.ts";

/** What an application keeps in a store, beside what the engine keeps itself. */
export interface Schema {
  readonly tables: readonly TableShape[];
  /** The steps since the baseline, oldest first. Never edited once they are released: every database records their checksums. */
  readonly migrations: readonly SchemaStep[];
  /** The text of each trigger by name, in SQLite alone: PostgreSQL's engine works without. */
  readonly sqliteTriggers: ReadonlyMap<string, string>;
  /** What `verify` compares in its tables, beside their audit entries. */
  readonly verify: VerifyRules;
}

/** A step from one shape of a database to the next: tables that it adds, then statements in each dialect. */
export interface SchemaStep {
  readonly name: string;
  readonly adds?: readonly TableShape[];
  readonly sql?: { readonly sqlite: string; readonly postgres: string };
}
