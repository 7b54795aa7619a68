import { buildSigned } from "../request/build.ts";
import type { BuildOptions, WireRequest } from "../request/wire-request.ts";
import { buildJsonRpc, isOnlyNotified } from "../request/json-rpc.ts";
import { canonicalNames, canonicalText, payloadProblems, type Reading } from "../values/index.ts";
import { checkEnvelope } from "../response/envelope.ts";
import type { CheckContext, Finding } from "../response/finding.ts";
import { checkJsonRpc } from "../response/json-rpc.ts";
import { namesCode, type ServiceResponse } from "../response/read-response.ts";
import type { Case, Expectation, RequestPlan } from "../suite/case.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";

/** How a run makes requests of a protocol and reads their answers. */
export interface SuiteProtocol {
  /** Makes a request from its plan. @throws MissingValue for a missing sample */
  build(plan: RequestPlan, options: BuildOptions): WireRequest;
  /** Everything that is wrong with an answer, of whatever level. */
  check(
    expect: Expectation,
    method: MethodEntry,
    request: WireRequest,
    answer: ServiceResponse,
    context: CheckContext,
  ): readonly Finding[];
  /**
   * Checks a request again before it is sent: it must be wrong where the case says so, and right where it says so.
   * Gives what is wrong with the case itself.
   */
  fault(
    each: Case,
    method: MethodEntry,
    wire: WireRequest,
    suite: Suite,
    reading: Reading,
  ): string | undefined;
  /** A call that surely changes nothing, if there is one that is answered. */
  harmless(method: MethodEntry, reading: Reading): RequestPlan | undefined;
  /** How operations that no interface has would travel. */
  readonly unknown: readonly MethodEntry["transport"][];
  /** The codes of answers that are about who calls. */
  callerCodes({ auth, faults }: Suite): readonly (string | undefined)[];
  /** Whether an answer has the code of an error. */
  hasCode(answer: ServiceResponse, name: string | undefined, suite: Suite): boolean;
  /** The part of an access file that a service may have refused. */
  readonly refused: string;
}

/** Signed rightly, about nothing; signed wrongly where nothing is a payload. */
const signed: SuiteProtocol = {
  build: buildSigned,
  check: checkEnvelope,
  fault: signedFault,
  harmless(method, reading) {
    const [base = "minimal"] = Object.keys(method.bases);
    const isRefused =
      method.transport.kind === "enveloped" && payloadProblems(method.payload, {}, reading).length > 0;
    return isRefused ? { payload: {} } : { base, signature: { over: "other" } };
  },
  unknown: [
    { kind: "enveloped", auth: ["credential", "keyId", "signature"], jsonrpc: true },
    { kind: "flat", selectedBy: [] },
  ],
  callerCodes: ({ auth }) => auth.map(({ missing }) => missing),
  hasCode: (answer, name) => namesCode(answer, name) || (name !== undefined && answer.error?.code === name),
  refused:
    "userName, apiKey, keyId and privateKeyPem have to be those of one caller who may use the interface",
};

const jsonRpc: SuiteProtocol = {
  build: buildJsonRpc,
  check: checkJsonRpc,
  fault: standardFault,
  harmless(method, reading) {
    const [base = "minimal"] = Object.keys(method.bases);
    if (isOnlyNotified(method)) return undefined;
    if (payloadProblems(method.payload, {}, reading).length > 0) return { payload: {} };
    return method.effect === "read" ? { base } : undefined;
  },
  unknown: [{ kind: "json-rpc", params: "by-name", notify: "allowed", security: [] }],
  callerCodes: ({ faults }) => [faults["unauthenticated"]],
  // Codes are integers, which several errors may share.
  hasCode: ({ error }, name, { errors }) =>
    error !== undefined && errors.some(({ code, rpcCode }) => code === name && rpcCode === error.code),
  refused:
    "credentials of the access file have to be those of one caller who may use the interface; tokens that the suite issues are accepted only where the service knows the suite's keys (--issuer-port)",
};

const byTransport: Readonly<Record<MethodEntry["transport"]["kind"], SuiteProtocol>> = {
  enveloped: signed,
  flat: signed,
  "json-rpc": jsonRpc,
};

/** How an operation is called and answered. */
export function protocolOf({ transport }: Pick<MethodEntry, "transport">): SuiteProtocol {
  return byTransport[transport.kind];
}

/** The same of an interface. */
export function protocolOfSuite({ wire }: Pick<Suite, "wire">): SuiteProtocol {
  return wire === undefined ? signed : jsonRpc;
}

/** For a signed interface: the payload and the signature are right or wrong, as the case says. */
function signedFault(
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
function standardFault(
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
