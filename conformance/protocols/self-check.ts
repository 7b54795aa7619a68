import type { Case, Expectation } from "../suite/case.ts";
import type { WireRequest } from "../request/build.ts";
import { canonicalText } from "../request/json-text.ts";
import { canonicalNames, payloadProblems, type Reading } from "../values/index.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";

/** For a signed interface: the payload and the signature are right or wrong, as the case says. */
export function signedFault(
  { request, expect, rule }: Case,
  method: MethodEntry,
  wire: WireRequest,
  suite: Suite,
  reading: Reading,
): string | undefined {
  if (isWritten(request)) return undefined;
  if (wire.signed === undefined || !isChecked(expect)) return undefined;
  const { payload, doubled } = canonicalNames(method.payload, wire.payload, reading);
  const problems = payloadProblems(method.payload, payload, reading);
  const [first] = problems;
  const isSound = first === undefined && doubled.length === 0;
  const isSigned = isProperlySigned(request.signature, wire, method);
  if (expect.kind === "result" || expect.kind === "taken") {
    if (!isSound)
      return `the payload is wrong: ${first?.at ?? doubled[0]} should be ${first?.expected ?? "there once"}`;
    return isSigned ? undefined : "the signature is not over the payload";
  }
  const touched =
    request.api !== undefined || request.headers !== undefined || request.headerSignature !== undefined;
  if (touched || request.httpMethod !== undefined || request.path !== undefined) return undefined;
  if (request.signature !== undefined) return isSigned ? "the signature is right" : undefined;
  const isInput = expect.codes.every((code) => code === suite.faults["badInput"]);
  if (isInput && isSound && !(isExample(request) || isRefusedBeyondItsShape(request.edits, rule)))
    return "the payload is right";
  if (!isInput && !isSound)
    return `the payload is wrong at ${first?.at ?? doubled[0]}, which is answered first`;
  return undefined;
}

/** Whether a case says how the bytes are. */
function isWritten({ raw, body, envelope }: Case["request"]): boolean {
  return raw !== undefined || body !== undefined || envelope !== undefined;
}

/** Whether a case asks for more than any answer. */
function isChecked(
  expect: Expectation,
): expect is Extract<Expectation, { kind: "result" | "error" | "taken" }> {
  return expect.kind === "result" || expect.kind === "error" || expect.kind === "taken";
}

/** For a standard interface: parameters by name are right or wrong, as the case says. */
export function standardFault(
  { request, expect }: Case,
  method: MethodEntry,
  wire: WireRequest,
  { faults }: Suite,
  reading: Reading,
): string | undefined {
  if (isWritten(request)) return undefined;
  const isPlain =
    request.batch === undefined && request.params === undefined && request.httpMethod === undefined;
  if (!isPlain || wire.payload === undefined || !isChecked(expect)) return undefined;
  const [first] = payloadProblems(method.payload, wire.payload, reading);
  const isAboutParams = expect.kind === "error" && expect.codes.every((code) => code === faults["badInput"]);
  if (expect.kind !== "error" && first !== undefined)
    return `the parameters are wrong: ${first.at} should be ${first.expected}`;
  const isSurplus = (request.edits ?? []).some(({ at }) => at === "/x-unknown");
  if (isAboutParams && first === undefined && !isSurplus && !isExample(request))
    return "the parameters are right";
  return undefined;
}

/** Whether a payload breaks a rule that no shape can express. */
function isRefusedBeyondItsShape(edits: Case["request"]["edits"] = [], rule: string | undefined): boolean {
  if (rule === "money" || rule === "flat-selection") return true;
  return edits.some(({ at }) => /^\/(?:x-unknown|__proto__|constructor|prototype)$/.test(at));
}

/** Examples may be refused for what no schema says. */
function isExample({ payload, edits }: Case["request"]): boolean {
  return payload !== undefined && edits === undefined;
}

function isProperlySigned(
  plan: Case["request"]["signature"],
  { signed, payload }: WireRequest,
  { transport }: MethodEntry,
): boolean {
  if (
    plan?.key === "stranger" ||
    plan?.over === "earlier" ||
    plan?.change !== undefined ||
    plan?.hash !== undefined
  )
    return false;
  if (signed === undefined) return false;
  if (signed.over.equals(signed.payloadBytes)) return true;
  return transport.kind === "enveloped" && signed.over.equals(Buffer.from(canonicalText(payload)));
}
