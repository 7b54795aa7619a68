import { oncePer } from "../../contract/once-per.ts";
import type { RawTable } from "../sqlite/raw-rows.ts";
import { recordTables } from "../tables/all.ts";
import type { Schema } from "../tables/schema.ts";
import type { TableShape } from "../tables/table.ts";
import { sealKeys } from "../tables/engine.ts";

/** Every table whose rows are moved, those that others refer to first. What a store derives from them is not among them. */
export const movedTables: (schema: Schema) => readonly RawTable[] = oncePer((schema) =>
  [...recordTables(schema), sealKeys].map(rawTable),
);

function rawTable({ name, columns, key, sequenceColumn, columnsBeside }: TableShape): RawTable {
  const numbered = sequenceColumn === undefined ? [] : [{ name: sequenceColumn, type: "integer" as const }];
  return {
    name,
    columns: [...columns, ...columnsBeside, ...numbered],
    key: key.map((column) => column.name),
  };
}
