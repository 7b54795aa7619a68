import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { tableSql, versions } from "../../runtime/store/sqlite/schema.ts";
import { sealed, text } from "../../runtime/store/tables/column.ts";
import { defaulting, type SchemaStep } from "../../runtime/store/tables/index.ts";
import { stepsOf } from "../../runtime/store/tables/steps.ts";
import { defineTable } from "../../runtime/store/tables/table.ts";
import { describeSteps } from "../store-contract/steps.ts";
import { formerSql } from "./former-file.ts";
import { fileForEachTest } from "./storage-folder.ts";

const file = fileForEachTest();
let count = 0;

describeSteps("steps of a file", {
  versions,
  tableSql,
  formerEngineSql: readFileSync(
    join(import.meta.dirname, "../store-contract/engine-before-steps.sqlite.sql"),
    "utf8",
  ),
  formerBankSql: formerSql,
  empty: async () => {
    const name = join(dirname(file()), `${(count += 1)}.sqlite`);
    mkdirSync(dirname(name), { recursive: true });
    return {
      url: `sqlite:${name}`,
      execute: async (sql) => {
        const database = new DatabaseSync(name);
        database.exec(`PRAGMA application_id = ${0x4c525043}; ${sql}`);
        database.close();
      },
    };
  },
});

const notes = defineTable<{ readonly id: string; readonly body: string; readonly secret: string }>({
  name: "notes",
  columns: { id: text("id"), body: text("body"), secret: defaulting(sealed(text("secret")), "-") },
  key: ["id"],
});
const extending = (...columns: readonly string[]): SchemaStep => ({
  name: "more",
  extends: [{ table: notes, columns }],
});
const refused: readonly (readonly [string, readonly SchemaStep[], RegExp])[] = [
  [
    "two of one name",
    [{ name: "notes" }, { name: "notes" }],
    /migration notes: another one.* Choose a new name/,
  ],
  ["the name of the engine's", [{ name: "urgent-mails" }], /migration urgent-mails: another one/],
  ["the name of a new database", [{ name: "schema" }], /migration schema: another one/],
  ["an unknown column", [extending("bodi")], /migration more: table notes has no column or index bodi/],
  [
    "a required column",
    [extending("body")],
    /column body of table notes is required.*optional\(…\).*defaulting/,
  ],
  [
    "a sealed column with a value",
    [extending("secret")],
    /column secret .*sealed column can only be optional/,
  ],
];
test.each(refused)(
  "a schema with steps that have %s is refused when it is built",
  (_name, migrations, message) => {
    expect(() => stepsOf({ migrations })).toThrow(message);
  },
);

test("a later column is no part of a key", () => {
  const keyed = defineTable<{ readonly id: string }>({
    name: "keyed",
    columns: { id: defaulting(text("id"), "") },
    key: ["id"],
  });
  expect(() =>
    stepsOf({ migrations: [{ name: "more", extends: [{ table: keyed, columns: ["id"] }] }] }),
  ).toThrow(/column id of table keyed is part of its key/);
});
