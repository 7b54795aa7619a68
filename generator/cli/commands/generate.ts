import type { Diagnostic } from "../../language/diagnostics/index.ts";
import { prepare, rememberPrepared } from "../prepare.ts";
import { exitCode } from "../exit-code.ts";
import { nameOf, type Selection } from "../select.ts";
import { countText, showDiagnostics } from "../show-diagnostics.ts";
import { keepFormatterSmall, keepHeapSmall } from "../small-heap.ts";
import { table } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import { writePrepared, writtenJson, type Outcome, type Written } from "../write-prepared.ts";

type Selected = Extract<Selection, { kind: "selected" }>;

/** `ledger-rpc generate`: writes what differs from what the specs say. Any error leaves the disk as it is. */
export async function generate(
  { config, targets }: Selected,
  terminal: Terminal,
  { asJson, prune }: { readonly asJson: boolean; readonly prune: boolean },
): Promise<number> {
  keepFormatterSmall();
  const prepared = await prepare(
    config,
    targets,
    (spec, stage) => {
      if (stage === "reading") keepHeapSmall(config.root, spec);
      terminal.progress(`${nameOf(spec)}: ${stage} …`);
    },
    { prune },
  );
  const written = writePrepared(
    config,
    prepared,
    (spec) => terminal.progress(`${nameOf(spec)}: writing …`),
    (each) => rememberPrepared(config, each),
  );
  terminal.progress("");
  if (asJson) terminal.print(JSON.stringify(writtenJson(written), null, 2));
  else show(written, terminal);
  return written.failed ? exitCode.failed : exitCode.ok;
}

function show({ outcomes, diagnostics, failed }: Written, terminal: Terminal): void {
  showDiagnostics(diagnostics, terminal);
  if (failed) {
    terminal.note(`${countText(diagnostics)}: ${writtenText(outcomes, diagnostics)}`);
    return;
  }
  if (terminal.isTty) showTable(outcomes, terminal);
  else for (const outcome of outcomes) showLines(outcome, terminal);
}

function writtenText(outcomes: readonly Outcome[], diagnostics: readonly Diagnostic[]): string {
  if (outcomes.length === 0) return "nothing was written";
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.every(({ code }) => code === "adapter-needed")
    ? "everything that can be generated was written"
    : "not everything was written";
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

/** Prints the outcome of one interface, a line a file. */
export function showLines({ name, report, unchanged }: Outcome, terminal: Terminal): void {
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
