import { PassThrough, Readable } from "node:stream";
import { expect, test } from "vitest";
import type { SchemeVerifier } from "../../runtime/auth/port.ts";
import { createService, rpc, type Store } from "../../runtime/index.ts";
import { rpcStdio } from "../../runtime/transport/stdio/index.ts";
import { rpcWebSocket } from "../../runtime/transport/websocket/index.ts";
import type { Identity, JsonRpcHandlerContext, Notifier } from "../../runtime/contract/index.ts";
import { interfaceWith, method } from "./interface.ts";

const descriptor = {
  ...interfaceWith({ methods: { get_data: method("get_data", { security: [{ user: [] }] }) } }),
  schemes: { user: { kind: "jwt" } },
} as const;

interface Context {
  readonly auth: { readonly user: Identity<{ readonly id: string }> };
}

const handlers = { get_data: async (_payload: object, { auth }: Context) => auth.user.caller.id };

function verifier<Kind extends string, Caller>(kind: Kind, caller: Caller): SchemeVerifier<Kind, Caller> {
  const identity = { caller, scopes: [] };
  return { kind, bind: () => ({ verifies: "request", verify: () => ({ kind: "identity", identity }) }) };
}

test("a missing verifier, or one for other callers, neither compiles nor starts", () => {
  const user = verifier("jwt", { id: "ann" });
  expect(typeof rpc(descriptor, handlers, { auth: { user } })).toBe("function");
  // @ts-expect-error the interface has a scheme, and there are no options
  expect(() => rpc(descriptor, handlers)).toThrow("has no verifier for it");
  // @ts-expect-error no verifier
  expect(() => rpc(descriptor, handlers, { auth: {} })).toThrow("has no verifier for it");
  // @ts-expect-error of another kind
  expect(() => rpc(descriptor, handlers, { auth: { user: verifier("basic", { id: "ann" }) } })).toThrow(
    "kind",
  );
  // @ts-expect-error the handlers expect an id
  expect(typeof rpc(descriptor, handlers, { auth: { user: verifier("jwt", { name: "Ann" }) } })).toBe(
    "function",
  );
});

test("an interface without schemes needs no options", () => {
  expect(typeof rpc({ ...descriptor, ...interfaceWith({ methods: {} }), schemes: {} }, {})).toBe("function");
});

test("a context without what the handlers expect does not compile", () => {
  const open = {
    ...interfaceWith({ methods: { get_data: method("get_data"), sum: method("sum") } }),
    schemes: {},
  };
  const needing = {
    get_data: async (_payload: object, context: { readonly db: { readonly name: string } }) =>
      context.db.name,
    sum: async (_payload: object, context: { readonly signal: AbortSignal; readonly clock: Date }) =>
      context.clock,
  };
  const db = { name: "db" };
  const clock = new Date(0);
  const store: Store = { read: (run) => run({ db, clock }), write: (run) => run({ db, clock }) };
  const whole = [rpc(open, needing, { context: () => ({ db, clock }) }), rpc(open, needing, { store })];
  // @ts-expect-error no context
  const none = rpc(open, needing);
  // @ts-expect-error no clock
  const part = rpc(open, needing, { context: () => ({ db }) });
  // @ts-expect-error another db
  const other = rpc(open, needing, { context: async () => ({ db: 1, clock }) });
  expect([...whole, none, part, other]).toHaveLength(5);
});

test("of an error that the method does not declare the name is what is wrong; one with data has to have it", () => {
  const refuse = ({
    error,
  }: JsonRpcHandlerContext<{ readonly GONE: { readonly at: number }; readonly LOST: undefined }>) => [
    error("LOST"),
    error("LOST", { data: 1 }),
    error("GONE", { data: { at: 1 } }),
    // @ts-expect-error no data
    error("GONE"),
    // @ts-expect-error other data
    error("GONE", { data: { at: "1" } }),
    error(
      // @ts-expect-error no such error; not: too few arguments
      "OTHER",
    ),
  ];
  expect(refuse).toBeTypeOf("function");
});

test("what the service sends by itself is held to the notifications that its handlers know", () => {
  const open = {
    ...interfaceWith({ methods: { sum: method("sum") }, notifications: { changed: { name: "changed" } } }),
    schemes: {},
  };
  interface Telling {
    readonly notify?: Notifier<{ readonly changed: { readonly task: number } }>;
  }
  const telling = createService(open, { sum: async (_payload: object, _context: Telling) => 1 });
  const endpoint = rpcWebSocket(telling, { connections: 1 });
  const stdio = rpcStdio(telling, { input: Readable.from([]), output: new PassThrough() });
  expect(telling.notification("changed", { task: 1 })).toContain('"params":{"task":1}');
  expect(endpoint.broadcast("changed", { task: 1 })).toBe(0);
  expect(stdio.notify("changed", { task: 1 })).toBe(true);
  // @ts-expect-error no such notification
  expect(() => endpoint.broadcast("removed", { task: 1 })).toThrow("declares no notification removed");
  // @ts-expect-error no such notification
  expect(() => stdio.notify("removed", { task: 1 })).toThrow("declares no notification removed");
  // @ts-expect-error other params
  expect(telling.notification("changed", { task: "1" })).toContain("task");
  // @ts-expect-error no params
  expect(telling.notification("changed")).not.toContain("params");
  const untold = createService(open, { sum: async (_payload: object) => 1 });
  expect(untold.notification("changed")).not.toContain("params");
  return endpoint.close();
});
