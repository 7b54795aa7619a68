import { hasErrors, inReadingOrder, type Diagnostic } from "../../diagnostics/index.ts";
import {
  diffModels,
  isAtLeast,
  renderTerminal,
  versionAdvice,
  type DiffReport,
  type Severity,
  type SpecDiff,
} from "../../diff/index.ts";
import { loadServiceModel } from "../../model/index.ts";
import { exitCode } from "../exit-code.ts";
import type { SpecOptions } from "../select.ts";
import { refuse } from "../refuse.ts";
import { countText } from "../show-diagnostics.ts";
import type { Terminal } from "../terminal.ts";
import { sidesOf, type SpecSide, type SpecSides } from "./diff-sides.ts";

export interface DiffOptions extends SpecOptions {
  readonly failOn: Severity | "none";
}

/** `ledger-rpc diff`: what changed between two revisions of the specs, and what breaks whom. */
export function diff(
  oldText: string,
  newText: string | undefined,
  options: DiffOptions,
  terminal: Terminal,
): number {
  const sides = sidesOf(oldText, newText, options);
  if (sides.kind === "refused") return refuse({ ...sides, exitCode: exitCode.usage }, terminal, false);
  const compared = sides.sides.map(comparedSpec);
  const diagnostics = inReadingOrder(compared.flatMap((each) => each.diagnostics));
  if (hasErrors(diagnostics)) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const message = `${countText(errors)}: nothing was compared`;
    return refuse({ message, diagnostics: errors, exitCode: exitCode.failed }, terminal, false);
  }
  const specs = compared.flatMap(({ diff: each }) => each ?? []);
  const { failOn } = options;
  const failed = specs.some(({ changes }) =>
    changes.some(
      (change) => failOn !== "none" && change.exception === undefined && isAtLeast(change.severity, failOn),
    ),
  );
  const report: DiffReport = { specs, failOn, failed };
  terminal.print(renderTerminal(report, { color: terminal.color.isColorSupported }));
  return failed ? exitCode.failed : exitCode.ok;
}

interface Compared {
  readonly diff?: SpecDiff;
  readonly diagnostics: readonly Diagnostic[];
}

function comparedSpec({ name, old, new: recent }: SpecSides): Compared {
  if (old === undefined || recent === undefined) return { diagnostics: [] };
  const [before, now] = [load(old), load(recent)];
  const diagnostics = [...before.diagnostics, ...now.diagnostics];
  if (before.value === undefined || now.value === undefined) return { diagnostics };
  const changes = diffModels(before.value, now.value);
  return {
    diagnostics,
    diff: {
      name,
      old: { label: old.label, revision: before.value.revision },
      new: { label: recent.label, revision: now.value.revision },
      changes,
      version: versionAdvice(changes, before.value.revision),
    },
  };
}

function load({ folder, read }: SpecSide) {
  return loadServiceModel(folder, read);
}
