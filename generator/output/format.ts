import { availableParallelism } from "node:os";
import { format, type FormatConfig } from "oxfmt";
import { joinShortUnions } from "./union-layout.ts";

/** The project's style; a test holds it against `.oxfmtrc.json`. */
export const printWidth = 110;

const config: FormatConfig = {
  printWidth,
  sortImports: false,
  sortPackageJson: false,
  embeddedLanguageFormatting: "off",
};

const formatted = /\.(?:ts|js|mjs|cjs|json)$/;

/**
 * Lays out a file's text the way Prettier does. Files of other kinds are kept as their emitter printed them.
 * Throws for text that does not parse: that is an emitter's bug.
 */
export async function formatText(path: string, text: string): Promise<string> {
  if (!formatted.test(path)) return text;
  const code = await layOut(path, text);
  const joined = joinShortUnions(code, printWidth);
  // Formatting it again breaks the unions again, and nothing else: what looked like a union was one.
  return joined === code || (await layOut(path, joined)) === code ? joined : code;
}

/** How many texts are formatted at once: each takes a thread, and many times its size of memory. */
const formattedAtOnce = Math.min(4, availableParallelism());
let running = 0;
const waiting: (() => void)[] = [];

async function layOut(path: string, text: string): Promise<string> {
  if (running === formattedAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  const { code, errors } = await format(path, text, config).finally(() => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  });
  const [error] = errors;
  if (error !== undefined)
    throw new Error(`${path} does not parse: ${error.message}\n${error.codeframe ?? ""}`);
  return code;
}
