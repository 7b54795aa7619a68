import type { ServiceModel } from "../../model/service-model.ts";
import { preamble } from "../../print/preamble.ts";
import { copyTemplate } from "../../print/template.ts";
import type { ClientNames } from "./names.ts";

/** Modules of every client. What differs between interfaces they read from `interface.ts`. */
const always = [
  "answer.ts",
  "connection.ts",
  "errors.ts",
  "exchange.ts",
  "failures.ts",
  "guard.ts",
  "hooks.ts",
  "json.ts",
  "limited.ts",
  "limits.ts",
  "method.ts",
  "money.ts",
  "no-node-signer.ts",
  "node-signer.ts",
  "observe.ts",
  "operation.ts",
  "plain-headers.ts",
  "response.ts",
  "retry.ts",
  "send.ts",
  "sent-text.ts",
  "signing.ts",
];
const forRequestIds = ["request-ids.ts"];
const forLists = ["paging.ts"];
const forEvents = ["member-text.ts", "notification.ts", "webhook-keys.ts", "webhook-verifier.ts"];

/** The modules that are the same for every interface: copies of `templates/client/*.ts` under the preamble. */
export function fixedModules(model: ServiceModel, names: ClientNames): Readonly<Record<string, string>> {
  const files = [
    ...always,
    ...(hasRequestIds(model) ? forRequestIds : []),
    ...(names.lists.length > 0 ? forLists : []),
    ...(model.events.length > 0 ? forEvents : []),
  ];
  return Object.fromEntries(files.map((file) => [file, copied(file, model)]));
}

function hasRequestIds({ wire }: ServiceModel): boolean {
  return wire.protocol === "signed-envelope" && wire.requestId !== undefined;
}

/** A module of `templates/client` as a file of the package. */
export function copied(file: string, model: ServiceModel): string {
  const text = copyTemplate(`client/${file}`);
  const gap = text.startsWith("import ") ? "\n" : "\n\n";
  return `${preamble(model)}${gap}${text}`;
}
