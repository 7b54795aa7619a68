import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createMessageSignatureChecker } from "../../runtime/auth/signed-envelope/message-signatures/index.ts";
import type { NonceVerdict, OwnedNonce } from "../../runtime/auth/auth-services.ts";
import { systemClock } from "../../runtime/operations/system/index.ts";

const nowSeconds = 1_700_000_000;
const signer = {
  publicKey: generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey,
  owner: "key k1",
  institutionId: "i",
};

/** What a check says of a signature of these times, and the nonces that it took. */
async function checked(
  { created = nowSeconds, expires = nowSeconds + 60, nowMs = nowSeconds * 1_000, isValid = true },
  verdict: NonceVerdict = { kind: "taken" },
) {
  const taken: OwnedNonce[] = [];
  const nonces = {
    take: async (nonce: OwnedNonce) => {
      taken.push(nonce);
      return verdict;
    },
  };
  const { check } = createMessageSignatureChecker(
    { nonces },
    { ...systemClock, now: () => nowMs },
    { verify: async () => isValid },
  );
  const bytes = Buffer.from("x");
  const signed = { keyId: "k1", nonce: "n", created, expires, base: bytes, signature: bytes };
  return { fault: await check(signed, signer), taken };
}

describe("a message signature", () => {
  test.each([
    ["made now", {}, true],
    ["made 30 seconds ahead", { created: nowSeconds + 30, expires: nowSeconds + 90 }, true],
    ["made 31 seconds ahead", { created: nowSeconds + 31, expires: nowSeconds + 90 }, false],
    ["of 300 seconds", { expires: nowSeconds + 300 }, true],
    ["of 301 seconds", { expires: nowSeconds + 301 }, false],
    [
      "in its last millisecond",
      { created: nowSeconds - 60, expires: nowSeconds, nowMs: nowSeconds * 1_000 - 1 },
      true,
    ],
    ["that ends now", { created: nowSeconds - 60, expires: nowSeconds }, false],
    ["that ends before it begins", { created: nowSeconds + 20, expires: nowSeconds + 19 }, false],
    ["that ends as it begins", { created: nowSeconds + 20, expires: nowSeconds + 20 }, true],
  ])("%s: timely %#", async (_name, times, isTimely) => {
    const { fault, taken } = await checked(times);
    expect(fault).toEqual(isTimely ? undefined : { reason: "message-signature-time" });
    expect(taken).toHaveLength(isTimely ? 1 : 0);
  });

  test("keeps its nonce for its owner until the second after its end", async () => {
    const { taken } = await checked({});
    expect(taken).toEqual([
      { owner: "key k1", institutionId: "i", nonce: "n", expiresAt: (nowSeconds + 61) * 1_000 },
    ]);
  });

  test("that is not the key's takes no nonce", async () => {
    const { fault, taken } = await checked({ isValid: false });
    expect(fault).toEqual({ reason: "message-signature" });
    expect(taken).toEqual([]);
  });

  test.each<[NonceVerdict, object]>([
    [{ kind: "replayed" }, { reason: "replayed" }],
    [
      { kind: "full", retryAfterMs: 1_500 },
      { reason: "nonces-exhausted", retryAfterMs: 1_500 },
    ],
  ])("is refused where its nonce is %o", async (verdict, refusal) => {
    expect((await checked({}, verdict)).fault).toEqual(refusal);
  });
});
