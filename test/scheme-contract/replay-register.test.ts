import { expect, test } from "vitest";
import { createReplayRegister } from "../../runtime/auth/replay-register.ts";

test("a nonce is taken once by its owner until it expires", () => {
  let nowMs = 0;
  const register = createReplayRegister({ clock: { now: () => nowMs } });
  const record = { owner: "signed ann", nonce: "1", expiresAtMs: 5000 };
  expect(register.take(record)).toBe("taken");
  expect(register.take(record)).toBe("replayed");
  expect(register.take({ ...record, owner: "signed bob" })).toBe("taken");
  nowMs = 4999;
  expect(register.take(record)).toBe("replayed");
  nowMs = 6000;
  expect(register.take({ ...record, expiresAtMs: 9000 })).toBe("taken");
});

test("an owner with too many nonces waits until some expire, and others do not", () => {
  let nowMs = 0;
  const register = createReplayRegister({ clock: { now: () => nowMs }, perOwnerMax: 2 });
  const take = (owner: string, nonce: string) => register.take({ owner, nonce, expiresAtMs: nowMs + 2000 });
  expect([take("ann", "1"), take("ann", "2"), take("ann", "3"), take("bob", "1")]).toEqual([
    "taken",
    "taken",
    "full",
    "taken",
  ]);
  nowMs = 3000;
  expect(take("ann", "3")).toBe("taken");
});

test("a nonce that was forgotten while the clock was ahead is not taken again when it is right", () => {
  let nowMs = 0;
  const register = createReplayRegister({ clock: { now: () => nowMs } });
  const captured = { owner: "signed ann", nonce: "1", expiresAtMs: 300_000 };
  expect(register.take(captured)).toBe("taken");
  nowMs = 3_600_000;
  expect(register.take({ ...captured, nonce: "ahead", expiresAtMs: 3_900_000 })).toBe("taken");
  nowMs = 60_000;
  expect(register.take(captured)).toBe("replayed");
  expect(register.take({ ...captured, nonce: "2", expiresAtMs: 301_000 })).toBe("taken");
});
