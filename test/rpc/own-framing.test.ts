import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { bearer } from "../../runtime/auth/bearer/index.ts";
import { RpcError, type PayloadValidator } from "../../runtime/contract/index.ts";
import {
  createService,
  refuse,
  rpcHandler,
  serve,
  serviceOf,
  type CallReport,
  type DecodedCall,
  type Protocol,
  type ServedMethod,
} from "../../runtime/index.ts";
import { testService } from "../../runtime/testing.ts";
import { trialHandlers } from "./handlers.ts";
import { interfaceWith } from "./interface.ts";

/** A descriptor of a stranger's own, written by hand. */
interface Command extends ServedMethod {
  readonly words: readonly string[];
}

interface CommandLine extends DecodedCall {
  readonly words: readonly string[];
}

const isText: PayloadValidator = (value) => Object.values(Object(value)).every((each) => each !== "");

function command(name: string, words: readonly string[], errors: ServedMethod["errors"] = {}): Command {
  return { name, effect: "read", validate: isText, words, errors };
}

const methods = {
  greet: command("greet", ["name"]),
  divide: command("divide", ["dividend", "divisor"], { ZERO: "the divisor is zero" }),
};

/** A framing in words: `greet Una` → `ok Hello, Una`, and `no <fault>` where there is no result. */
const wordFraming: Protocol<Command, CommandLine> = {
  name: "words",
  revision: "1",
  path: "/words",
  methods,
  schemes: { user: { kind: "bearer" } },
  messageBytesMax: 200,
  notifiedStatus: 204,
  securityOf: () => [{ user: [] }],
  decode(bytes) {
    const [method = "", ...words] = JSON.parse(bytes.toString()).split(" ");
    if (method === "") return { kind: "refused", id: "-", refused: refuse("invalidRequest") };
    return { kind: "single", call: { kind: "call", id: "-", method, words } };
  },
  evidenceOf: ({ method }) => ({ method }),
  read({ words: names, validate }, { words }) {
    const payload = Object.fromEntries(names.map((name, at) => [name, words[at] ?? ""]));
    return validate(payload) ? { kind: "valid", payload } : refuse("invalidParams");
  },
  printResult: (_method, result) => String(result),
  printResponse: (_method, _id, text) => `ok ${text}`,
  failureOf(failed, method) {
    const code = failed instanceof RpcError ? failed.code : failed.fault;
    const said = failed instanceof RpcError ? method?.errors[code] : code;
    return said === undefined ? undefined : { code, httpStatus: 200, print: () => `no ${String(said)}` };
  },
};

async function asked(
  words: string,
  token = "una",
): Promise<readonly [text: string, ...reports: CallReport[]]> {
  const reports: CallReport[] = [];
  const handlers = {
    greet: async ({ name }: { readonly name: string }) => `Hello, ${name}`,
    divide: async ({ dividend, divisor }: { readonly dividend: string; readonly divisor: string }) => {
      if (divisor === "0") throw new RpcError("ZERO");
      if (divisor === "x") throw new RpcError("UNHEARD_OF");
      return Number(dividend) / Number(divisor);
    },
  };
  const caller = ({ token: sent }: { readonly token: string }) =>
    sent === "una" ? { caller: sent } : undefined;
  const service = serviceOf(wordFraming, handlers, {
    auth: { user: bearer({ caller }) },
    onCall: (report) => void reports.push(report),
    onFailure: () => undefined,
  });
  const served = await serve(express().use(wordFraming.path, rpcHandler(service)), { port: 0 });
  onTestFinished(async () => void (await served.close(0)));
  const answer = await fetch(served.url + wordFraming.path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify(words),
  });
  return [await answer.text(), ...reports];
}

test("a framing of a stranger's own is one object: the service does the rest, over HTTP, too", async () => {
  expect(await asked("greet Una")).toMatchObject(["ok Hello, Una", { method: "greet", outcome: "ok" }]);
  expect((await asked("divide 6 3"))[0]).toBe("ok 2");
});

