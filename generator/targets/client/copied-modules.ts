import { posix } from "node:path";
import type { ServiceModel } from "../../model/service-model.ts";
import { preamble } from "../../print/preamble.ts";
import { copyTemplate } from "../../print/template.ts";
import { bracketed, type Printable } from "../../print/layout.ts";
import { stringLiteral } from "../../print/literals.ts";

/** Modules of every client, whatever its protocol. */
const shared = [
  "bytes.ts",
  "exchange.ts",
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

/** The modules that clients of all protocols share: copies of `templates/client/*.ts` under the preamble. */
export function sharedModules(model: ServiceModel, hasLists: boolean): Readonly<Record<string, string>> {
  return copiedModules([...shared, ...(hasLists ? forLists : [])], model);
}

/** Modules of `templates/client` by their names in the package, where all lie beside each other. */
export function copiedModules(
  paths: readonly string[],
  model: ServiceModel,
): Readonly<Record<string, string>> {
  return Object.fromEntries(paths.map((path) => [posix.basename(path), copied(path, model)]));
}

function copied(path: string, model: ServiceModel): string {
  const text = copyTemplate(`client/${path}`).replaceAll('from "../', 'from "./');
  const gap = text.startsWith("import ") ? "\n" : "\n\n";
  return `${preamble(model)}${gap}${text}`;
}

/** Exports of a module; none where there are no names. */
export function exported(names: readonly string[], file: string): Printable {
  if (names.length === 0) return "";
  const isTypes = names.every((name) => name.startsWith("type "));
  const clauses = isTypes ? names.map((name) => name.slice(5)) : names;
  const list = bracketed("{", "}", clauses);
  return [isTypes ? "export type " : "export ", list, ` from ${stringLiteral(`./${file}.ts`)};`];
}
