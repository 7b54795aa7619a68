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
/** Modules of kinds of authentication schemes. */
const forKinds: Readonly<Record<string, readonly string[]>> = {
  hmac: ["json-rpc/hmac.ts"],
  "message-signature": ["json-rpc/message-signature.ts", "signed-message.ts"],
};

/** The modules that are the same for every standard interface. */
export function fixedModules(
  model: ServiceModel,
  { hasSockets, hasLists }: { readonly hasSockets: boolean; readonly hasLists: boolean },
): Readonly<Record<string, string>> {
  const kinds = new Set(model.schemes.map(({ kind }) => kind));
  const own = [
    ...[...always, ...(hasSockets ? forSockets : [])].map((file) => `json-rpc/${file}`),
    ...Object.entries(forKinds).flatMap(([kind, files]) => (kinds.has(kind) ? files : [])),
  ];
  return { ...sharedModules(model, hasLists), ...copiedModules(own, model) };
}
