import type { RawTable } from "../sqlite/raw-rows.ts";
import * as tables from "../tables/index.ts";
import type { TableShape } from "../tables/index.ts";

/** Kept by the stores themselves: which key seals, and a text that only this key opens. */
const sealKeys: RawTable = {
  name: "seal_keys",
  columns: ["key_id", "state", "check_sealed", "created_at"].map((name) => ({ name, type: "text" })),
  key: ["key_id"],
};

/** Every table whose rows are moved, those that others refer to first. What a store derives from them is not among them. */
export const movedTables: readonly RawTable[] = [...inOrder(Object.values(tables)).map(rawTable), sealKeys];

function inOrder(all: readonly TableShape[]): readonly TableShape[] {
  const ordered = new Set<TableShape>();
  const add = (table: TableShape): void => {
    if (ordered.has(table)) return;
    for (const { to } of table.references) if (to() !== table) add(to());
    ordered.add(table);
  };
  for (const table of all) add(table);
  return [...ordered];
}

function rawTable({ name, columns, key, sequenceColumn, columnsBeside = [] }: TableShape): RawTable {
  const beside = [...columnsBeside, ...(sequenceColumn === undefined ? [] : [sequenceColumn])];
  return {
    name,
    columns: [...columns, ...beside.map((column) => ({ name: column, type: "text" as const }))],
    key: key.map((column) => column.name),
  };
}
