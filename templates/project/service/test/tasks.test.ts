import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer as createReceiver } from "node:http";
import { buffer } from "node:stream/consumers";
import { after, test } from "node:test";
import { createServer } from "ledger-rpc-runtime/server";
import { isPROJECT_PASCALError, PROJECT_PASCALClient } from "../generated/client/index.ts";
import { webhooks } from "../generated/client/webhooks.ts";
import { application } from "../src/application.ts";

/** The whole service in memory, on a free port. */
const server = await createServer(application, {
  "database.url": "memory:",
  "PROJECT_NAME.port": 0,
  "log.level": "silent",
});
const { urls, close } = await server.listen();
const baseUrl = urls.get("PROJECT_NAME") ?? "";
after(() => close());

/** A client of a new user. */
async function clientOf(userName: string): Promise<PROJECT_PASCALClient> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKeyPem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const { apiKey, keyId } = await server.addUser({ userName, publicKeyPem });
  const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const signer = { keyId, privateKey: privateKeyPem };
  return new PROJECT_PASCALClient({ baseUrl, credential: { userName, apiKey }, signer });
}

const ann = await clientOf("ann");

test("a task that was added is listed, and can be finished", async () => {
  const task = await ann.addTask({ title: "Buy milk" });
  assert.deepEqual((await ann.listTasks({})).tasks, [task]);
  assert.deepEqual(await ann.finishTask({ id: task.id }), { ...task, state: "done" });
  assert.deepEqual((await ann.listTasks({ state: "open" })).tasks, []);
});

test("a task that is not there cannot be finished", async () => {
  await assert.rejects(ann.finishTask({ id: "none" }), (error) => isPROJECT_PASCALError(error, "NO_TASK"));
});

test("a subscriber learns that a task was finished, by a notification that is signed", async () => {
  const receiver = createReceiver().listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  assert.ok(typeof address === "object" && address !== null);
  const { secret } = await ann.subscribe({ callbackUrl: `http://127.0.0.1:${address.port}/` });
  const { id } = await ann.addTask({ title: "Ring the bell" });
  await ann.finishTask({ id });
  const [request, response] = await once(receiver, "request");
  const body = await buffer(request);
  response.end();
  const event = await webhooks({ secret }).verify(body, request.headers);
  assert.equal(event.eventName, "Task.FINISHED");
  assert.deepEqual(event.payload, { id, title: "Ring the bell", state: "done" });
  receiver.close();
});
