import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../runtime/store/ports/index.ts";
import { decodeSignature } from "../../runtime/auth/signing/index.ts";
import { apiKeys } from "../transcripts/bank.ts";
import { startService, type TestService } from "../transcripts/service.ts";
import { signatureVectors } from "./ecdsa-corpus.ts";
import { derSignature } from "./ecdsa-encodings.ts";
import { deviceKeys } from "../../runtime/store/tables/index.ts";

const keyIds = new Map(
  [...new Set(signatureVectors.map(({ publicKeyPem }) => publicKeyPem))].map((pem, at) => [pem, `v-${at}`]),
);
let service: TestService;

async function addKeys(store: Store): Promise<void> {
  await store.write(async (tx) => {
    for (const [publicKeyPem, keyId] of keyIds) {
      await tx.insert(deviceKeys, { keyId, userName: "ana", publicKeyPem, status: "ACTIVE", createdAt: 0 });
    }
  });
}

beforeAll(async () => {
  service = await startService("standard", addKeys);
});
afterAll(() => service.close());

/** `OK`, or the code of the error. */
async function outcomeOf({ publicKeyPem, payload, signature }: (typeof signatureVectors)[number]) {
  const credential = `Basic ${Buffer.from(`ana:${apiKeys["ana"]}`).toString("base64")}`;
  const api = { credential, keyId: keyIds.get(publicKeyPem), signature: signature.toString("base64") };
  const response = await fetch(`http://127.0.0.1:${service.port}/jsonrpc`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: `{"method":"AccountService.GetAccount","id":"1","params":{"api":${JSON.stringify(api)},"payload":${payload}}}`,
  });
  const text = await response.text();
  return /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? (text.includes('"result"') ? "OK" : text);
}

test("of every class of signatures, in both encodings, exactly the good ones are taken (D-16)", async () => {
  const wrong: string[] = [];
  for (const vector of signatureVectors) {
    const outcome = await outcomeOf(vector);
    if (outcome !== (vector.valid ? "OK" : "INVALID_SIGNATURE")) wrong.push(`${vector.what}: ${outcome}`);
  }
  expect(wrong).toEqual([]);
  expect(signatureVectors.filter(({ valid }) => valid).length).toBeGreaterThan(60);
  expect(signatureVectors.filter(({ valid }) => !valid).length).toBeGreaterThan(300);
});

test("what is no P-256 signature in its one encoding does not get as far as verification", () => {
  const wrong = signatureVectors.filter(({ signature }) => {
    const read = decodeSignature(signature.toString("base64"));
    if (read === undefined) return false;
    const rEnd = 4 + (read[3] ?? 0);
    const number = (from: number, to?: number) => BigInt(`0x0${read.subarray(from, to).toString("hex")}`);
    return !derSignature(number(4, rEnd), number(rEnd + 2)).equals(read);
  });
  expect(wrong.map(({ what }) => what)).toEqual([]);
});
