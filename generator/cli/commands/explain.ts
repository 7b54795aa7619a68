import {
  allCodes,
  explain as explainCode,
  renderExplanation,
  type Explanation,
} from "../../language/diagnostics/index.ts";
import { explainRule, renderRuleExplanation, rules, worst } from "../../diff/index.ts";
import { closest } from "../../../conformance/base/closest.ts";
import { exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";

export interface ExplainOptions {
  readonly json?: true;
  /** Leaves out codes whose name and rule do not have this text. */
  readonly filter?: string;
}

/**
 * `ledger-rpc explain`: the rule behind a diagnostic code, or the meaning of a change, with an example before and
 * after. Without a code it lists all.
 */
export function explain(code: string | undefined, terminal: Terminal, options: ExplainOptions): number {
  const asJson = options.json === true;
  const explanations = allExplanations();
  const change = code === undefined ? undefined : explainRule(code);
  if (code === undefined) return list([...explanations.values()], terminal, options);
  const color = terminal.color.isColorSupported;
  if (change !== undefined) {
    terminal.print(asJson ? JSON.stringify(change, null, 2) : renderRuleExplanation(change, { color }));
    return exitCode.ok;
  }
  const explanation = explanations.get(code);
  if (explanation === undefined) {
    const suggestion = closest(code, [...explanations.keys(), ...rules.keys()]);
    const hint = suggestion === undefined ? "" : `\n(Did you mean ${suggestion}?)`;
    terminal.note(`error: unknown code '${code}'${hint}\nRun \`ledger-rpc explain\` to see all codes.`);
    return exitCode.usage;
  }
  terminal.print(asJson ? JSON.stringify(explanation, null, 2) : renderExplanation(explanation, { color }));
  return exitCode.ok;
}

function allExplanations(): ReadonlyMap<string, Explanation> {
  const sorted = allCodes.map(explainCode).filter((explanation) => explanation !== undefined);
  return new Map(sorted.map((explanation) => [explanation.code, explanation]));
}

function list(explanations: readonly Explanation[], terminal: Terminal, options: ExplainOptions): number {
  const changes = [...rules].map(([code, { effects, why }]) => {
    return { code, severity: worst(Object.values(effects).map((effect) => effect.severity)), rule: why };
  });
  const faults = explanations.map(({ code, severity, rule }) => ({ code, severity, rule }));
  const text = (options.filter ?? "").toLowerCase();
  const fitting = (entries: readonly Line[]): readonly Line[] =>
    entries.filter(({ code, rule }) => `${code} ${rule}`.toLowerCase().includes(text));
  const parts = [
    { title: "What can be wrong", entries: fitting(faults) },
    { title: "What can change between two revisions", entries: fitting(changes) },
  ].filter(({ entries }) => entries.length > 0);
  if (options.json === true) {
    terminal.print(
      JSON.stringify(
        parts.flatMap(({ entries }) => entries),
        null,
        2,
      ),
    );
    return exitCode.ok;
  }
  if (parts.length === 0) {
    terminal.note(`no code has '${options.filter ?? ""}' in its name or rule`);
    return exitCode.ok;
  }
  terminal.print(
    parts.map(({ title, entries }) => `${terminal.color.bold(title)}\n${linesOf(entries)}`).join("\n\n"),
  );
  return exitCode.ok;
}

interface Line {
  readonly code: string;
  readonly severity: string;
  readonly rule: string;
}

function linesOf(entries: readonly Line[]): string {
  const width = Math.max(...entries.map(({ code }) => code.length));
  const line = ({ code, severity, rule }: Line): string =>
    `${code.padEnd(width)}  ${severity.padEnd(8)}  ${firstSentence(rule)}`;
  return entries.map(line).join("\n");
}

function firstSentence(rule: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(rule)?.[0] ?? rule;
}
