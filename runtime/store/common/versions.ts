import { createHash } from "node:crypto";
import { type MigrationStep, StoreOpenError } from "./adapter.ts";
import type { SchemaStep, TableShape } from "../tables/index.ts";

/** The versions of a database's schema that this program knows. */
export interface Versions {
  /** The number of the oldest one that can be brought up to date. */
  readonly baseline: number;
  /** The steps after it, oldest first: numbered on from the baseline without gaps. Forward only. */
  readonly migrations: readonly MigrationStep[];
  /** Makes all of a new database, as it is after the last step. */
  readonly whole: MigrationStep;
}

/** How a dialect writes them down. */
export interface VersionsDraft {
  readonly dialect: "sqlite" | "postgres";
  readonly baseline: number;
  readonly steps: readonly SchemaStep[];
  /** The statements that make a table and its indexes. */
  tableSql(table: TableShape): string;
  /** The statements that make all of a new database. */
  readonly schemaSql: string;
}

/** A step as a database keeps it. */
export interface Recorded {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/** A step that a database lacks, and what is to be recorded with it. */
export interface Pending {
  readonly step: MigrationStep;
  readonly records: readonly Recorded[];
}

const wholeName = "schema";

export function versionsOf({ dialect, baseline, steps, tableSql, schemaSql }: VersionsDraft): Versions {
  const migrations = steps.map(({ name, adds = [], sql }, index) => ({
    number: baseline + index + 1,
    name,
    sql: adds.map(tableSql).join("") + (sql?.[dialect] ?? ""),
  }));
  const whole = { number: baseline + migrations.length, name: wholeName, sql: schemaSql };
  return { baseline, migrations, whole };
}

/**
 * The steps that a database lacks which has recorded these, by number: one step where it is new. `place` names it in errors.
 * @throws StoreOpenError for a database of an older or a newer version, or with a step recorded otherwise than it is known here.
 */
export function pendingOf(
  recorded: readonly Recorded[],
  { baseline, migrations, whole }: Versions,
  place: string,
): readonly Pending[] {
  const newest = recorded.at(-1)?.number;
  if (newest === undefined) {
    const records = [recordOf({ ...whole, number: baseline }), ...migrations.map(recordOf)];
    return [{ step: whole, records }];
  }
  const known = baseline + migrations.length;
  if (newest > known) {
    throw new StoreOpenError(
      `${place} was written by a newer version: it has migration ${newest}, this version knows ${known}. ` +
        "Run that version, or restore a backup made before the upgrade.",
    );
  }
  if (newest < baseline) {
    throw new StoreOpenError(
      `${place} was written by an older version: it has migration ${newest}, this version begins at ${baseline}. Nothing ` +
        "was changed. Check out commit cb739801, run `ledger-server migrate` there with the settings that you have, then " +
        "start this version. See docs/upgrading.md",
    );
  }
  for (const { number, name, checksum } of recorded.filter((record) => record.number > baseline)) {
    const migration = migrations[number - baseline - 1];
    if (migration !== undefined && recordOf(migration).checksum === checksum) continue;
    throw new StoreOpenError(
      `${place} has migration ${number} (${name}) with another content than this version's. ` +
        "It was written by a build that was never released: restore a backup or start with an empty database.",
    );
  }
  return migrations.slice(newest - baseline).map((step) => ({ step, records: [recordOf(step)] }));
}

/** Whether the database has nothing of this program yet. */
export function isNew(pending: readonly Pending[]): boolean {
  return pending.some(({ step }) => step.name === wholeName);
}

/** The steps by number and name, for a message. */
export function namesOf(pending: readonly Pending[]): string {
  return pending.map(({ step: { number, name } }) => `${number} (${name})`).join(", ");
}

function recordOf({ number, name, sql }: MigrationStep): Recorded {
  return { number, name, checksum: createHash("sha256").update(sql).digest("hex") };
}
