import type { Case } from "../../../conformance/suite/case.ts";
import type { Suite } from "../../../conformance/suite/suite.ts";
import type { MethodModel, ServiceModel } from "../../model/service-model.ts";
import { declarationKeys } from "../../print/declaration-keys.ts";
import { createMemo } from "../../print/memo.ts";
import { authenticationCases } from "./authentication-cases.ts";
import { CaseList, type Draft } from "./case-list.ts";
import { endpointCases } from "./endpoint-cases.ts";
import { envelopeCases } from "./envelope-cases.ts";
import { flatCases } from "./flat-cases.ts";
import { headerCases } from "./header-cases.ts";
import { hygieneCases } from "./hygiene-cases.ts";
import { orderCases } from "./order-cases.ts";
import { jsonRpcCases } from "./json-rpc/index.ts";
import { knownIdentifiers } from "./example-cases.ts";
import { payloadCases } from "./payload-cases.ts";

/** Every case of an interface, operation by operation, each with an id of its own. */
export function casesOf(model: ServiceModel, suite: Suite): readonly Case[] {
  const list = new CaseList(model, suite);
  for (const method of model.methods) {
    // A notification has no answer, so its parameters cannot be checked.
    if (method.transport.kind === "json-rpc" && method.transport.notify === "only") continue;
    const key = (): string => keyOf(method, model);
    const drafts = payloadDrafts.of(key, () => list.drafted(() => payloadCases(method, list)));
    for (const draft of drafts) list.add(draft);
  }
  if (model.wire.protocol === "json-rpc-2.0") {
    jsonRpcCases(list);
    return list.cases;
  }
  authenticationCases(list);
  orderCases(list);
  endpointCases(list);
  hygieneCases(list);
  envelopeCases(list);
  headerCases(list);
  flatCases(list);
  return list.cases;
}

const payloadDrafts = createMemo<readonly Draft[]>();

/** All that the cases of a method's payload depend on. */
function keyOf(method: MethodModel, model: ServiceModel): string {
  return JSON.stringify([declarationKeys(model).ofMethod(method), [...knownIdentifiers(model)]]);
}
