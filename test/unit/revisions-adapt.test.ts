import { expect, test } from "vitest";
import type { ConvertedMethod, MethodDescriptor } from "../../runtime/contract/index.ts";
import { PipelineFault } from "../../runtime/protocol/signed-envelope/fault.ts";
import { forHandler, type Route } from "../../runtime/service/signed/revisions/route.ts";
import type { ValidCall } from "../../runtime/service/signed/validate/index.ts";

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
  const route: Route = {
    method: twoLetters,
    target: twoLetters,
    targetRevision: "2.0.0",
    handler,
    steps: [step],
    identity: "Do",
  };
  const call: ValidCall = {
    method: twoLetters,
    envelope: { kind: "flat", method: twoLetters, payload: { code }, payloadBytes: Buffer.from("") },
    caller: { userName: "una", institutionId: "bank" },
    payload: { code },
  };
  return forHandler(call, route, (_fault, detail) => new PipelineFault("BAD", detail)).payload;
}

test("a request that fits the later revision is not adapted", () => {
  expect(handled("AB", { adapt: () => ({ code: "ZZ" }) })).toEqual({ code: "AB" });
});

test("one that does not is adapted, if somebody has said how", () => {
  const adapt = (payload: object) => ({ code: String(Reflect.get(payload, "code")).slice(0, 2) });
  expect(handled("ABC", { adapt })).toEqual({ code: "AB" });
});

test("one that still does not fit, or of which nobody has said anything, is refused", () => {
  expect(() => handled("abc", { adapt: (payload) => payload })).toThrow(PipelineFault);
  expect(() => handled("ABC", {})).toThrow(PipelineFault);
});
