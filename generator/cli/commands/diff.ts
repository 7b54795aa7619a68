import { writeFileSync } from "node:fs";
import {
  diagnosticJson,
  hasErrors,
  inReadingOrder,
  type Diagnostic,
} from "../../language/diagnostics/index.ts";
import {
  diffJson,
  isAtLeast,
  renderChangelog,
  renderGithub,
  renderMarkdown,
  renderMigration,
  renderTerminal,
  sarif,
  type DiffReport,
  type MigratedSpec,
  type ReportedChange,
  type SpecDiff,
} from "../../diff/index.ts";
import { exitCode } from "../exit-code.ts";
import { generatorVersion } from "../generator-digest.ts";
import { reportFailure } from "../report-failure.ts";
import { countText, showDiagnostics } from "../show-diagnostics.ts";
import { reached, type Terminal } from "../terminal.ts";
import { findExceptions, loadExceptions, withExceptions } from "./diff-exceptions.ts";
import type { DiffOptions } from "./diff-options.ts";
import { sidesOf } from "./diff-sides.ts";
import { compareSpecs, type ComparedSpec } from "./diff-specs.ts";

/** `ledger-rpc diff`: what changed between two revisions of the specs, and what breaks whom. */
export function diff(
  oldText: string,
  newText: string | undefined,
  options: DiffOptions,
  terminal: Terminal,
): number {
  const format = options.json === true ? "json" : options.format;
  const refused = (message: string, diagnostics: readonly Diagnostic[], code: number): number =>
    reportFailure({ message, diagnostics, exitCode: code }, terminal, format === "json");
  const sides = sidesOf(oldText, newText, options, terminal.cwd);
  if (sides.kind === "refused") return refused(sides.message, sides.diagnostics, exitCode.usage);
  if (sides.areDocuments) terminal.note("Both documents are imported in memory, and the two specs compared.");
  const file = findExceptions(sides.root, terminal.cwd, options.exceptions);
  if (file === undefined) return refused(`there is no file ${options.exceptions}`, [], exitCode.usage);
  const { value: exceptions = [], diagnostics: mistakes } = loadExceptions(file, terminal.cwd);
  const { value: compared, diagnostics } = compareSpecs(sides.sides, options.clientVersion);
  const errors = inReadingOrder([...diagnostics, ...mistakes.filter(({ severity }) => severity === "error")]);
  if (compared === undefined || hasErrors(errors)) {
    return refused(`${countText(errors)}: nothing was compared`, errors, exitCode.failed);
  }
  const { specs, stale } = withExceptions(
    compared.map((each) => each.diff),
    exceptions,
    sides.isWhole,
  );
  const isDocument = options.changelog === true || options.migration === true;
  const failOn = options.failOn ?? (isDocument ? "none" : "breaking");
  const failed = specs.some(({ changes }) => changes.some((change) => fails(change, failOn)));
  const ok = !failed && stale.length === 0;
  const text = isDocument
    ? documentText(specs, compared, options)
    : reportText(
        { specs: specs.map((spec) => shown(spec, options)), failOn, failed, prefix: sides.prefix },
        format,
        {
          stale,
          ok,
          color: options.output === undefined && terminal.color.isColorSupported,
        },
      );
  deliver(text, options.output, terminal);
  if (isDocument || format !== "json") showDiagnostics(stale, terminal);
  return ok ? exitCode.ok : exitCode.failed;
}

function shown(spec: SpecDiff, { docs }: DiffOptions): SpecDiff {
  return docs ? spec : { ...spec, changes: spec.changes.filter((change) => !isText(change)) };
}

/** The entry for the changelog, or the migration note. */
function documentText(
  specs: readonly SpecDiff[],
  compared: readonly ComparedSpec[],
  { changelog }: DiffOptions,
): string {
  if (changelog === true) return renderChangelog(specs);
  return renderMigration(
    specs.map((spec, at): MigratedSpec => {
      const { old, new: recent } = compared[at] ?? {};
      const revisions = old === undefined || recent === undefined ? {} : { revisions: { old, new: recent } };
      return { diff: spec, ...revisions };
    }),
  );
}

function fails({ exception, severity }: ReportedChange, failOn: DiffReport["failOn"]): boolean {
  return failOn !== "none" && exception === undefined && isAtLeast(severity, failOn);
}

/** Whether a change concerns texts alone. */
function isText({ area, severity }: ReportedChange): boolean {
  return area === "texts" && severity === "info";
}

function reportText(
  report: DiffReport,
  format: DiffOptions["format"],
  {
    stale,
    ok,
    color,
  }: { readonly stale: readonly Diagnostic[]; readonly ok: boolean; readonly color: boolean },
): string {
  switch (format) {
    case "terminal":
      return renderTerminal(report, { color });
    case "markdown":
      return renderMarkdown(report);
    case "github":
      return renderGithub(report);
    case "sarif":
      return JSON.stringify(sarif(report, generatorVersion()), null, 2);
    case "json":
      return JSON.stringify(diffJson(report, stale.map(diagnosticJson), ok), null, 2);
  }
}

function deliver(text: string, output: string | undefined, terminal: Terminal): void {
  if (output === undefined) {
    if (text !== "") terminal.print(text);
    return;
  }
  writeFileSync(reached(terminal, output), `${text}\n`);
  terminal.print(`wrote ${output}`);
}
