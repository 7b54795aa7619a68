import { expect, test } from "vitest";
import { createNonceRegister } from "../../runtime/pipeline/index.ts";
import { systemClock } from "../../runtime/system/index.ts";

test("a nonce that was forgotten is not taken again when the clock is set back", () => {
  let nowMs = 1_000_000;
  const nonces = createNonceRegister({ clock: { ...systemClock, now: () => nowMs } });
  expect(nonces.take("k", "captured", 1_030_000)).toBe("taken");
  expect(nonces.take("k", "captured", 1_030_000)).toBe("replayed");
  nowMs = 1_060_000;
  expect(nonces.take("k", "sweeps", 1_090_000)).toBe("taken");
  nowMs = 1_020_000;
  expect(nonces.take("k", "captured", 1_030_000)).toBe("replayed");
  expect(nonces.take("k", "new", 1_080_000)).toBe("taken");
});
