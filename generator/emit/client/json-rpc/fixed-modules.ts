import { posix } from "node:path";
import type { ServiceModel } from "../../../model/service-model.ts";
import { preamble } from "../../../print/preamble.ts";
import { copyTemplate } from "../../../print/template.ts";

/** Modules of every client, whatever its protocol. */
const shared = [
  "failures.ts",
  "json.ts",
  "limited.ts",
  "limits.ts",
  "money.ts",
  "no-node-signer.ts",
  "node-signer.ts",
  "observe.ts",
  "plain-headers.ts",
  "retry.ts",
  "sent-text.ts",
  "signing.ts",
];
const forLists = ["paging.ts"];
/** Modules of the protocol. */
const own = [
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
const forKinds: Readonly<Record<string, string>> = {
  hmac: "hmac.ts",
  "message-signature": "message-signature.ts",
};

/** The modules that are the same for every standard interface, beside each other under the preamble. */
export function fixedModules(
  model: ServiceModel,
  { hasSockets, hasLists }: { readonly hasSockets: boolean; readonly hasLists: boolean },
): Readonly<Record<string, string>> {
  const kinds = new Set(model.schemes.map(({ kind }) => kind));
  const files = [
    ...own,
    ...(hasSockets ? forSockets : []),
    ...Object.entries(forKinds).flatMap(([kind, file]) => (kinds.has(kind) ? [file] : [])),
  ].map((file) => `json-rpc/${file}`);
  return Object.fromEntries(
    [...shared, ...(hasLists ? forLists : []), ...files].map((file) => [
      posix.basename(file),
      copied(file, model),
    ]),
  );
}

/** A module of `templates/client`, or of the protocol's folder there, as a file of the package. */
export function copied(file: string, model: ServiceModel): string {
  const text = copyTemplate(`client/${file}`).replaceAll('from "../', 'from "./');
  const gap = text.startsWith("import ") ? "\n" : "\n\n";
  return `${preamble(model)}${gap}${text}`;
}
