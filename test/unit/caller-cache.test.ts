import { beforeEach, expect, test } from "vitest";
import { createCallers } from "../../runtime/pipeline/index.ts";
import type { Callers } from "../../runtime/auth/auth-services.ts";
import type { Store } from "../../runtime/store/ports/index.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { systemClock } from "../../runtime/operations/system/index.ts";
import { bank, user } from "../store-contract/samples.ts";
import { apiKeys, institutions, users } from "../../runtime/store/tables/index.ts";

const { userName, institutionId } = user;
const other = { ...user, userName: "other" };
let store: Store;
let callers: Callers;
let reads: number;
/** What a read waits for before it hands over what it read. */
let handingOver: Promise<void>;

beforeEach(async () => {
  const kept = createMemoryStore();
  await kept.write(async (tx) => {
    await tx.insert(institutions, bank);
    await tx.insert(users, user);
    await tx.insert(users, other);
  });
  reads = 0;
  handingOver = Promise.resolve();
  store = {
    ...kept,
    read: async (work) => {
      reads += 1;
      const result = await kept.read(work);
      await handingOver;
      return result;
    },
  };
  callers = createCallers({ store, clock: systemClock, ttlMs: 3_600_000 });
});

async function changeScope(scope: string): Promise<void> {
  await store.write((tx) => tx.replace(users, { ...user, scopes: [scope] }));
  callers.invalidate(userName);
}
const scopeOf = async (name = userName) => (await callers.principal(name))?.user.scopes[0];

test("a caller is read once, also by calls of the same moment", async () => {
  await Promise.all([scopeOf(), scopeOf()]);
  await scopeOf();
  expect(reads).toBe(1);
});

test("of callers with very many scopes or customers only the last ones are kept", async () => {
  const wide = Array.from({ length: 3 }, (_, index) => ({ ...user, userName: `wide-${index}` }));
  const customerIds = Array.from({ length: 90_000 }, (_, index) => String(index));
  await store.write(async (tx) => {
    for (const each of wide) await tx.insert(users, { ...each, groups: customerIds });
  });
  for (const each of wide) await scopeOf(each.userName);
  expect(reads).toBe(3);
  await scopeOf("wide-2");
  expect(reads).toBe(3);
  await scopeOf("wide-0");
  expect(reads).toBe(4);
});

test("API keys that have expired or were revoked are not kept, those of a thousand rotations", async () => {
  const key = (index: number) => ({ id: `k-${index}`, userName, hash: "ab".repeat(32), createdAt: index });
  const former = Array.from({ length: 900 }, (_, index) => ({ ...key(index), expiresAt: index + 10 }));
  await store.write((tx) =>
    tx.insert(
      apiKeys,
      ...former,
      { ...key(998), revokedAt: 999 },
      { ...key(999), expiresAt: 2_001 },
      key(1_000),
    ),
  );
  const cache = createCallers({ store, clock: { ...systemClock, now: () => 2_000 } });
  const kept = (await cache.principal(userName))?.apiKeys.map(({ id }) => id);
  expect(kept).toEqual(["k-999", "k-1000"]);
});

test("a change is seen by the next call, and costs others nothing", async () => {
  await scopeOf();
  await scopeOf("other");
  await changeScope("GetSource");
  expect(await scopeOf()).toBe("GetSource");
  expect(await scopeOf("other")).toBe(other.scopes[0]);
  expect(reads).toBe(3);
});

test("what a read found before a change does not stay", async () => {
  const release = Promise.withResolvers<void>();
  handingOver = release.promise;
  const before = scopeOf();
  await changeScope("GetSource");
  release.resolve();
  expect(await before).toBe(user.scopes[0]);
  expect(await scopeOf()).toBe("GetSource");
});

test("a call after a change takes no part in a read that began before it", async () => {
  const release = Promise.withResolvers<void>();
  handingOver = release.promise;
  const before = scopeOf();
  await changeScope("GetSource");
  handingOver = Promise.resolve();
  const after = scopeOf();
  release.resolve();
  expect(await before).toBe(user.scopes[0]);
  expect(await after).toBe("GetSource");
  expect(await scopeOf()).toBe("GetSource");
});

test("that nobody has a name is remembered until someone changes", async () => {
  const isKnown = async () => (await callers.principal("late")) !== undefined;
  expect([await isKnown(), await isKnown()]).toEqual([false, false]);
  expect(reads).toBe(1);
  await store.write((tx) => tx.insert(users, { ...user, userName: "late" }));
  callers.invalidate("late");
  expect(await isKnown()).toBe(true);
});

test("a key that is not registered is looked for again after a change", async () => {
  const find = () => callers.activeKey("none", { institutionId });
  expect(await find()).toBeUndefined();
  expect(await find()).toBeUndefined();
  expect(reads).toBe(1);
  callers.invalidate(userName);
  expect(await find()).toBeUndefined();
  expect(reads).toBe(2);
});
