import { schemeKindOf } from "../../../../conformance/request/schemes/index.ts";
import type { ServiceModel } from "../../../model/service-model.ts";
import { copiedModules, sharedModules } from "../copied-modules.ts";

/** Modules of the protocol. */
const always = [
  "answer.ts",
  "batch.ts",
  "bigints.ts",
  "connection.ts",
  "credentials.ts",
  "exchange.ts",
  "message.ts",
  "method.ts",
  "operation.ts",
  "service-error.ts",
  "standard-client.ts",
];
const forSockets = ["pending.ts", "socket.ts"];
/** The modules that are the same for every standard interface. */
export function fixedModules(
  model: ServiceModel,
  { hasSockets, hasLists }: { readonly hasSockets: boolean; readonly hasLists: boolean },
): Readonly<Record<string, string>> {
  const own = [
    ...[...always, ...(hasSockets ? forSockets : [])].map((file) => `json-rpc/${file}`),
    ...new Set(model.schemes.flatMap(({ kind }) => schemeKindOf(kind)?.client.files ?? [])),
  ];
  return { ...sharedModules(model, hasLists), ...copiedModules(own, model) };
}
