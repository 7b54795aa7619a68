import { catalogue } from "../../diagnostics/catalogue/index.ts";
import type { CatalogueEntry } from "../../diagnostics/entry.ts";
import { outputCodes } from "../../output/index.ts";
import { configCodes } from "../config-codes.ts";
import { exitCode } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";

type Explained = Pick<CatalogueEntry<never>, "severity" | "rule" | "wrong" | "right">;

const codes: Readonly<Record<string, Explained>> = { ...catalogue, ...outputCodes, ...configCodes };

/** `ledger-rpc explain`: the rule behind a code, with a wrong and a right example; without a code, the list of all. */
export function explain(code: string | undefined, terminal: Terminal, asJson: boolean): number {
  if (code === undefined) return list(terminal, asJson);
  const entry = Object.hasOwn(codes, code) ? codes[code] : undefined;
  if (entry === undefined) {
    terminal.note(`error: there is no code ${code}; \`ledger-rpc explain\` lists all`);
    return exitCode.usage;
  }
  const { severity, rule, wrong, right } = entry;
  if (asJson) {
    terminal.print(JSON.stringify({ code, severity, rule, wrong, right }, null, 2));
    return exitCode.ok;
  }
  const { color } = terminal;
  terminal.print(
    [
      `${color.bold(code)} (${severity})`,
      rule,
      `${color.red("Wrong:")}\n${indented(wrong)}`,
      `${color.green("Right:")}\n${indented(right)}`,
    ].join("\n\n"),
  );
  return exitCode.ok;
}

function list(terminal: Terminal, asJson: boolean): number {
  const entries = Object.entries(codes).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (asJson) {
    terminal.print(
      JSON.stringify(
        entries.map(([code, { severity, rule }]) => ({ code, severity, rule })),
        null,
        2,
      ),
    );
    return exitCode.ok;
  }
  const width = Math.max(...entries.map(([code]) => code.length));
  for (const [code, { severity, rule }] of entries)
    terminal.print(`${code.padEnd(width)}  ${severity.padEnd(7)}  ${firstSentence(rule)}`);
  return exitCode.ok;
}

function firstSentence(rule: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(rule)?.[0] ?? rule;
}

function indented(text: string): string {
  return text.trimEnd().replace(/^(?=.)/gm, "  ");
}
