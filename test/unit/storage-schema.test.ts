import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import { migrateStore, openStore, planMigrations } from "../bank-stores.ts";
import type { AuditChange } from "../../runtime/store/ports/index.ts";
import { auditHash } from "../../runtime/store/common/chains.ts";
import {
  describe as described,
  schemaTexts,
  versions as versionsOfSqlite,
} from "../../runtime/store/sqlite/schema.ts";
import { oldestEvents, userByName } from "../../runtime/store/tables/index.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { insertParties } from "../store-contract/samples.ts";
import { formerSql, writeFormer } from "./former-file.ts";
import { fileForEachTest } from "./storage-folder.ts";

const { whole, migrations } = versionsOfSqlite(schema);
const schemaSql = whole.sql;
/** What the steps since version 22 make of a file of that version. */
const migratedSql = [formerSql, ...migrations.map(({ sql }) => sql)].join(";\n");
const file = fileForEachTest();

function schemaMadeBy(sql: string): ReadonlyMap<string, string> {
  const database = new DatabaseSync(":memory:");
  database.exec(sql);
  const made = described(database);
  made.delete("migrations");
  database.close();
  return made;
}

test("a new file has the tables, indexes and triggers that all migrations made", () => {
  expect(schemaMadeBy(schemaSql)).toEqual(schemaMadeBy(migratedSql));
});

test("flags and words are checked, in a new file as in one that migrations made", () => {
  const checks = (sql: string) =>
    [...sql.matchAll(/(\w+) (?:TEXT|INTEGER)[^,(]*(?:DEFAULT \S+ )?CHECK \(\s*\1 (?:IN|=)/g)]
      .map(([, column]) => column)
      .toSorted();
  expect(checks(schemaSql)).toEqual(checks(migratedSql));
});

test("a file of version 22 is brought up to date, and opened", async () => {
  writeFormer(file(), 22);
  await expect(openStore(`sqlite:${file()}`, { ...optionsUnderTest, migrate: false })).rejects.toThrow(
    /lacks migration 23 \(\S+\), .*\(topics-and-groups\)/,
  );
  const store = await openStore(`sqlite:${file()}`, { ...optionsUnderTest, migrate: true });
  expect(await store.verify({})).toMatchObject({ findings: [] });
  await store.write(insertParties);
  await store.close();
  expect(await planMigrations(`sqlite:${file()}`, optionsUnderTest)).toEqual([]);
});

test("what a file of version 22 holds is there under the new names, and its audit entries agree", async () => {
  const database = writeFormer(file(), 22, true);
  database.exec(`INSERT INTO institutions VALUES ('bank', 'Bank');
    INSERT INTO users VALUES ('erp', 'bank', 'erp@bank.example', '["*"]', '["c-1"]', 0, NULL, 1, 'ledger');
    INSERT INTO outbox_events (id, institution_id, name, source, account_numbers, customer_id, payload_json, created_at,
      other_payloads) VALUES ('e-1', 'bank', 'Transaction.NEW', 's', '["100","200"]', 'c-1', '{}', 1,
      '[{"accountNumber":"200","payloadJson":"{\\"accountNumber\\":\\"200\\"}"}]')`);
  const entry = database.prepare(
    `INSERT INTO audit_entries (sequence, number, institution_id, subject_type, subject_id, position, operation,
      changed_at, changes, hash) VALUES (?, ?, 'bank', ?, ?, 1, 'test', 1, ?, ?)`,
  );
  const subjects: readonly (readonly [string, string, readonly AuditChange[]])[] = [
    ["institution", "bank", [{ field: "name", to: "Bank" }]],
    [
      "user",
      "erp",
      [
        { field: "realm", to: "ledger" },
        { field: "email" },
        { field: "scopes", to: '["*"]' },
        { field: "customerIds", to: '["c-1"]' },
        { field: "otpFailures", to: "0" },
      ],
    ],
  ];
  for (const [index, [subjectType, subjectId, changes]] of subjects.entries()) {
    const content = {
      institutionId: "bank",
      subjectType,
      subjectId,
      operation: "test",
      changedAt: 1,
      changes,
    };
    const hash = auditHash(content, { position: 1, previousHash: "" });
    entry.run(index + 1, index + 1, subjectType, subjectId, JSON.stringify(changes), hash);
  }
  database.close();
  const store = await openStore(`sqlite:${file()}`, optionsUnderTest);
  expect(await store.verify({})).toMatchObject({ findings: [] });
  expect(await store.read((view) => view.one(userByName, "erp"))).toMatchObject({ groups: ["c-1"] });
  expect(await store.read((view) => view.many(oldestEvents, 9))).toMatchObject([
    {
      topics: ["100", "200"],
      group: "c-1",
      otherPayloads: [{ topic: "200", payloadJson: '{"accountNumber":"200"}' }],
    },
  ]);
  await store.close();
});

test("a new file has what a start compares it with first", async () => {
  await migrateStore(`sqlite:${file()}`, optionsUnderTest);
  const database = new DatabaseSync(file());
  const found = database
    .prepare(
      "SELECT type || ' ' || name AS name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'migrations'",
    )
    .all();
  expect(new Map(found.map(({ name, sql }) => [String(name), String(sql)]))).toEqual(schemaTexts(schema));
  database.close();
});
