import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { WebSocket } from "ws";
import { start, type Chat } from "../src/start.ts";
import { tokenFor } from "../src/tokens.ts";

const secret = "a secret of at least thirty-two bytes";
let chat: Chat;
let address = "";
before(async () => {
  chat = await start(0, secret);
  address = `${chat.url.replace("http://", "")}/rpc`;
});
after(() => chat.close());

test("a message over HTTP reaches those who read along over WebSocket", async () => {
  const reader = await connect(await tokenFor("ben", "", secret));
  const said = once(reader, "message");
  const token = await tokenFor("ann", "chat:write", secret);
  assert.deepEqual(await post("say", ["Hello"], token), { result: { from: "ann", text: "Hello" } });
  assert.deepEqual(JSON.parse(String((await said)[0])), {
    jsonrpc: "2.0",
    method: "said",
    params: { from: "ann", text: "Hello" },
  });
  const answer = once(reader, "message");
  reader.send(JSON.stringify({ jsonrpc: "2.0", id: "h", method: "history", params: { limit: 1 } }));
  assert.deepEqual(JSON.parse(String((await answer)[0])).result, [{ from: "ann", text: "Hello" }]);
  reader.close();
});

test("the token decides what a caller may do", async () => {
  const { error: none } = await post("history", []);
  const { error: foreign } = await post("history", [], await tokenFor("eve", "", `another ${secret}`));
  assert.equal(none?.code, foreign?.code);
  assert.match(none?.message ?? "", /./);
  const { error: narrow } = await post("say", ["Hi"], await tokenFor("ben", "", secret));
  assert.notEqual(narrow?.code, none?.code);
  assert.deepEqual(await post("ping", []), { result: null });
});

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

async function post(method: string, params: readonly unknown[], token?: string): Promise<Answer> {
  const response = await fetch(`http://${address}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { jsonrpc: _jsonrpc, id: _id, ...answer } = Object(await response.json());
  return answer;
}

async function connect(token: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${address}`, { headers: { authorization: `Bearer ${token}` } });
  await once(socket, "open");
  return socket;
}
