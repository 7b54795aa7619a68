import { expect, test } from "vitest";
import type { CallerOf, SchemeVerifier, VerifiersOf } from "../../rpc/auth/port.ts";
import type { JsonRpcInterfaceDescriptor } from "../../runtime/contract/index.ts";

const schemes = {
  user: { kind: "jwt", algorithms: ["ES256"] },
  machine: { kind: "api-key", header: "X-Api-Key" },
} as const satisfies JsonRpcInterfaceDescriptor["schemes"];

interface Callers {
  readonly user: { readonly id: string };
}

function verifier<Kind extends string, Caller>(kind: Kind, caller: Caller): SchemeVerifier<Kind, Caller> {
  const identity = { caller, scopes: [] };
  return { kind, bind: () => ({ judges: "request", verify: () => ({ kind: "identity", identity }) }) };
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
