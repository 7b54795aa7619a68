import { textOfFile } from "./hand-files.ts";

/**
 * Whether a file exports a name. A text that plainly does, or that cannot be read, is not parsed: the parser takes
 * longer to load than the rest of a run.
 */
export async function exportsName(bytes: Buffer, name: string): Promise<boolean> {
  const text = textOfFile(bytes);
  if (exportsByName(bytes, name) || /\bexport\s*\*/.test(text)) return true;
  if (!text.includes(name) && !text.includes("\\u")) return false;
  const [{ parseModule }, { exportedNames }] = await Promise.all([
    import("./parse-module.ts"),
    import("./exported-names.ts"),
  ]);
  const file = parseModule(text.replace(/^\uFEFF/, ""));
  return file === undefined || exportedNames(file).includes(name);
}

/** Whether a text plainly exports a name, as far as can be found without parsing. */
export function exportsByName(bytes: Buffer, name: string): boolean {
  // A name holds no other character that means something in an expression; Node 22 has no RegExp.escape.
  const word = `(?<![\\p{ID_Continue}$])${name.replaceAll("$", String.raw`\$`)}(?![\\p{ID_Continue}$])`;
  return new RegExp(
    `\\bexport\\s+(?:(?:const|let|var|async|function\\*?)\\s+)*(?:\\{[^}]*)?${word}`,
    "u",
  ).test(textOfFile(bytes));
}
