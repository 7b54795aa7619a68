import { readFileSync, existsSync, realpathSync, statSync } from "node:fs";
import { repeatedName } from "../../conformance/response/body-findings.ts";
import { visible } from "../../generator/language/diagnostics/index.ts";
import { jsonOf, shown, type Json, type ReadExternal } from "./index.ts";
import { lineColumnAt, sourceText } from "../../generator/language/source/index.ts";
import { plainYaml } from "../../generator/language/syntax/index.ts";
import { join, sep } from "node:path";

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

/** Where the documents are whose addresses begin with a prefix. */
export interface ReferenceFolder {
  readonly prefix: string;
  /** Absolute. */
  readonly folder: string;
}

const bytesMax = 32 * 1024 * 1024;

/** Reads what `$ref` names from the folders given, and nothing outside them, be it by `..` or by a symbolic link. */
export function externalReader(folders: readonly ReferenceFolder[]): ReadExternal {
  const longestFirst = folders.toSorted((a, b) => b.prefix.length - a.prefix.length);
  return (uri) => {
    const known = longestFirst.find(({ prefix }) => uri.startsWith(prefix));
    const shown = JSON.stringify(uri.slice(0, 80));
    if (known === undefined) {
      return {
        problem: `it refers to another document, ${shown}: say where it is, \`--ref <prefix>=<folder>\``,
      };
    }
    const path = join(known.folder, decoded(uri.slice(known.prefix.length)));
    if (path.includes("\0") || !existsSync(path))
      return { problem: `${shown} is not in the folder given for \`${known.prefix}\`` };
    const real = realpathSync(path);
    if (!real.startsWith(realpathSync(known.folder) + sep)) {
      return { problem: `${shown} leads out of the folder given for \`${known.prefix}\`` };
    }
    if (!statSync(real).isFile() || statSync(real).size > bytesMax)
      return { problem: `${shown} is no file of at most 32 MiB` };
    const read = readDocumentFile(real);
    return "problem" in read
      ? { problem: `${shown} cannot be read: ${read.problem}` }
      : { uri, document: read.value };
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
