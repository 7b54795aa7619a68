import { readFileSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";

/**
 * Reads the arguments of a program. `--help` prints the comment at the head of its file. Arguments that it does not know
 * end it with 2.
 */
export function commandLine<T extends ParseArgsConfig>(
  file: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
    console.log(usageOf(file));
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** Ends the program with 2. */
export function refuse(why: string): never {
  console.error(`${why}\n--help says what can be asked for.`);
  process.exit(2);
}

function usageOf(file: string): string {
  const [, comment = ""] = /\/\*\*\n(.*?)\n \*\//s.exec(readFileSync(file, "utf8")) ?? [];
  return comment.replaceAll(/^ \* ?/gm, "");
}
