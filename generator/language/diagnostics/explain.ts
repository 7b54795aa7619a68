import { codes } from "./codes/index.ts";
import type { Severity } from "./diagnostic.ts";
import type { Code } from "./report.ts";
import { createColors } from "./colors.ts";

/** The explanation of a code. */
export interface Explanation {
  readonly code: string;
  readonly severity: Severity;
  readonly rule: string;
  readonly wrong: string;
  readonly right: string;
}

/** Every code, by name. */
export const allCodes: readonly Code[] = Object.keys(codes).filter(isCode).toSorted();

function isCode(code: string): code is Code {
  return Object.hasOwn(codes, code);
}

/** The rule behind a code, with an example; undefined where there is no such code. */
export function explain(code: string): Explanation | undefined {
  if (!isCode(code)) return undefined;
  const { severity, rule, wrong, right } = codes[code];
  return { code, severity, rule, wrong, right };
}

/** An explanation as text, without a line break at the end. */
export function renderExplanation(
  explanation: Explanation,
  options: { readonly color?: boolean } = {},
): string {
  const colors = createColors(options.color ?? false);
  const { code, severity, rule, wrong, right } = explanation;
  return [
    `${colors.bold(code)} (${severity})`,
    "",
    wrapped(rule),
    "",
    colors.red("Wrong:"),
    indented(wrong),
    "",
    colors.green("Right:"),
    indented(right),
  ].join("\n");
}

const widthMax = 92;

/** A paragraph, broken between words. */
export function wrapped(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > widthMax) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}

/** An example, set off from the text around it. */
export function indented(example: string): string {
  return example.trimEnd().replaceAll(/^(?=.)/gm, "    ");
}
