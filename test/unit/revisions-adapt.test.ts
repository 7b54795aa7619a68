import { expect, test } from "vitest";
import type { ConvertedMethod, MethodDescriptor } from "../../runtime/contract/index.ts";
import { operatorInterface } from "../../generated/operator/methods.ts";
import { signedEnvelopes } from "../../runtime/protocol/signed-envelope/index.ts";
import { forHandler, type Route } from "../../runtime/service/route.ts";

const protocol = signedEnvelopes(operatorInterface);

/** The later revision takes two letters where the earlier one took any number of them. */
const twoLetters: MethodDescriptor = {
  name: "Do",
  section: "1",
  effect: "read",
  transport: { kind: "enveloped", auth: ["credential", "keyId", "signature"], jsonrpc: true },
  payload: { fields: [{ name: "code" }] },
  result: { fields: [] },
  errors: {},
  validate: Object.assign((value: unknown) => /^[A-Z]{2}$/.test(String(Object(value).code)), {
    errors: [{ instancePath: "/code", keyword: "pattern", params: {} }],
  }),
};

function handled(code: string, adapter: Partial<ConvertedMethod>): unknown {
  const checked: ConvertedMethod = { method: "Do", checked: true, ...adapter };
  const step = { adapter: checked, revision: "2.0.0", method: twoLetters };
  const handler = () => Promise.resolve({});
  const route: Route<MethodDescriptor> = {
    method: twoLetters,
    target: twoLetters,
    targetRevision: "2.0.0",
    handler,
    steps: [step],
    identity: "Do",
  };
  return forHandler({ code }, route, protocol);
}

test("a request that fits the later revision is not adapted", () => {
  expect(handled("AB", { adapt: () => ({ code: "ZZ" }) })).toEqual({
    kind: "valid",
    payload: { code: "AB" },
  });
});

test("one that does not is adapted, if somebody has said how", () => {
  const adapt = (payload: object) => ({ code: String(Reflect.get(payload, "code")).slice(0, 2) });
  expect(handled("ABC", { adapt })).toEqual({ kind: "valid", payload: { code: "AB" } });
});

test("one that still does not fit, or of which nobody has said anything, is refused", () => {
  const refused = { kind: "refused", fault: "invalidParams", field: "/code", reason: "pattern" };
  expect(handled("abc", { adapt: (payload) => payload })).toEqual(refused);
  expect(handled("ABC", {})).toEqual(refused);
});
