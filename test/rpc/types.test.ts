import { expect, test } from "vitest";
import type { SchemeVerifier } from "../../rpc/auth/port.ts";
import { rpc, type Store } from "../../rpc/index.ts";
import type { Identity } from "../../runtime/contract/index.ts";
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
