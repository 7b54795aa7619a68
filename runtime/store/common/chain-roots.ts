import { firstRoot, nextRoot } from "./chains.ts";
import type { ChainRootRecord, Clock, Store } from "../ports/index.ts";
import { latestRoot, chainRoots } from "../tables/index.ts";
import { readAuditAfter } from "../audit/index.ts";

/** Entries that are read and hashed at a time: callers wait for some of them, never for all. */
const entriesAtOnce = 200;

export type Root = Pick<ChainRootRecord, "sequence" | "hash">;

/** As roots are printed, logged and compared: `<number of entries>:<hash>`. */
export function rootText({ sequence, hash }: Root): string {
  return `${sequence}:${hash}`;
}

/**
 * The root over all audit entries, from the latest that is kept. Entries never change, so they are read page by page
 * while others are written: no writer waits, and memory holds one page.
 */
export async function currentRoot(store: Pick<Store, "read">): Promise<Root> {
  const latest = await store.read((view) => view.one(latestRoot, 1));
  let root: Root = latest ?? { sequence: 0, hash: firstRoot };
  for (;;) {
    const { sequence: last } = root;
    const entries = await store.read((view) => readAuditAfter(view, last, entriesAtOnce));
    for (const { sequence, hash } of entries) root = { sequence, hash: nextRoot(root.hash, hash) };
    if (entries.length < entriesAtOnce) return root;
  }
}

export interface RootRecorder {
  /** Takes a last root, and stops. */
  close(): Promise<void>;
}

export interface RootRecorderOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly intervalMs: number;
  /** Receives each root once it is stored, so that it can also be stored elsewhere. */
  readonly onRoot: (root: Root) => void;
  /** Receives each failure; the next interval tries again. */
  readonly onFailure: (error: unknown) => void;
}

/** Keeps a root at once, then at every interval in which entries were added. */
export function recordRoots({
  store,
  clock,
  intervalMs,
  onRoot,
  onFailure,
}: RootRecorderOptions): RootRecorder {
  let cancel: (() => void) | undefined;
  let isClosed = false;
  let taking = take();
  return {
    close: async () => {
      isClosed = true;
      cancel?.();
      await taking;
      await take();
    },
  };

  async function take(): Promise<void> {
    try {
      const latest = await store.read((view) => view.one(latestRoot, 1));
      const root = await currentRoot(store);
      if (root.sequence > (latest?.sequence ?? 0)) {
        const record = { sequence: root.sequence, hash: root.hash, createdAt: clock.now() };
        await store.write((tx) => tx.insert(chainRoots, record));
        onRoot(root);
      }
    } catch (error) {
      onFailure(error);
    }
    if (isClosed) return;
    cancel = clock.schedule(intervalMs, () => {
      taking = take();
    });
  }
}
