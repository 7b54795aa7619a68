import { versionsOf } from "../common/versions.ts";
import { migrations } from "../tables/all.ts";
import { schemaSql, tableSql } from "./schema.ts";

/** The versions of a file. */
export const versions = versionsOf({
  dialect: "sqlite",
  baseline: 22,
  steps: migrations,
  tableSql,
  schemaSql,
});
