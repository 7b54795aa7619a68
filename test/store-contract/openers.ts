import { openStore } from "../bank-stores.ts";
import { standardConnections, standardReads } from "../../runtime/store/index.ts";
import type { Store } from "../../runtime/store/ports/index.ts";
import { patienceMs } from "../until.ts";

/** How the contract suite opens stores. */
export const optionsUnderTest = {
  migrate: true,
  reads: { ...standardReads, threads: 1, timeMs: patienceMs },
  connections: { ...standardConnections, statementTimeoutMs: patienceMs, connectTimeoutMs: patienceMs },
};

/** How a process of its own opens what another process has left behind: by URL. */
export function openAnew(url: string): Promise<Store> {
  return openStore(url, optionsUnderTest);
}
