import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tableSql, versions } from "../../runtime/store/postgres/schema.ts";
import { describeSteps } from "../store-contract/steps.ts";
import { emptyDatabase } from "./databases.ts";

const sqlIn = (file: string): string => readFileSync(join(import.meta.dirname, file), "utf8");

describeSteps("steps of a PostgreSQL database", {
  versions,
  tableSql,
  formerEngineSql: sqlIn("../store-contract/engine-before-steps.postgres.sql"),
  formerBankSql: `${sqlIn("schema-of-14.sql")};
    CREATE TABLE migrations (number BIGINT PRIMARY KEY, name TEXT, checksum TEXT, applied_at BIGINT)`,
  empty: emptyDatabase,
});
