import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import type { Clock, Store } from "../../runtime/store/ports/index.ts";
import { currentRoot, recordRoots, rootText, type Root } from "../../runtime/store/common/chain-roots.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { appendAudit, readAuditAfter } from "../../runtime/store/audit/index.ts";
import { latestRoot } from "../../runtime/store/tables/index.ts";

let store: Store;
let roots: string[];
let failures: unknown[];
/** What is scheduled: called by the test. */
let due: (() => void)[];

const clock: Clock = {
  now: () => 7,
  elapsedMs: () => 7,
  schedule: (_delayMs, callback) => {
    due.push(callback);
    return () => {
      due = due.filter((known) => known !== callback);
    };
  },
};

beforeEach(() => {
  store = createMemoryStore();
  [roots, failures, due] = [[], [], []];
});

async function append(count: number): Promise<void> {
  await store.write(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const subject = { subjectType: "category", subjectId: "c" } as const;
      await appendAudit(tx, { institutionId: "i", ...subject, operation: "o", changedAt: 1, changes: [] });
    }
  });
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** As docs/verify.md says it, over everything there is. */
async function expectedRoot(): Promise<string> {
  const entries = await store.read((view) => readAuditAfter(view, 0, 10_000));
  const hash = entries.reduce(
    (root, entry) => sha256(`["ledger-root/1","${root}","${entry.hash}"]`),
    sha256('["ledger-root/1"]'),
  );
  return `${entries.length}:${hash}`;
}

function keep(kept: Store = store) {
  return recordRoots({
    store: kept,
    clock,
    intervalMs: 1,
    onRoot: (root: Root) => roots.push(rootText(root)),
    onFailure: (error) => failures.push(error),
  });
}

/** Lets the interval pass, and waits until the next one is waited for. */
async function interval(): Promise<void> {
  due.splice(0).forEach((callback) => callback());
  await expect.poll(() => due.length).toBe(1);
}

test.each([0, 1, 199, 200, 201, 450])(
  "the root over %i entries is the fold of their hashes",
  async (count) => {
    await append(count);
    expect(rootText(await currentRoot(store))).toBe(await expectedRoot());
  },
);

test("a root is kept at once, at each interval with new entries, and at the end", async () => {
  await append(3);
  const first = await expectedRoot();
  const keeper = keep();
  await expect.poll(() => due.length).toBe(1);
  expect(roots).toEqual([first]);
  await interval();
  expect(roots).toEqual([first]);
  await append(250);
  const second = await expectedRoot();
  await interval();
  expect(roots).toEqual([first, second]);
  await append(1);
  await keeper.close();
  expect(roots).toEqual([first, second, await expectedRoot()]);
  expect(due).toEqual([]);
  expect(failures).toEqual([]);
  const latest = await store.read((view) => view.one(latestRoot, 1));
  expect(latest).toMatchObject({ sequence: 254, createdAt: 7 });
  expect(await store.verify({ roots })).toMatchObject({ isSound: true, root: roots.at(-1) });
});

test("a store that cannot be written is told of, and tried again at the next interval", async () => {
  await append(1);
  let isFull = true;
  const refusing: Store = {
    ...store,
    write: (work) => (isFull ? Promise.reject(new Error("full")) : store.write(work)),
  };
  const keeper = keep(refusing);
  await expect.poll(() => due.length).toBe(1);
  expect(failures).toHaveLength(1);
  isFull = false;
  await interval();
  expect(roots).toEqual([await expectedRoot()]);
  await keeper.close();
});
