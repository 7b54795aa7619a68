import { provesKey } from "../../../conformance/suite/proves-key.ts";
import { requestIdOf } from "../../model/index.ts";
import type { ServiceModel } from "../../model/service-model.ts";
import { copiedModules, sharedModules } from "./copied-modules.ts";
import type { ClientNames } from "./names.ts";

/** Modules of every client that signs envelopes. What differs between interfaces they read from `interface.ts`. */
const always = [
  "answer.ts",
  "connection.ts",
  "errors.ts",
  "exchange.ts",
  "guard.ts",
  "hooks.ts",
  "message-signatures.ts",
  "method.ts",
  "no-key.ts",
  "operation.ts",
  "response.ts",
  "send.ts",
];
const forRequestIds = ["request-ids.ts"];
const forEvents = ["member-text.ts", "notification.ts", "webhook-keys.ts", "webhook-verifier.ts"];

/** The modules that are the same for every interface of signed envelopes. */
export function fixedModules(model: ServiceModel, names: ClientNames): Readonly<Record<string, string>> {
  const own = [
    ...always,
    ...(hasRequestIds(model) ? forRequestIds : []),
    ...(model.events.length > 0 ? forEvents : []),
  ].map((file) => `signed-envelope/${file}`);
  return {
    ...sharedModules(model, names.lists.length > 0),
    ...copiedModules([...own, "signed-message.ts"], model),
  };
}

function hasRequestIds(model: ServiceModel): boolean {
  return model.methods.some((method) => requestIdOf(model, method) !== undefined);
}

/** Whether callers without a key have operations of their own. */
export function hasKeyless({ methods }: ServiceModel): boolean {
  return methods.some(({ transport }) => !provesKey(transport));
}
