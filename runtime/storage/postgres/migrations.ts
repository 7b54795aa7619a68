import type { MigrationStep } from "../common/adapter.ts";
import { wholeStep, type Versions } from "../common/versions.ts";
import type { Session } from "./connections.ts";
import { schemaSql } from "./schema.ts";

/** A step from one shape of the database to the next. Never edited once it is released: every database records its checksum. */
export interface PostgresMigration extends MigrationStep {
  /** What SQL cannot express, after it in the same transaction. */
  readonly fill?: (session: Session) => Promise<void>;
}

const baseline = 14;
const migrations: readonly PostgresMigration[] = [];

export const versions: Versions<PostgresMigration> = {
  baseline,
  migrations,
  whole: wholeStep({ baseline, migrations }, schemaSql),
};
