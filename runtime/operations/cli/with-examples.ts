import type { Command } from "commander";

/** Lines end here, or at the end of a word. */
const width = 78;

/**
 * Ends a command's help with examples, each a line or its parts, which are wrapped. A mistake in the use of the command
 * shows the first one. `words` is the command as it is typed.
 */
export function withExamples(
  command: Command,
  words: string,
  ...examples: readonly (string | readonly string[])[]
): Command {
  const [first, ...others] = examples;
  if (first === undefined) return command.showHelpAfterError(hint(words));
  const lines = examples.map((parts) => wrapped(typeof parts === "string" ? [parts] : parts));
  return command
    .addHelpText("after", `\nExample${others.length === 0 ? "" : "s"}:\n${lines.join("\n")}`)
    .showHelpAfterError(exampleAfterError(words, first));
}

/** The lines after an error in the use of a command. */
export function exampleAfterError(words: string, example: string | readonly string[]): string {
  const parts = typeof example === "string" ? [example] : example;
  return `For example:\n${wrapped(parts)}\n${hint(words)}`;
}

function hint(words: string): string {
  return `(${words} --help shows what there is)`;
}

/** Parts of a command on as many lines as they need, which a shell reads as one. */
function wrapped(parts: readonly string[]): string {
  const lines: string[] = [];
  for (const part of parts) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${part}`.length <= width) lines[lines.length - 1] = `${line} ${part}`;
    else lines.push(lines.length === 0 ? `  ${part}` : `    ${part}`);
  }
  return lines.join(" \\\n");
}
