import {
  diagnosticJson,
  hasErrors,
  inReadingOrder,
  type Diagnostic,
} from "../../language/diagnostics/index.ts";
import type { PlannedFile } from "../../output/index.ts";
import { exitCode } from "../exit-code.ts";
import { prepare, type Prepared } from "../prepare.ts";
import { nameOf, type Selection } from "../select.ts";
import { countText, showDiagnostics } from "../show-diagnostics.ts";
import { fileDiff, type FileDiff } from "../file-diff.ts";
import type { Terminal } from "../terminal.ts";

type Selected = Extract<Selection, { kind: "selected" }>;

/** `ledger-rpc check`: says what `generate` would change, and fails when it would change anything. Writes nothing. */
export async function check(
  { config, targets }: Selected,
  terminal: Terminal,
  { asJson, diffLinesMax }: { readonly asJson: boolean; readonly diffLinesMax: number },
): Promise<number> {
  const prepared = await prepare(config, targets, (spec, stage) =>
    terminal.progress(`${nameOf(spec)}: ${stage} …`),
  );
  const diagnostics = inReadingOrder(
    prepared.flatMap((each) => [...each.diagnostics, ...(each.plan?.unfinished ?? [])]),
  );
  const drifts = prepared.map(driftOf);
  const failed = hasErrors(diagnostics) || drifts.some(({ files }) => files.length > 0);
  terminal.progress("");
  if (asJson) terminal.print(JSON.stringify(jsonOf(drifts, diagnostics, failed), null, 2));
  else {
    const isCompared = prepared.every(({ plan, upToDate }) => plan !== undefined || upToDate !== undefined);
    showDiagnostics(diagnostics, terminal);
    if (isCompared) show(drifts, diffLinesMax, terminal);
    else terminal.note(`${countText(diagnostics)}: nothing was compared`);
  }
  return failed ? exitCode.failed : exitCode.ok;
}

interface Drift {
  readonly name: string;
  readonly files: readonly FileDiff[];
  readonly unchanged: number;
}

function driftOf({ target, plan, upToDate }: Prepared): Drift {
  const planned: readonly PlannedFile[] = plan === undefined ? [] : [...plan.files, plan.manifest];
  const files = planned.map(fileDiff).filter((diff) => diff !== undefined);
  // The manifest follows the files: its digests tell a reader nothing.
  const shown = files.map((file) => (file.path === plan?.manifest.path ? { ...file, lines: [] } : file));
  return { name: nameOf(target.spec), files: shown, unchanged: upToDate ?? planned.length - files.length };
}

function show(drifts: readonly Drift[], diffLinesMax: number, terminal: Terminal): void {
  for (const { files } of drifts) {
    for (const file of files) terminal.print(diffText(file, diffLinesMax, terminal.color));
  }
  for (const { name, files, unchanged } of drifts) {
    const summary =
      files.length === 0
        ? `${unchanged} files up to date`
        : `${files.length} of ${files.length + unchanged} files would change: ${kindsText(files)}`;
    terminal.print(`${name}: ${summary}`);
  }
  if (drifts.some(({ files }) => files.length > 0))
    terminal.note("Run `ledger-rpc generate` to bring them up to date.");
}

function kindsText(files: readonly FileDiff[]): string {
  const counts = Map.groupBy(files, ({ change }) => change);
  return [...counts].map(([change, group]) => `${group.length} ${change}`).join(", ");
}

function diffText(
  { path, change, added, removed, lines }: FileDiff,
  linesMax: number,
  color: Terminal["color"],
): string {
  const shown = linesMax === 0 ? lines : lines.slice(0, linesMax);
  const rest = lines.length - shown.length;
  const paint = (line: string): string => {
    if (line.startsWith("@@")) return color.cyan(line);
    if (line.startsWith("+")) return color.green(line);
    return line.startsWith("-") ? color.red(line) : line;
  };
  return [
    `${color.bold(`${change}: ${path}`)} (+${added} -${removed})`,
    ...shown.map(paint),
    ...(rest === 0 ? [] : [color.dim(`… ${rest} more lines; --diff-lines 0 shows all`)]),
    ...(lines.length === 0 ? [] : [""]),
  ].join("\n");
}

function jsonOf(drifts: readonly Drift[], diagnostics: readonly Diagnostic[], failed: boolean): object {
  return {
    ok: !failed,
    interfaces: drifts.map(({ name, files, unchanged }) => ({
      name,
      files: files.map(({ path, change, added, removed }) => ({ path, change, added, removed })),
      unchanged,
    })),
    diagnostics: diagnostics.map(diagnosticJson),
  };
}
