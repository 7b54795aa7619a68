import {
  allCodes,
  explain as explainSpecCode,
  renderExplanation,
  type Explanation,
} from "../../diagnostics/index.ts";
import { closest } from "../../spec/closest.ts";
import { outputCodes } from "../../output/index.ts";
import { configCodes } from "../config-codes.ts";
import { exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";

/** `ledger-rpc explain`: the rule behind a code, with a wrong and a right example; without a code, the list of all. */
export function explain(code: string | undefined, terminal: Terminal, asJson: boolean): number {
  const explanations = allExplanations();
  if (code === undefined) return list([...explanations.values()], terminal, asJson);
  const explanation = explanations.get(code);
  if (explanation === undefined) {
    const suggestion = closest(code, explanations.keys());
    const hint = suggestion === undefined ? "" : `\n(Did you mean ${suggestion}?)`;
    terminal.note(`error: unknown code '${code}'${hint}\nRun \`ledger-rpc explain\` to see all codes.`);
    return exitCode.usage;
  }
  const color = terminal.color.isColorSupported;
  terminal.print(asJson ? JSON.stringify(explanation, null, 2) : renderExplanation(explanation, { color }));
  return exitCode.ok;
}

function allExplanations(): ReadonlyMap<string, Explanation> {
  const own = Object.entries({ ...outputCodes, ...configCodes }).map(
    ([code, { severity, rule, wrong, right }]) => ({
      code,
      severity,
      rule,
      wrong,
      right,
    }),
  );
  const spec = allCodes.map(explainSpecCode).filter((explanation) => explanation !== undefined);
  const sorted = [...spec, ...own].toSorted((a, b) => (a.code < b.code ? -1 : 1));
  return new Map(sorted.map((explanation) => [explanation.code, explanation]));
}

function list(explanations: readonly Explanation[], terminal: Terminal, asJson: boolean): number {
  if (asJson) {
    const codes = explanations.map(({ code, severity, rule }) => ({ code, severity, rule }));
    terminal.print(JSON.stringify(codes, null, 2));
    return exitCode.ok;
  }
  const width = Math.max(...explanations.map(({ code }) => code.length));
  for (const { code, severity, rule } of explanations)
    terminal.print(`${code.padEnd(width)}  ${severity.padEnd(7)}  ${firstSentence(rule)}`);
  return exitCode.ok;
}

function firstSentence(rule: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(rule)?.[0] ?? rule;
}
