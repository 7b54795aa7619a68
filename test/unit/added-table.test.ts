import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import { customers } from "../../ledger/tables/index.ts";
import { auditedBySystem } from "../../runtime/store/audit/index.ts";
import { openStore, verifyStore } from "../../runtime/store/index.ts";
import { knownToEntries } from "../../runtime/store/tables/audit-rule.ts";
import { oneOf, text, time } from "../../runtime/store/tables/column.ts";
import { queryOf } from "../../runtime/store/tables/query.ts";
import type { Schema } from "../../runtime/store/tables/schema.ts";
import { defineTable } from "../../runtime/store/tables/table.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { bank, customer, insertParties } from "../store-contract/samples.ts";
import { fileForEachTest } from "./storage-folder.ts";

const file = fileForEachTest();

interface NoteRecord {
  readonly id: string;
  readonly institutionId: string;
  readonly customerId: string;
  readonly body: string;
  readonly status: "OPEN" | "DONE";
  readonly createdAt: number;
}

const notes = defineTable<NoteRecord>({
  name: "notes",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    customerId: text("customer_id"),
    body: text("body"),
    status: oneOf("status", ["OPEN", "DONE"]),
    createdAt: time("created_at"),
  },
  key: ["institutionId", "id"],
  references: [{ fields: ["institutionId", "customerId"], to: () => customers }],
  indexes: { notes_by_customer: ["institutionId", "customerId", "status", "createdAt", "id"] },
  audited: {
    subjectType: "note",
    by: "id",
    fields: { ...knownToEntries, customerId: "value", body: "hidden", status: "value" },
  },
});

const openNotes = queryOf(notes, ["institutionId", "customerId", "status"], { order: ["createdAt", "id"] });

const grown: Schema = {
  ...schema,
  tables: [...schema.tables, notes],
  migrations: [...schema.migrations, { name: "notes", adds: [notes] }],
};

test("a table more is a definition, a row and a step: an old file gets it, with its index, audit and verification", async () => {
  const url = `sqlite:${file()}`;
  const before = await openStore(url, schema, optionsUnderTest);
  await before.write(insertParties);
  await before.close();
  await expect(openStore(url, grown, { ...optionsUnderTest, migrate: false })).rejects.toThrow(/\(notes\)/);

  const store = await openStore(url, grown, optionsUnderTest);
  const note = { institutionId: bank.id, customerId: customer.id, body: "Call back", createdAt: 1 };
  const by = { institutionId: bank.id, operation: "test", clock: { now: () => 1 } };
  await store.write(async (plain) => {
    const tx = auditedBySystem(plain, by);
    await tx.insert(notes, { ...note, id: "n-1", status: "OPEN" }, { ...note, id: "n-2", status: "OPEN" });
    await tx.update(notes.byKey, { status: "DONE" }, bank.id, "n-2");
  });
  const open = await store.read((view) => view.many(openNotes, bank.id, customer.id, "OPEN"));
  expect(open.map(({ id }) => id)).toEqual(["n-1"]);
  await store.close();

  const recordFindings = async (): Promise<readonly string[]> =>
    (await verifyStore(url, grown, {})).findings
      .filter(({ table }) => table === "notes")
      .map(({ record, what }) => `${record}: ${what}`);
  expect(await recordFindings()).toEqual([]);
  const database = new DatabaseSync(file());
  const plan = database
    .prepare(
      "EXPLAIN QUERY PLAN SELECT id FROM notes WHERE institution_id = '' AND customer_id = '' AND status = ''",
    )
    .all();
  expect(JSON.stringify(plan)).toContain("notes_by_customer");
  database.exec("UPDATE notes SET status = 'OPEN' WHERE id = 'n-2'");
  database.close();
  expect(await recordFindings()).toEqual(['note n-2: status is "OPEN", the audit entries say "DONE"']);
});
