import { createHash } from "node:crypto";
import type { MigrationStep } from "./adapter.ts";
import { StoreOpenError } from "./store-open-error.ts";

/** The versions of a database's schema that this program knows. */
export interface Versions<Step extends MigrationStep> {
  /** The number of the oldest one that can be brought up to date. */
  readonly baseline: number;
  /** The steps after it, oldest first: numbered on from the baseline without gaps. Forward only. */
  readonly migrations: readonly Step[];
  /** Makes all of a new database, as it is after the last step. */
  readonly whole: Step;
}

/** A step as a database keeps it. */
export interface Recorded {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/** A step that a database lacks, and what is to be recorded with it. */
export interface Pending<Step extends MigrationStep> {
  readonly step: Step;
  readonly records: readonly Recorded[];
}

const wholeName = "schema";

/** The step that makes all of a new database. */
export function wholeStep(
  { baseline, migrations }: Pick<Versions<MigrationStep>, "baseline" | "migrations">,
  sql: string,
): MigrationStep {
  return { number: baseline + migrations.length, name: wholeName, sql };
}

/**
 * The steps that a database lacks which has recorded these, by number: one step where it is new. `place` names it in errors.
 * @throws StoreOpenError for a database of an older or a newer version, or with a step recorded otherwise than it is known here.
 */
export function pendingOf<Step extends MigrationStep>(
  recorded: readonly Recorded[],
  { baseline, migrations, whole }: Versions<Step>,
  place: string,
): readonly Pending<Step>[] {
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
export function isNew(pending: readonly Pending<MigrationStep>[]): boolean {
  return pending.some(({ step }) => step.name === wholeName);
}

/** The steps by number and name, for a message. */
export function namesOf(pending: readonly Pending<MigrationStep>[]): string {
  return pending.map(({ step: { number, name } }) => `${number} (${name})`).join(", ");
}

function recordOf({ number, name, sql }: MigrationStep): Recorded {
  return { number, name, checksum: createHash("sha256").update(sql).digest("hex") };
}
