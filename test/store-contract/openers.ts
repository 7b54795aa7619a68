import type { Store } from "../../runtime/ports/index.ts";
import { openSqliteStore } from "../../runtime/storage/sqlite/index.ts";

/** How a process of its own opens what another process has left behind, by adapter. */
export const openers: Readonly<Record<string, (location: string) => Promise<Store>>> = {
  sqlite: (file) => openSqliteStore({ file, migrate: true }),
};
