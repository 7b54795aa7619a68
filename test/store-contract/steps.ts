import { describe, expect, test } from "vitest";
import { schema as bankSchema } from "../../ledger/schema.ts";
import { auditedBySystem } from "../../runtime/store/audit/index.ts";
import { migrateStore, openStore, planMigrations, verifyStore } from "../../runtime/store/index.ts";
import type { Versions } from "../../runtime/store/common/versions.ts";
import { defaulting, flag, optional, text, time } from "../../runtime/store/tables/column.ts";
import {
  cancellations,
  institutions,
  knownToEntries,
  type SchemaStep,
  type TableShape,
} from "../../runtime/store/tables/index.ts";
import { queryOf } from "../../runtime/store/tables/query.ts";
import type { Schema } from "../../runtime/store/tables/schema.ts";
import { stepsOf } from "../../runtime/store/tables/steps.ts";
import { defineTable } from "../../runtime/store/tables/table.ts";
import { optionsUnderTest } from "./openers.ts";
import { bank } from "./samples.ts";

/** A database without tables, of one engine. */
export interface EmptyDatabase {
  readonly url: string;
  execute(sql: string): Promise<unknown>;
}

/** What the cases need of an engine. */
export interface SteppedEngine {
  readonly versions: (schema: Schema) => Versions;
  readonly tableSql: (table: TableShape) => string;
  /** The engine's tables before it had steps of its own, and the bank's before it had any. */
  readonly formerEngineSql: string;
  readonly formerBankSql: string;
  empty(): Promise<EmptyDatabase>;
}

interface NoteRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly body: string;
  readonly createdAt: number;
}

interface SignedNoteRecord extends NoteRecord {
  readonly author: string;
  readonly isDone: boolean;
  readonly place?: string | undefined;
}

const columns = {
  id: text("id"),
  institutionId: text("institution_id"),
  body: text("body"),
  createdAt: time("created_at"),
};
const key = ["institutionId", "id"] as const;

const notes = defineTable<NoteRecord>({
  name: "notes",
  columns,
  key,
  audited: { subjectType: "note", by: "id", fields: { ...knownToEntries, body: "value" } },
});

const signedNotes = defineTable<SignedNoteRecord>({
  name: "notes",
  columns: {
    ...columns,
    author: defaulting(text("author"), "nobody's"),
    isDone: defaulting(flag("is_done"), false),
    place: optional(text("place")),
  },
  key,
  indexes: {
    notes_by_author: ["institutionId", "author"],
    notes_by_place: { by: ["place"], present: "place" },
  },
  audited: {
    subjectType: "note",
    by: "id",
    fields: { ...knownToEntries, body: "value", author: "value", isDone: "value", place: "value" },
  },
});
const notesByAuthor = queryOf(signedNotes, ["institutionId", "author"]);

const first: Schema = { tables: [notes], migrations: [{ name: "notes", adds: [notes] }] };
const signing: SchemaStep = {
  name: "note-authors",
  extends: [
    {
      table: signedNotes,
      columns: ["author", "is_done", "place"],
      indexes: ["notes_by_author", "notes_by_place"],
    },
  ],
};
const second: Schema = {
  tables: [signedNotes],
  migrations: [{ name: "notes", adds: [signedNotes] }, signing],
};
const engineSteps = stepsOf({ migrations: [] }).map(({ name }) => name);
const note = { institutionId: bank.id, body: "Call back", createdAt: 1 };
const by = { institutionId: bank.id, operation: "test", clock: { now: () => 1 } };

