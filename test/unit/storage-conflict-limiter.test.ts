import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createConflictLimiter, type Leave } from "../../runtime/store/postgres/engine/transactions.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a transaction that is not answered lets others begin, as many as there may be at all", async () => {
  const limiter = createConflictLimiter(3);
  const begun: Leave[] = [];
  const enter = (): void => void limiter.enter().then((leave) => begun.push(leave));
  const settle = () => vi.advanceTimersByTimeAsync(0);
  for (let met = 0; met < 3; met += 1) (await limiter.enter())("conflict");
  for (let asked = 0; asked < 5; asked += 1) enter();
  await settle();
  expect(begun).toHaveLength(1);
  // Transactions that meet run one after the other; the first is never answered.
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toHaveLength(2);
  begun[1]?.("conflict");
  await settle();
  expect(begun).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(begun).toHaveLength(4);
  for (const leave of begun.slice(2)) leave("done");
  await settle();
  expect(begun).toHaveLength(5);
});
