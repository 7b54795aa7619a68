import { expect, test } from "vitest";
import type { CallerOf, SchemeVerifier, VerifiersOf } from "../../runtime/auth/port.ts";
import { createService } from "../../runtime/index.ts";
import type { AuthOf, JsonRpcHandler, JsonRpcInterfaceDescriptor } from "../../runtime/contract/index.ts";
import { trialHandlers } from "../rpc/handlers.ts";
import { interfaceWith, method } from "../rpc/interface.ts";

const schemes = {
  user: { kind: "jwt", algorithms: ["ES256"] },
  machine: { kind: "api-key", header: "X-Api-Key" },
} as const satisfies JsonRpcInterfaceDescriptor["schemes"];

interface Callers {
  readonly user: { readonly id: string };
}

function verifier<Kind extends string, Caller>(kind: Kind, caller: Caller): SchemeVerifier<Kind, Caller> {
  const identity = { caller, scopes: [] };
  return { kind, bind: () => ({ verifies: "request", verify: () => ({ kind: "identity", identity }) }) };
}

const user = verifier("jwt", { id: "ann", name: "Ann" });
const machine = verifier("api-key", 7);

test("verifiers are of the kinds that the spec declares, and find the callers that handlers expect", () => {
  const whole: VerifiersOf<typeof schemes, Callers> = { user, machine };
  const caller: CallerOf<typeof machine> = 7;
  // @ts-expect-error the machine has no verifier
  const missing: VerifiersOf<typeof schemes, Callers> = { user };
  // @ts-expect-error of another kind
  const swapped: VerifiersOf<typeof schemes, Callers> = { user: machine, machine };
  // @ts-expect-error the handlers expect an id
  const nameless: VerifiersOf<typeof schemes, Callers> = { user: verifier("jwt", { name: "Ann" }), machine };
  // @ts-expect-error no scheme of the interface
  const surplus: VerifiersOf<typeof schemes> = { user, machine, staff: machine };
  expect([whole, missing, swapped, nameless, surplus, caller]).toHaveLength(6);
});

test("a service without a verifier, or with one that finds another caller, does not compile", () => {
  const methods = { whoami: method("whoami", { security: [{ user: [] }, { machine: [] }] }) };
  const secured = { ...interfaceWith({ methods }), schemes };
  type Auth = AuthOf<readonly ["user"] | readonly ["machine"], Callers>;
  const whoami: JsonRpcHandler<object, string, object, object, string, Auth> = async (_params, { auth }) =>
    "user" in auth ? auth.user.caller.id : "machine";
  expect(createService(secured, { whoami }, { auth: { user, machine } }).descriptor).toBe(secured);
  // @ts-expect-error no verifiers
  expect(() => createService(secured, { whoami })).toThrow("has no verifier");
  // @ts-expect-error one of two
  expect(() => createService(secured, { whoami }, { auth: { user } })).toThrow("has no verifier");
  // @ts-expect-error of another kind
  expect(() => createService(secured, { whoami }, { auth: { user: machine, machine } })).toThrow(
    "of kind jwt",
  );
  // @ts-expect-error the handler expects an id
  createService(secured, { whoami }, { auth: { user: verifier("jwt", { name: "Ann" }), machine } });
  const open = { ...interfaceWith(), schemes: {} } as const;
  expect(Object.keys(createService(open, trialHandlers().handlers).descriptor.schemes)).toEqual([]);
});
