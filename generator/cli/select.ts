import type { Diagnostic } from "../language/diagnostics/index.ts";
import { hintFor } from "../../conformance/base/closest.ts";
import { countText } from "./show-diagnostics.ts";
import { configFile, findConfig, loadConfig, type ProjectConfig, type SpecTarget } from "./config.ts";

/** The options that every command over specs takes. */
export interface SpecOptions {
  readonly config?: string;
  readonly spec?: readonly string[];
  readonly json?: true;
}

/** The specs that a command works on, or why there are none. */
export type Selection =
  | { readonly kind: "selected"; readonly config: ProjectConfig; readonly targets: readonly SpecTarget[] }
  | { readonly kind: "refused"; readonly message: string; readonly diagnostics: readonly Diagnostic[] };

/** `from`: the folder that the command was called in; `use`: what it does with the specs. */
export function selectSpecs(
  { config: given, spec: names = [] }: SpecOptions,
  from: string,
  use: "generate" | "read" = "generate",
): Selection {
  const path = findConfig(from, given);
  if (path === undefined) {
    const message =
      given === undefined
        ? `no ${configFile} here or in a folder above: \`ledger-rpc init <name>\` makes a project with one; for a spec that is here, create one that says \`specs: [{ spec: spec/tasks${use === "read" ? "" : ", out: generated/tasks, handlers: src/handlers/tasks"} }]\`, or name one with --config`
        : `there is no config file ${given}`;
    return { kind: "refused", message, diagnostics: [] };
  }
  const { value: config, diagnostics } = loadConfig(path, use);
  if (config === undefined) {
    return { kind: "refused", message: `${countText(diagnostics)} in the config`, diagnostics };
  }
  const unknown = names.find((name) => !config.specs.some((target) => isNamed(target, name)));
  if (unknown !== undefined) {
    const known = config.specs.map(({ spec }) => nameOf(spec));
    const message = `the config has no spec ${unknown}: ${hintFor(unknown, known)}`;
    return { kind: "refused", message, diagnostics: [] };
  }
  const targets = config.specs.filter(
    (target) => names.length === 0 || names.some((name) => isNamed(target, name)),
  );
  return { kind: "selected", config, targets };
}

/** The short name of a spec: the last part of its folder. */
export function nameOf(spec: string): string {
  return spec.slice(spec.lastIndexOf("/") + 1);
}

function isNamed({ spec }: SpecTarget, name: string): boolean {
  return spec === name.replace(/\/$/, "") || nameOf(spec) === name;
}

/** The message where a command is for one spec and the config has several. */
export function severalSpecs(targets: readonly SpecTarget[]): string {
  return `the config has several specs: choose one with --spec, ${targets.map(({ spec }) => nameOf(spec)).join(" or ")}`;
}
