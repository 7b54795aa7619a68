import { Help } from "commander";

/** Beside wider flags, 80 columns leave too few for a text. */
const besideMax = 36;

/**
 * An entry of a command's help: text beside its flag, or below a long flag. Every line fits a terminal.
 */
export function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  if (termWidth <= besideMax) {
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  }
  const text = helper.boxWrap(description, (helper.helpWidth ?? 80) - 6);
  return [`  ${term}`, ...text.split("\n").map((line) => `      ${line}`)].join("\n");
}
