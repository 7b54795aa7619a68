import type { Expectation } from "../../../../conformance/suite/case.ts";
import type { CaseList } from "../case-list.ts";
import { batchCases } from "./batch-cases.ts";
import { idCases } from "./id-cases.ts";
import { messageCases } from "./message-cases.ts";
import { notificationCases } from "./notification-cases.ts";
import { paramsCases } from "./params-cases.ts";
import { securityCases } from "./security-cases.ts";
import { taken, type StandardCases } from "./standard-cases.ts";

/** Cases of the protocol and of authentication for a standard interface; none of the signed envelope. */
export function jsonRpcCases(list: CaseList): void {
  const { wire, methods, probe: name } = list.suite;
  const probe = methods.find((method) => method.name === name);
  if (wire === undefined || probe === undefined) return;
  const examples = list.model.methods.find((method) => method.name === name)?.examples ?? [];
  // What declares errors may answer values of our making with one of them: only an example says that they give a result.
  const isCertain = probe.errors.length === 0 || examples.some(({ error }) => error === undefined);
  const probed: Expectation = probe.effect === "read" && isCertain ? { kind: "result" } : taken({ list });
  const cases: StandardCases = { list, wire, probe, probed };
  paramsCases(cases);
  notificationCases(cases);
  securityCases(cases);
  idCases(cases);
  messageCases(cases);
  batchCases(cases);
}
