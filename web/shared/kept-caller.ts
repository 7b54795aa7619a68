import type { Caller } from "./sign-in.ts";

/**
 * Keeps who has signed in over a reload of the page. The private key is one that no script can read; the browser stores
 * it as it is. The record belongs to one tab: its name is in the tab's own storage, and goes with the tab.
 */
export interface KeptCaller {
  keep(caller: Caller): Promise<void>;
  /** Undefined where nobody has signed in on this tab, or the browser keeps no keys. */
  recall(): Promise<Caller | undefined>;
  forget(): Promise<void>;
}

const database = "ledger-rpc";
const table = "callers";
/** A session left by a closed tab is removed when a page is opened after this time. */
const keptMs = 24 * 60 * 60 * 1000;

interface Kept {
  readonly caller: Caller;
  readonly at: number;
}

/** `page` tells the pages of one address apart. */
export function keptCaller(page: string): KeptCaller {
  const member = `signed-in-${page}`;
  return {
    async keep(caller) {
      const name = crypto.randomUUID();
      await quietly(async () => {
        await inTable("readwrite", (store) => store.put({ caller, at: Date.now() } satisfies Kept, name));
        sessionStorage.setItem(member, name);
      });
    },
    async recall() {
      return quietly(async () => {
        await removeOld();
        const name = sessionStorage.getItem(member);
        if (name === null) return undefined;
        const kept: Kept | undefined = await inTable("readonly", (store) => store.get(name));
        return kept?.caller;
      });
    },
    async forget() {
      await quietly(async () => {
        const name = sessionStorage.getItem(member);
        sessionStorage.removeItem(member);
        if (name !== null) await inTable("readwrite", (store) => store.delete(name));
      });
    },
  };
}

async function removeOld(): Promise<void> {
  const names: IDBValidKey[] = await inTable("readonly", (store) => store.getAllKeys());
  for (const name of names) {
    const kept: Kept | undefined = await inTable("readonly", (store) => store.get(name));
    if (kept === undefined || Math.abs(Date.now() - kept.at) > keptMs)
      await inTable("readwrite", (store) => store.delete(name));
  }
}

/** A private window or a strict setting keeps nothing: then the reader signs in again. */
async function quietly<R>(work: () => Promise<R>): Promise<R | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

async function inTable<R>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<R>,
): Promise<R> {
  const opening = indexedDB.open(database, 1);
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(table));
  const opened = await settled(opening);
  try {
    return await settled(ask(opened.transaction(table, mode).objectStore(table)));
  } finally {
    opened.close();
  }
}

function settled<R>(request: IDBRequest<R>): Promise<R> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("the browser keeps nothing")));
  });
}
