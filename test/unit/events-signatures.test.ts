import { generateKeyPairSync, verify } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSignatures, type Signatures } from "../../runtime/events/signatures.ts";
import type { NotificationDraft, SignedNotification } from "../../runtime/events/signed-notification.ts";

const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed25519 = generateKeyPairSync("ed25519");
const keys = { payloadKey: p256.privateKey, webhookKey: ed25519.privateKey };
const agreement = generateKeyPairSync("x25519").privateKey;
let signatures: Signatures;

beforeEach(() => {
  signatures = createSignatures();
});
afterEach(() => signatures.close());

function draftOf(index: number): NotificationDraft {
  const payloadJson = `{"name":"Zürich ${index}"}`;
  return {
    payloadName: payloadJson,
    prefix: `d-${index}.17.`,
    head: '{"eventId":"e","payload":',
    payloadJson,
  };
}

/** Signs so many notifications at once. Gives how many of them are whole and fit their signatures. */
async function signedWell(count: number): Promise<number> {
  const fits = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const draft = draftOf(index);
      return isSigned(draft, await signatures.sign(draft, keys));
    }),
  );
  return fits.filter(Boolean).length;
}

function isSigned({ prefix, head, payloadJson }: NotificationDraft, signed: SignedNotification): boolean {
  const { bytes, signature } = signed;
  const before = `${prefix}${head}${payloadJson},"signature":"`;
  const payloadSignature = payloadSignatureOf(signed);
  return (
    bytes.toString() === `${before}${payloadSignature}"}` &&
    verify("sha256", Buffer.from(payloadJson), p256.publicKey, Buffer.from(payloadSignature, "base64")) &&
    verify(null, bytes, ed25519.publicKey, Buffer.from(signature, "base64"))
  );
}

function payloadSignatureOf({ bytes }: SignedNotification): string {
  return /"signature":"([^"]+)"\}$/.exec(bytes.toString())?.[1] ?? "";
}

test.each([1, 7, 8, 65, 1_000])("%i notifications at once get each their own signatures", async (count) => {
  expect(await signedWell(count)).toBe(count);
});

test("notifications of one payload share its signature", async () => {
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      signatures.sign({ ...draftOf(0), prefix: `d-${index}.17.` }, keys),
    ),
  );
  expect(new Set(all.map(payloadSignatureOf)).size).toBe(1);
});

test.each([1, 20])(
  "a key that cannot sign fails those that wait with it, of %i, and none afterwards",
  async (count) => {
    const asked = Array.from({ length: count }, (_, index) =>
      signatures.sign(draftOf(index), { ...keys, webhookKey: agreement }),
    );
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe("rejected");
    expect(await signedWell(100)).toBe(100);
  },
);
