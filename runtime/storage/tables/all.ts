import * as tables from "./records.ts";
import type { TableShape } from "./table.ts";

/** Every table of records. */
export const recordTables: readonly TableShape[] = Object.values(tables);
