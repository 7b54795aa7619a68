import type { VerifyRules } from "../common/verify/rules.ts";
import type { ColumnShape, TableShape } from "./table.ts";

/** What an application keeps in a store, beside what the engine keeps itself. Handed to the store when it is opened. */
export interface Schema {
  readonly tables: readonly TableShape[];
  /** The steps since the baseline, oldest first. Never edited once they are released: every database records their checksums. */
  readonly migrations: readonly SchemaStep[];
  readonly sqlite?: Derived & {
    /** The text of each trigger by name. */
    readonly triggers: ReadonlyMap<string, string>;
  };
  readonly postgres?: Derived & { readonly lookups?: readonly Lookup[] };
  /** What `verify` compares in its tables, beside their audit entries. */
  readonly verify?: VerifyRules;
}

/** What one kind of database keeps beside the tables. */
interface Derived {
  /** Tables that are derived from the others for the sake of speed: a move leaves them out. */
  readonly derived: readonly TableShape[];
}

/** A record that most of its readers ask more records after: PostgreSQL finds all of them by one statement, for many readers. */
export interface Lookup {
  /** The record that is asked for first, by its key. */
  readonly table: TableShape;
  readonly beside: readonly Beside[];
}

/** Records that another one names. */
export interface Beside {
  readonly table: TableShape;
  /** The columns of the other one that hold the key, in its order. */
  readonly by: readonly ColumnShape[];
  /** Whether the last of them holds a list, as JSON: a record for each of its texts. */
  readonly isList?: boolean;
}

/** A step from one shape of a database to the next: tables that it adds, then statements in each dialect. */
export interface SchemaStep {
  readonly name: string;
  readonly adds?: readonly TableShape[];
  readonly sql?: { readonly sqlite: string; readonly postgres: string };
  /** Fields whose names audit entries tell, by table and former name. Entries stay as they are; `verify` reads both names. */
  readonly renamed?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
