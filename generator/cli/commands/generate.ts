import { diagnosticJson, hasErrors, inReadingOrder, type Diagnostic } from "../../diagnostics/index.ts";
import { apply, projectFolder, rememberRun, type WriteReport } from "../../output/index.ts";
import { exitCode } from "../exit-code.ts";
import { prepare, type Prepared } from "../prepare.ts";
import { nameOf, type Selection } from "../select.ts";
import { countText, showDiagnostics } from "../show-diagnostics.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";

type Selected = Extract<Selection, { kind: "selected" }>;

/** `ledger-rpc generate`: writes what differs from what the specs say. Any error leaves the disk as it is. */
export async function generate(
  { config, targets }: Selected,
  terminal: Terminal,
  { asJson, prune }: { readonly asJson: boolean; readonly prune: boolean },
): Promise<number> {
  const prepared = await prepare(
    config,
    targets,
    (spec, stage) => terminal.progress(`${nameOf(spec)}: ${stage} …`),
    { prune },
  );
  const found = prepared.flatMap(({ diagnostics }) => diagnostics);
  const outcomes = hasErrors(found) ? [] : prepared.map((each) => write(config.root, each, terminal));
  const diagnostics = inReadingOrder([
    ...found,
    ...outcomes.flatMap(({ report }) => report?.diagnostics ?? []),
  ]);
  const failed = hasErrors(diagnostics);
  terminal.progress("");
  if (asJson) terminal.print(JSON.stringify(jsonOf(outcomes, diagnostics, failed), null, 2));
  else show(outcomes, diagnostics, failed, terminal);
  return failed ? exitCode.failed : exitCode.ok;
}

interface Outcome {
  readonly name: string;
  /** Absent where nothing has changed since the last run. */
  readonly report?: WriteReport;
  readonly unchanged: number;
  readonly elapsedMs: number;
}

function write(root: string, prepared: Prepared, terminal: Terminal): Outcome {
  const { target, plan, upToDate, inputs, folders, diagnostics } = prepared;
  const name = nameOf(target.spec);
  if (plan === undefined) return { name, unchanged: upToDate ?? 0, elapsedMs: prepared.elapsedMs };
  terminal.progress(`${name}: writing …`);
  const startedAt = performance.now();
  const report = apply(root, plan);
  const files = plan.files.length + 1;
  if (!hasErrors(report.diagnostics))
    rememberRun(projectFolder(root), inputs, { folders, files, diagnostics });
  return {
    name,
    report,
    unchanged: report.unchanged,
    elapsedMs: prepared.elapsedMs + performance.now() - startedAt,
  };
}

function show(
  outcomes: readonly Outcome[],
  diagnostics: readonly Diagnostic[],
  failed: boolean,
  terminal: Terminal,
): void {
  showDiagnostics(diagnostics, terminal);
  if (failed) {
    const written = outcomes.length === 0 ? "nothing was written" : "not everything was written";
    terminal.note(`${countText(diagnostics)}: ${written}`);
    return;
  }
  if (terminal.isTty) showTable(outcomes, terminal);
  else for (const outcome of outcomes) showLines(outcome, terminal);
}

function showTable(outcomes: readonly Outcome[], terminal: Terminal): void {
  const rows = outcomes.map(({ name, report, unchanged, elapsedMs }) => [
    name,
    String((report?.written.length ?? 0) + (report?.moved.length ?? 0) + unchanged),
    String((report?.written.length ?? 0) + (report?.moved.length ?? 0)),
    String(unchanged),
    String(report?.deleted.length ?? 0),
    String(Math.round(elapsedMs)),
  ]);
  terminal.print(
    table(["interface", "files", "written", "unchanged", "deleted", "ms"], rows, terminal.color),
  );
}

function showLines({ name, report, unchanged }: Outcome, terminal: Terminal): void {
  if (report === undefined || report.written.length + report.deleted.length + report.moved.length === 0) {
    terminal.print(`${name}: ${unchanged} files up to date`);
    return;
  }
  for (const path of report.written) terminal.print(`wrote ${path}`);
  for (const { from, to } of report.moved) terminal.print(`moved ${from} to ${to}`);
  for (const path of report.deleted) terminal.print(`deleted ${path}`);
  const written = report.written.length + report.moved.length;
  terminal.print(`${name}: ${written} written, ${unchanged} unchanged, ${report.deleted.length} deleted`);
}

function jsonOf(outcomes: readonly Outcome[], diagnostics: readonly Diagnostic[], failed: boolean): object {
  return {
    ok: !failed,
    interfaces: outcomes.map(({ name, report, unchanged, elapsedMs }) => ({
      name,
      written: report?.written ?? [],
      moved: report?.moved ?? [],
      deleted: report?.deleted ?? [],
      unchanged,
      elapsedMs: Math.round(elapsedMs),
    })),
    diagnostics: diagnostics.map(diagnosticJson),
  };
}
