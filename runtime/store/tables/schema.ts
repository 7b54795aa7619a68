import type { VerifyRules } from "../common/verify/rules.ts";
import type { TableShape } from "./table.ts";

/** What an application keeps in a store, beside what the engine keeps itself. Handed to the store when it is opened. */
export interface Schema {
  readonly tables: readonly TableShape[];
  /** The steps since the baseline, oldest first. Never edited once they are released: every database records their checksums. */
  readonly migrations: readonly SchemaStep[];
  readonly sqlite?: Derived & {
    /** The text of each trigger by name. */
    readonly triggers: ReadonlyMap<string, string>;
  };
  readonly postgres?: Derived;
  /** What `verify` compares in its tables, beside their audit entries. */
  readonly verify?: VerifyRules;
}

/** What one kind of database keeps beside the tables. */
interface Derived {
  /** Tables that are derived from the others for the sake of speed: a move leaves them out. */
  readonly derived: readonly TableShape[];
}

/** A step from one shape of a database to the next: tables that it adds, then statements in each dialect. */
export interface SchemaStep {
  readonly name: string;
  readonly adds?: readonly TableShape[];
  readonly sql?: { readonly sqlite: string; readonly postgres: string };
}
