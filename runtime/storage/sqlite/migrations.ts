import type { DatabaseSync } from "node:sqlite";
import type { MigrationStep } from "../common/adapter.ts";
import { wholeStep, type Versions } from "../common/versions.ts";
import { schemaSql } from "./schema.ts";

/** A step from one shape of the file to the next. Never edited once it is released: every file records its checksum. */
export interface Migration extends MigrationStep {
  /** What SQL cannot express, after it in the same transaction. */
  readonly fill?: (database: DatabaseSync) => void;
}

const baseline = 22;
const migrations: readonly Migration[] = [];

export const versions: Versions<Migration> = {
  baseline,
  migrations,
  whole: wholeStep({ baseline, migrations }, schemaSql),
};