/** Databases of earlier programs are brought up to date, whatever they have recorded, and others are refused. */
export function describeSteps(name: string, { versions, tableSql, empty, ...former }: SteppedEngine): void {
  const migrated = async (url: string, schema: Schema) =>
    (await migrateStore(url, schema, optionsUnderTest)).map((step) => step.name);
  const findings = async (url: string, schema: Schema) => (await verifyStore(url, schema, {})).findings;

  /** A database as the engine left it before it had steps, with these records after the baseline. */
  async function formerDatabase(
    sql: string,
    schema: Schema,
    records: readonly string[],
  ): Promise<EmptyDatabase> {
    const database = await empty();
    const { baseline } = versions(schema);
    const values = ["schema", ...records].map((step, index) => `(${baseline + index}, '${step}', 'x', 0)`);
    await database.execute(`${sql};
      INSERT INTO migrations VALUES ${values.join()}`);
    return database;
  }

  const formerApplication = (records: readonly string[] = ["notes"]) =>
    formerDatabase(
      former.formerEngineSql + (records.includes("notes") ? tableSql(notes) : ""),
      first,
      records,
    );

  describe(name, () => {
    test("an application's database of before the engine had steps gets them", async () => {
      const { url } = await formerApplication();
      expect(await migrated(url, first)).toEqual(engineSteps);
      const store = await openStore(url, first, { ...optionsUnderTest, migrate: false });
      await store.write(async (tx) => {
        await auditedBySystem(tx, by).insert(institutions, bank);
        await tx.insert(cancellations, {
          subscriptionId: "s-1",
          institutionId: bank.id,
          generation: 1,
          reason: "DELETED",
        });
      });
      await store.close();
      expect(await findings(url, first)).toEqual([]);
      expect(await planMigrations(url, first, optionsUnderTest)).toEqual([]);
    });

    test("the bank's database of before the engine had steps gets them", async () => {
      const bankSteps = bankSchema.migrations.map((step) => step.name);
      const sql = versions(bankSchema)
        .migrations.filter((step) => bankSteps.includes(step.name))
        .map((step) => step.sql);
      const { url } = await formerDatabase([former.formerBankSql, ...sql].join(";\n"), bankSchema, bankSteps);
      expect(await migrated(url, bankSchema)).toEqual(engineSteps);
      expect(await findings(url, bankSchema)).toEqual([]);
      expect(await migrated(url, bankSchema)).toEqual([]);
    });

    test("a later column gives rows that are there its value, and their audit entries agree", async () => {
      const { url } = await formerApplication();
      const before = await openStore(url, first, optionsUnderTest);
      await before.write(async (plain) => {
        const tx = auditedBySystem(plain, by);
        await tx.insert(institutions, bank);
        await tx.insert(notes, { ...note, id: "n-1" });
      });
      await before.close();
      const store = await openStore(url, second, optionsUnderTest);
      await store.write((tx) =>
        auditedBySystem(tx, by).insert(signedNotes, { ...note, id: "n-2", author: "Ann", isDone: true }),
      );
      expect(await store.read((view) => view.many(notesByAuthor, bank.id, "nobody's"))).toEqual([
        { ...note, id: "n-1", author: "nobody's", isDone: false },
      ]);
      await store.close();
      expect(await findings(url, second)).toEqual([]);
    });

    test.each([
      ["none of both steps", [], ["notes", "note-authors"]],
      ["the first step", ["notes"], ["note-authors"]],
    ])("a database that has %s gets each column once", async (_name, records, lacking) => {
      const { url } = await formerApplication(records);
      expect(await migrated(url, second)).toEqual([...engineSteps, ...lacking]);
      expect(await findings(url, second)).toEqual([]);
      expect(await migrated(url, second)).toEqual([]);
    });

    test("a process that dies between two steps leaves what the next one goes on with", async () => {
      const { url } = await formerApplication([]);
      const onMigration = ({ name: step }: { readonly name: string }) => {
        if (step === signing.name) throw new Error("killed");
      };
      await expect(migrateStore(url, second, { ...optionsUnderTest, onMigration })).rejects.toThrow("killed");
      expect(await migrated(url, second)).toEqual([signing.name]);
      expect(await migrated(url, second)).toEqual([]);
    });

    test("a table without a recorded step is extended, and a new database has it all", async () => {
      const migrations = [signing];
      const database = await formerApplication([]);
      await database.execute(tableSql(notes));
      expect(await migrated(database.url, { tables: [signedNotes], migrations })).toEqual([
        ...engineSteps,
        signing.name,
      ]);
      const { url } = await empty();
      expect(await migrated(url, second)).toEqual(["schema"]);
      expect(await migrated(url, second)).toEqual([]);
    });

    const sql = { sqlite: "SELECT 1;\n", postgres: "SELECT 1;\n" };
    const edited: readonly (readonly [string, SchemaStep, SchemaStep])[] = [
      [
        "its own statements",
        { name: "s", sql },
        { name: "s", sql: { sqlite: "SELECT 2;\n", postgres: "SELECT 2;\n" } },
      ],
      ["its tables", { name: "s", adds: [signedNotes] }, { name: "s", adds: [] }],
      ["its columns", signing, { ...signing, extends: [{ table: signedNotes, columns: ["author"] }] }],
    ];
    test.each(edited)("a step that was edited in %s is refused", async (_name, before, after) => {
      const { url } = await empty();
      await migrated(url, { tables: [signedNotes], migrations: [before] });
      await expect(migrated(url, { tables: [signedNotes], migrations: [after] })).rejects.toThrow(
        /has migration \d+ \((s|note-authors)\) with another content/,
      );
    });

    test("a database with a step that is not known is a newer version's", async () => {
      const { url } = await empty();
      await migrated(url, second);
      await expect(migrated(url, { ...second, migrations: second.migrations.slice(0, 1) })).rejects.toThrow(
        /written by a newer version: it has migration \d+ \(note-authors\), which this version does not know/,
      );
    });
  });
}
