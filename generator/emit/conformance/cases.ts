import type { Case } from "../../conformance/case.ts";
import type { Suite } from "../../conformance/suite.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { authenticationCases } from "./authentication-cases.ts";
import { CaseList } from "./case-list.ts";
import { endpointCases } from "./endpoint-cases.ts";
import { envelopeCases } from "./envelope-cases.ts";
import { flatCases } from "./flat-cases.ts";
import { headerCases } from "./header-cases.ts";
import { hygieneCases } from "./hygiene-cases.ts";
import { orderCases } from "./order-cases.ts";
import { payloadCases } from "./payload-cases.ts";

/** Every case of an interface, operation by operation, each with an id of its own. */
export function casesOf(model: ServiceModel, suite: Suite): readonly Case[] {
  const list = new CaseList(model, suite);
  for (const method of model.methods) payloadCases(method, list);
  authenticationCases(list);
  orderCases(list);
  endpointCases(list);
  hygieneCases(list);
  envelopeCases(list);
  headerCases(list);
  flatCases(list);
  return list.cases;
}
