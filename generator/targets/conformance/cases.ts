import type { Case } from "../../../conformance/suite/case.ts";
import type { Suite } from "../../../conformance/suite/suite.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { authenticationCases } from "./authentication-cases.ts";
import { CaseList } from "./case-list.ts";
import { endpointCases } from "./endpoint-cases.ts";
import { envelopeCases } from "./envelope-cases.ts";
import { flatCases } from "./flat-cases.ts";
import { headerCases } from "./header-cases.ts";
import { hygieneCases } from "./hygiene-cases.ts";
import { orderCases } from "./order-cases.ts";
import { jsonRpcCases } from "./json-rpc/index.ts";
import { exampleCases } from "./example-cases.ts";

/** The cases of an interface that are written down: all but those that the shape of a payload says by itself. */
export function writtenCases(model: ServiceModel, suite: Suite): readonly Case[] {
  const list = new CaseList(model, suite);
  exampleCases(list);
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
