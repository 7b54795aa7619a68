import { readFileSync } from "node:fs";
import { repeatedName } from "../../conformance/response/repeated-name.ts";
import { visible } from "../../generator/language/diagnostics/index.ts";
import { jsonOf, shown, type Json } from "./index.ts";
import { lineColumnAt, sourceText } from "../../generator/language/source/index.ts";
import { plainYaml } from "../../generator/language/syntax/index.ts";

/** A JSON or, by the file's name, a YAML document; or, in one line, why it is neither. No object has a key twice. */
export function readDocumentFile(path: string): { readonly value: Json } | { readonly problem: string } {
  return documentOf(path, () => readFileSync(path, "utf8"));
}

/** The same of a text that is read elsewhere; by `path` it is JSON or YAML. */
export function documentOf(
  path: string,
  read: () => string,
): { readonly value: Json } | { readonly problem: string } {
  try {
    const text = read().replace(/^\uFEFF/, "");
    return { value: jsonOf(/\.ya?ml$/i.test(path) ? plainYaml(text) : plainJson(text)) };
  } catch (cause) {
    const [line = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    return { problem: visible(line.replace(/:$/, "")) };
  }
}

/** As `JSON.parse`, which takes the last value of a key that an object has twice. */
function plainJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const repeated = repeatedName(text);
  if (repeated === undefined) return value;
  const source = sourceText("", text);
  const [first, again] = [repeated.firstAt, repeated.at].map((offset) => {
    const { line, column } = lineColumnAt(source, offset);
    return `line ${line}, column ${column}`;
  });
  throw new SyntaxError(
    `the key \`${shown(repeated.name)}\` is written twice in one object, at ${first} and at ${again}`,
  );
}
