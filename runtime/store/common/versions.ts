import { createHash } from "node:crypto";
import { type MigrationStep, StoreOpenError } from "./adapter.ts";
import { addedColumns, wholeName, type SchemaStep } from "../tables/steps.ts";
import type { ColumnShape, TableShape } from "../tables/table.ts";

/** The versions of a database's schema that this program knows. */
export interface Versions {
  /** The number of the oldest one that can be brought up to date. */
  readonly baseline: number;
  /** The steps after it, in the order in which a database gets them. Forward only. */
  readonly migrations: readonly KnownStep[];
  /** Makes all of a new database, as it is after the last step. */
  readonly whole: KnownStep;
}

/** A step in a dialect. Its number is that of the database: they count on from the last one that it has. */
export interface KnownStep {
  readonly name: string;
  readonly checksum: string;
  /** Columns that it adds, in front of its other statements, where a table lacks them. */
  readonly columns: readonly { readonly table: string; readonly name: string; readonly sql: string }[];
  readonly sql: string;
}

/** How a dialect writes them down. */
export interface VersionsDraft {
  readonly dialect: "sqlite" | "postgres";
  readonly baseline: number;
  readonly steps: readonly SchemaStep[];
  /** The statements that make a table and its indexes. */
  tableSql(table: TableShape): string;
  /** The statement that adds a column. */
  addColumnSql(table: TableShape, column: ColumnShape): string;
  /** The statements that make those of a table's indexes that have these names and are not there. */
  addIndexesSql(table: TableShape, names: readonly string[]): string;
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
  readonly known: KnownStep;
  readonly records: readonly Recorded[];
}

export function versionsOf(draft: VersionsDraft): Versions {
  const { dialect, baseline, steps, schemaSql } = draft;
  const migrations = steps.map((step): KnownStep => {
    const { name, adds = [], extends: extended = [], sql } = step;
    const columns = extended.flatMap((extension) =>
      addedColumns(extension).map((column) => ({
        table: extension.table.name,
        name: column.name,
        sql: draft.addColumnSql(extension.table, column),
      })),
    );
    const derived = [
      ...adds.map((table) => draft.tableSql(table)),
      ...extended.map(({ table, indexes = [] }) => draft.addIndexesSql(table, indexes)),
    ];
    const ownSql = sql?.[dialect] ?? "";
    return { name, checksum: checksumOf(step, ownSql), columns, sql: derived.join("") + ownSql };
  });
  return {
    baseline,
    migrations,
    whole: { name: wholeName, checksum: hashOf(schemaSql), columns: [], sql: schemaSql },
  };
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
    const records = [whole, ...migrations].map(({ name, checksum }, index) => ({
      number: baseline + index,
      name,
      checksum,
    }));
    return [{ step: stepOf(whole, baseline + migrations.length), known: whole, records }];
  }
  if (newest < baseline) {
    throw new StoreOpenError(
      `${place} was written by an older version: it has migration ${newest}, this version begins at ${baseline}. Nothing ` +
        "was changed. Check out commit cb739801, run `ledger-server migrate` there with the settings that you have, then " +
        "start this version. See docs/upgrading.md",
    );
  }
  const later = recorded.filter(({ number }) => number > baseline);
  for (const record of later) {
    requireSame(
      record,
      migrations.find(({ name }) => name === record.name),
      place,
    );
  }
  return migrations
    .filter(({ name }) => !later.some((record) => record.name === name))
    .map((known, index) => {
      const number = newest + index + 1;
      return {
        step: stepOf(known, number),
        known,
        records: [{ number, name: known.name, checksum: known.checksum }],
      };
    });
}

function requireSame(
  { number, name, checksum }: Recorded,
  known: KnownStep | undefined,
  place: string,
): void {
  if (known === undefined) {
    throw new StoreOpenError(
      `${place} was written by a newer version: it has migration ${number} (${name}), which this version does not know. ` +
        "Run that version, or restore a backup made before the upgrade.",
    );
  }
  if (checksum === known.checksum) return;
  // Before the first release, checksums of steps that derive SQL from tables covered that SQL: the tables of that time.
  if (known.checksum.startsWith(ofNames) && !checksum.startsWith(ofNames)) return;
  throw new StoreOpenError(
    `${place} has migration ${number} (${name}) with another content than this version's. Steps are never edited: undo ` +
      "the change, and add a step for it. Without a change, it was written by a build that was never released: restore a " +
      "backup or start with an empty database.",
  );
}

function stepOf({ name, columns, sql }: KnownStep, number: number): MigrationStep {
  return { number, name, sql: columns.map((column) => column.sql).join("") + sql };
}

/** Marks the checksum of a step that names tables. */
const ofNames = "names:";

/** Covers what is written by hand, and names: what is derived from a table changes with it. */
function checksumOf({ adds = [], extends: extended = [] }: SchemaStep, ownSql: string): string {
  const names = [
    ...adds.map((table) => table.name),
    ...extended.map(({ table, columns = [], indexes = [] }) => [table.name, columns, indexes]),
  ];
  return names.length === 0 ? hashOf(ownSql) : `${ofNames}${hashOf(JSON.stringify([names, ownSql]))}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Whether the database has nothing of this program yet. */
export function isNew(pending: readonly Pending[]): boolean {
  return pending.some(({ known }) => known.name === wholeName);
}

/** The steps by number and name, for a message. */
export function namesOf(pending: readonly Pending[]): string {
  return pending.map(({ step: { number, name } }) => `${number} (${name})`).join(", ");
}
