import { availableParallelism } from "node:os";
import { format, type FormatConfig } from "oxfmt";
import { widthMax } from "../print/layout.ts";

/** The project's style; a test holds it against `.oxfmtrc.json`. */
export const printWidth = widthMax;

/** An emitter printed code that does not parse. */
export class UnparsableDraft extends Error {
  override readonly name = "UnparsableDraft";
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

const config: FormatConfig = {
  printWidth,
  sortImports: false,
  sortPackageJson: false,
  embeddedLanguageFormatting: "off",
};

const formatted = /\.(?:ts|js|mjs|cjs|json)$/;
const codeBlock = /(?<=^```ts\n).*?(?=^```$)/gms;

/**
 * Lays out code, JSON, and the TypeScript on a page; other texts are kept as they are. Throws for code that does not
 * parse: that is an emitter's bug.
 */
export async function formatText(path: string, text: string): Promise<string> {
  if (formatted.test(path)) return await layOut(path, text);
  if (!path.endsWith(".md")) return text;
  const blocks = await Promise.all(
    [...text.matchAll(codeBlock)].map(([block]) => layOut(`${path}.mts`, block)),
  );
  return text.replaceAll(codeBlock, () => blocks.shift() ?? "");
}

/** How many texts are formatted at once: each takes a thread. */
const textsMax = Math.min(4, availableParallelism());
/** Of how many characters together: each takes many times its size of memory. A longer text is formatted alone. */
const charactersMax = 500_000;
let texts = 0;
let characters = 0;
const waiting: { readonly length: number; start(): void }[] = [];

async function layOut(path: string, text: string): Promise<string> {
  const { length } = text;
  await new Promise<void>((resolve) => {
    waiting.push({ length, start: resolve });
    startNext();
  });
  const { code, errors } = await format(path, text, config).finally(() => {
    texts -= 1;
    characters -= length;
    startNext();
  });
  const [error] = errors;
  if (error !== undefined)
    throw new UnparsableDraft(path, `${path} does not parse: ${error.message}\n${error.codeframe ?? ""}`);
  return code;
}

function startNext(): void {
  for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
    const fits = texts < textsMax && characters + next.length <= charactersMax;
    if (texts > 0 && !fits) return;
    waiting.shift();
    texts += 1;
    characters += next.length;
    next.start();
  }
}
