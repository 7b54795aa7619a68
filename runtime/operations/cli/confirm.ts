import { createInterface } from "node:readline/promises";
import { UsageError } from "./startup-error.ts";

/** Asks to type `subject` again. Without a terminal nothing is asked: `--yes` has to be given. */
export async function confirmed(question: string, subject: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    throw new UsageError(`${question} No terminal can confirm this: give --yes to go on.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(`${question}\nType ${subject} to go on: `)).trim() === subject;
  } finally {
    terminal.close();
  }
}
