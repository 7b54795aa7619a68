import { isOnlyNotified, buildJsonRpc } from "../request/json-rpc.ts";
import { buildSigned } from "../request/build.ts";
import type { BuildOptions, WireRequest } from "../request/wire-request.ts";
import type { CheckContext } from "../response/check-context.ts";
import { checkEnvelope } from "../response/envelope.ts";
import type { Finding } from "../response/finding.ts";
import { checkJsonRpc } from "../response/json-rpc.ts";
import { namesCode, type ServiceResponse } from "../response/read-response.ts";
import type { Case, Expectation, RequestPlan } from "../suite/case.ts";
import type { MethodEntry, Suite } from "../suite/suite.ts";
import { payloadProblems, type Reading } from "../values/index.ts";
import { signedFault, standardFault } from "./self-check.ts";

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
