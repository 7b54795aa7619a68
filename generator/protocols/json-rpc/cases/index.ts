import { isJsonRpcFrame } from "../../../../conformance/base/frame.ts";
import type { MethodModel, ServiceModel } from "../../../model/service-model.ts";
import { declaredErrors } from "../../../targets/conformance/suite-of.ts";
import type { CasesPart } from "../../protocol.ts";
import { jsonRpcTransport, wireOf } from "../wire.ts";
import type { Expectation } from "../../../../conformance/suite/case.ts";
import type { CaseList } from "../../../targets/conformance/case-list.ts";
import { batchCases } from "./batch-cases.ts";
import { idCases, notificationCases } from "./call-cases.ts";
import { messageCases } from "./message-cases.ts";
import { paramsCases } from "./params-cases.ts";
import { securityCases } from "./security-cases.ts";
import { taken, type StandardCases } from "./standard-cases.ts";

/** Cases of the protocol and of authentication for a standard interface; none of the signed envelope. */
function jsonRpcCases(list: CaseList): void {
  const { wire, methods, probe: name } = list.suite;
  const probe = methods.find((method) => method.name === name);
  if (wire === undefined || probe === undefined) return;
  const examples = list.model.methods.find((method) => method.name === name)?.examples ?? [];
  // A method that declares errors may answer invented values with one of them: only an example says that they give a
  // result.
  const isCertain = probe.errors.length === 0 || examples.some(({ error }) => error === undefined);
  const probed: Expectation = probe.effect === "read" && isCertain ? { kind: "result" } : taken({ list });
  const source: StandardCases = { list, wire, frame: wireOf(list.model).frame, probe, probed };
  paramsCases(source);
  notificationCases(source);
  securityCases(source);
  idCases(source);
  messageCases(source);
  batchCases(source);
}

/** The suite's part of JSON-RPC 2.0. */
export const cases: CasesPart = {
  probe,
  wire,
  transport: ({ transport, security }) => ({ ...jsonRpcTransport(transport), security }),
  add: jsonRpcCases,
};

/**
 * A reading method that is open to all, if there is one: the one with most examples of results, then the one with
 * fewest errors.
 */
function probe({ methods }: ServiceModel): MethodModel | undefined {
  const answered = methods
    .filter(({ transport }) => transport.notify !== "only")
    .toSorted((a, b) => successes(b) - successes(a) || a.errors.length - b.errors.length);
  const ranks = [
    ({ effect, security }: MethodModel) => effect === "read" && security.length === 0,
    ({ effect }: MethodModel) => effect === "read",
    ({ effect }: MethodModel) => effect === "set",
  ];
  return ranks.map((rank) => answered.find(rank)).find((method) => method !== undefined) ?? answered[0];
}

function successes({ examples }: MethodModel): number {
  return examples.filter(({ error }) => error === undefined).length;
}

/** The errors of the runtime that no declaration names come after the declared ones; `badInput` stands for wrong parameters. */
function wire(model: ServiceModel): ReturnType<CasesPart["wire"]> {
  const { frame, http, batch, faults } = wireOf(model);
  const declared = declaredErrors(model);
  const detected = Object.values(faults);
  const known = new Set(detected.map(({ name }) => name));
  const names = Object.entries(faults).map(([fault, { name }]) => [fault, name]);
  return {
    wire: {
      protocol: "json-rpc-2.0",
      ...(!isJsonRpcFrame(frame) && { frame }),
      status: http.status,
      notified: http.notified,
      batch,
      schemes: model.schemes.map(({ name, kind, options }) => ({ name, kind, options })),
    },
    faults: { ...Object.fromEntries(names), badInput: faults.invalidParams.name },
    errors: [
      ...declared.map((error) => (known.has(error.code) ? { ...error, everyMethod: true } : error)),
      ...detected
        .filter(({ name }) => !declared.some(({ code }) => code === name))
        .map(({ name, code, message, httpStatus }) => ({
          decisions: [],
          code: name,
          message,
          httpStatus,
          rpcCode: code,
          everyMethod: true,
        })),
    ],
  };
}
