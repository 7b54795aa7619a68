import {
  openStore,
  standardConnections as connections,
  standardReads as reads,
} from "../../runtime/storage/index.ts";
import type { Store } from "../../runtime/ports/index.ts";

/** How the contract suite opens stores. */
export const optionsUnderTest = { migrate: true, reads, connections };

/** How a process of its own opens what another process has left behind: by URL. */
export function openAnew(url: string): Promise<Store> {
  return openStore(url, optionsUnderTest);
}
