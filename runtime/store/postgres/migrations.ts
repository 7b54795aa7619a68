import { versionsOf } from "../common/versions.ts";
import { migrations } from "../tables/all.ts";
import { schemaSql, tableSql } from "./schema.ts";

/** The versions of a database. */
export const versions = versionsOf({
  dialect: "postgres",
  baseline: 14,
  steps: migrations,
  tableSql,
  schemaSql,
});
