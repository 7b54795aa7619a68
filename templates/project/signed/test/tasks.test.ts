import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from "node:crypto";
import { test } from "node:test";
import { testService, type TestPeer } from "ledger-rpc-runtime/testing";
import { PROJECT_CAMELInterface } from "../generated/methods.ts";
import { callerScheme } from "../src/callers.ts";
import { PROJECT_CAMELHandlers } from "../src/handlers/index.ts";
import { createTasks } from "../src/tasks.ts";

const ann = generateKeyPairSync("ec", { namedCurve: "P-256" });
const eve = generateKeyPairSync("ec", { namedCurve: "P-256" });
const auth = { caller: callerScheme(async (name) => (name === "ann" ? ann.publicKey : undefined)) };
const body = '{"jsonrpc":"2.0","id":1,"method":"add","params":["Buy milk"]}';

/** The service in this process, with the headers of one request. */
function service(headers: Readonly<Record<string, string>>): TestPeer {
  const tasks = createTasks();
  return testService(PROJECT_CAMELInterface, PROJECT_CAMELHandlers, {
    auth,
    context: () => ({ tasks }),
    headers,
  });
}

test("a request that a caller has signed is carried out", async () => {
  const answer = await service(signed(body, ann.privateKey)).send(body);
  assert.deepEqual(JSON.parse(answer ?? "").result, { id: 1, title: "Buy milk", state: "open" });
});

test("another key, another body and no signature at all are refused", async () => {
  const other = body.replace("milk", "beer");
  for (const [headers, text] of [
    [signed(body, eve.privateKey), body],
    [signed(body, ann.privateKey), other],
    [{}, body],
  ] as const)
    assert.ok("error" in JSON.parse((await service(headers).send(text)) ?? ""));
});

test("a signature is taken once", async () => {
  const { send } = service(signed(body, ann.privateKey));
  assert.ok("result" in JSON.parse((await send(body)) ?? ""));
  assert.ok("error" in JSON.parse((await send(body)) ?? ""));
});

/** Signs a request as RFC 9421 says: method, path and the digest of the body. */
function signed(text: string, key: KeyObject): Record<string, string> {
  const digest = `sha-256=:${createHash("sha256").update(text).digest("base64")}:`;
  const created = Math.floor(Date.now() / 1000);
  const input = `("@method" "@path" "content-digest");created=${created};keyid="ann";nonce="${randomUUID()}"`;
  const base = `"@method": POST\n"@path": /rpc\n"content-digest": ${digest}\n"@signature-params": ${input}`;
  const signature = sign("sha256", Buffer.from(base), { key, dsaEncoding: "ieee-p1363" }).toString("base64");
  return { "content-digest": digest, "signature-input": `a=${input}`, signature: `a=:${signature}:` };
}
