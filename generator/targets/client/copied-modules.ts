import { posix } from "node:path";
import type { ServiceModel } from "../../model/service-model.ts";
import { preamble } from "../../print/preamble.ts";
import { copyTemplate } from "../../print/template.ts";

/** Changes modules, which are given by their names in the package. */
export type Adapted = (modules: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;

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
