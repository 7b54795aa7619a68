import { generateKeyPairSync, verify, type KeyObject } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSignatures, type Signatures } from "../../runtime/events/signatures.ts";

const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed25519 = generateKeyPairSync("ed25519");
const agreement = generateKeyPairSync("x25519").privateKey;
let signatures: Signatures;

beforeEach(() => {
  signatures = createSignatures();
});
afterEach(() => signatures.close());

/** Signs so many texts at once, with both keys in turns. Gives how many of the signatures fit their texts. */
async function signedWell(count: number): Promise<number> {
  const fits = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const text = `Zürich ${index}`;
      const { privateKey, publicKey } = index % 2 === 0 ? p256 : ed25519;
      return isSigned(text, publicKey, await signatures.sign(privateKey, text));
    }),
  );
  return fits.filter(Boolean).length;
}

function isSigned(text: string, publicKey: KeyObject, signature: string): boolean {
  const digest = publicKey === p256.publicKey ? "sha256" : null;
  return verify(digest, Buffer.from(text), publicKey, Buffer.from(signature, "base64"));
}

test.each([1, 7, 8, 65, 1_000])("%i texts at once get each its own signature", async (count) => {
  expect(await signedWell(count)).toBe(count);
});

test("a key that cannot sign fails those that wait with it, and none afterwards", async () => {
  const asked = Array.from({ length: 20 }, () => signatures.sign(agreement, "text"));
  for (const { status } of await Promise.allSettled(asked)) expect(status).toBe("rejected");
  await expect(signatures.sign(agreement, "text")).rejects.toThrow();
  expect(await signedWell(100)).toBe(100);
});