test.each([
  ["an error that the method declares", "divide 1 0", "una", "no the divisor is zero"],
  ["one that it does not declare", "divide 1 x", "una", "no internalError"],
  ["a method that is not there", "multiply 1 2", "una", "no methodNotFound"],
  ["params that do not fit", "greet", "una", "no invalidParams"],
  ["no message", "", "una", "no invalidRequest"],
  ["a stranger", "greet Una", "olaf", "no unauthenticated"],
  ["a message that is too long", "x".repeat(300), "una", "no tooLarge"],
])("%s is answered in its words", async (_name, words, token, text) => {
  expect((await asked(words, token))[0]).toBe(text);
});

/** The members of a dialect of JSON-RPC. */
const dialectFrame = { id: "ref", method: "cmd", params: "args", result: "ok", error: "fail" };
const dialect = interfaceWith({
  frame: dialectFrame,
  notifications: { moved: { name: "moved" } },
});

function dialectService(changes: Partial<typeof dialect> = {}) {
  return testService({ ...dialect, ...changes }, trialHandlers().handlers, { onFailure: () => undefined });
}

test.each([
  ["a result", '{"cmd":"get_data","ref":7}', '{"ok":["hello",5],"ref":7}'],
  ["params", '{"ref": 7.0, "args":{"minuend":3,"subtrahend":1},"cmd":"subtract"}', '{"ok":2,"ref":7.0}'],
  ["a notification", '{"cmd":"update","args":[1]}', undefined],
  ["a batch", '[{"cmd":"get_data","ref":"a"},{"cmd":"update"}]', '[{"ok":["hello",5],"ref":"a"}]'],
  ["an error", '{"cmd":"none","ref":7}', '{"fail":{"code":-32601,"message":"Method not found"},"ref":7}'],
  [
    "no method",
    '{"method":"get_data","ref":7}',
    '{"fail":{"code":-32600,"message":"Invalid Request","data":{"reason":"invalid-cmd"}},"ref":7}',
  ],
  [
    "an id that is none",
    '{"cmd":"get_data","ref":{}}',
    '{"fail":{"code":-32600,"message":"Invalid Request","data":{"reason":"invalid-ref"}},"ref":null}',
  ],
  [
    "params that are none",
    '{"cmd":"get_data","args":1,"ref":7}',
    '{"fail":{"code":-32600,"message":"Invalid Request","data":{"reason":"invalid-args"}},"ref":7}',
  ],
  [
    "a key twice, in a batch",
    '[{"cmd":"get_data","ref":7,"cmd":"update"}]',
    '[{"fail":{"code":-32600,"message":"Invalid Request","data":{"reason":"duplicate-key"}},"ref":7}]',
  ],
])("a dialect has its own members: %s", async (_name, sent, text) => {
  expect(await dialectService().send(sent)).toBe(text);
});

test("a dialect may say its version in a member of its own", async () => {
  const { send } = dialectService({ frame: { ...dialectFrame, version: { member: "v", value: "3" } } });
  expect(await send('{"v":"3","cmd":"get_data","ref":7}')).toBe('{"v":"3","ok":["hello",5],"ref":7}');
  expect(await send('{"cmd":"get_data","ref":7}')).toContain('{"v":"3","fail":{"code":-32600');
});

test("the peer of a test speaks the dialect, and so does what the service sends by itself", async () => {
  const peer = dialectService();
  expect(await peer.call("subtract", [5, 3])).toBe(2);
  await expect(peer.call("none")).rejects.toMatchObject({ code: -32601 });
  await peer.notify("update");
  const service = createService(dialect, trialHandlers().handlers);
  expect(service.notification("moved", { to: 1 })).toBe('{"cmd":"moved","args":{"to":1}}');
});

test("a member that every object inherits is not there before it is sent", async () => {
  const { send } = dialectService({ frame: { ...dialectFrame, params: "constructor", id: "valueOf" } });
  expect(await send('{"cmd":"get_data","valueOf":7}')).toBe('{"ok":["hello",5],"valueOf":7}');
});
