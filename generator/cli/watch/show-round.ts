import { basename } from "node:path";
import type { Diagnostic } from "../../language/diagnostics/index.ts";
import type { SpecTarget } from "../config.ts";
import { showLines } from "../commands/generate.ts";
import { countText, showDiagnostics } from "../show-diagnostics.ts";
import type { Terminal } from "../terminal.ts";
import { writtenJson, type Outcome } from "../write-prepared.ts";
import type { Change } from "./changes.ts";
import type { Round } from "./session.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

/** Tells what happens during a watch. */
export interface RoundPrinter {
  started(round: Round, targets: readonly SpecTarget[]): void;
  changed(round: Round, changes: readonly Change[], elapsedMs: number): void;
  stopped(): void;
}

export function createRoundPrinter(terminal: Terminal, asJson: boolean): RoundPrinter {
  return asJson ? jsonPrinter(terminal) : textPrinter(terminal);
}

/** A line a round, each a JSON document. */
function jsonPrinter(terminal: Terminal): RoundPrinter {
  const print = (line: object): void => terminal.print(JSON.stringify(line));
  return {
    started(round, targets) {
      print({ kind: "started", watching: targets.map(({ spec }) => spec), ...jsonOf(round) });
    },
    changed(round, changes, elapsedMs) {
      const changed = changes.map(({ path, kind }) => ({ path, kind }));
      print({ kind: "round", changed, elapsedMs: Math.round(elapsedMs), ...jsonOf(round) });
    },
    stopped: () => print({ kind: "stopped" }),
  };
}

function jsonOf(round: Round): object {
  return omitUndefined({ ...writtenJson(round), message: round.failure });
}

function textPrinter(terminal: Terminal): RoundPrinter {
  const { color } = terminal;
  let known: ReadonlySet<string> = new Set();
  /** Errors each time; the rest when it is news. */
  const showNews = (diagnostics: readonly Diagnostic[]): void => {
    const isNews = (each: Diagnostic): boolean => each.severity === "error" || !known.has(keyOf(each));
    showDiagnostics(diagnostics.filter(isNews), terminal);
    known = new Set(diagnostics.map(keyOf));
  };
  return {
    started(round, targets) {
      showNews(round.diagnostics);
      if (round.failed) terminal.note(`${failureTextOf(round)}: nothing was written`);
      else for (const outcome of round.outcomes) terminal.print(summaryOf(outcome));
      terminal.note(`Watching ${targets.map(({ spec }) => spec).join(", ")}. Ctrl-C ends it.`);
    },
    changed(round, changes, elapsedMs) {
      showNews(round.diagnostics);
      const active = round.outcomes.filter(isActive);
      if (!terminal.isTty) for (const outcome of active) showLines(outcome, terminal);
      const line = [
        color.dim(new Date().toTimeString().slice(0, 8)),
        changesText(changes),
        round.failed ? color.red(failureOf(round)) : color.green(successOf(active)),
        color.dim(`${Math.round(elapsedMs)} ms`),
      ];
      terminal.print(line.join("  "));
      if (terminal.isTty) for (const path of round.created) terminal.print(`          created ${path}`);
    },
    stopped: () => terminal.note("Stopped."),
  };
}

/** A finding wherever in its file it is: editing moves it about. */
function keyOf({ code, message, span, path }: Diagnostic): string {
  return JSON.stringify([code, message, span?.source.path ?? path]);
}

function isActive({ report }: Outcome): boolean {
  return report !== undefined && report.written.length + report.moved.length + report.deleted.length > 0;
}

function summaryOf({ name, report, unchanged }: Outcome): string {
  const written = (report?.written.length ?? 0) + (report?.moved.length ?? 0);
  return `${name}: ${written} written, ${unchanged} unchanged, ${report?.deleted.length ?? 0} deleted`;
}

function failureTextOf({ failure, diagnostics }: Round): string {
  return failure ?? countText(diagnostics);
}

function failureOf(round: Round): string {
  const isBegun = round.outcomes.length > 0;
  return `${failureTextOf(round)}: ${isBegun ? "not everything was written" : "kept the last good output"}`;
}

function changesText(changes: readonly Change[]): string {
  return namesText(changes.map(({ path, kind }) => (kind === "changed" ? path : `${path} ${kind}`)));
}

/** The changes of a round, the most interesting files first; the manifest always follows. */
function successOf(outcomes: readonly Outcome[]): string {
  const reports = outcomes.flatMap(({ report }) => report ?? []);
  const written = reports.flatMap((report) => report.written);
  const counts = [
    [written.length, "written"],
    [reports.flatMap(({ moved }) => moved).length, "moved"],
    [reports.flatMap(({ deleted }) => deleted).length, "deleted"],
  ] as const;
  const done = counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
  if (done.length === 0) return "nothing to write";
  const names = written.filter((path) => !path.endsWith("/manifest.json")).map((path) => basename(path));
  return names.length === 0 ? done.join(", ") : `${done.join(", ")} (${namesText(names)})`;
}

const namesShown = 3;

function namesText(names: readonly string[]): string {
  const rest = names.length - namesShown;
  return `${names.slice(0, namesShown).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
