import { formatFunctions, isStringFormat } from "../../print/string-formats.ts";
import type { MaskedStrings } from "./mask-strings.ts";

/** The functions that Ajv would load get the names they have in `support.js`. */
export function nameFormats(code: string, strings: MaskedStrings): string {
  const helpers = new Map<string, string>();
  for (const [, name = "", value = ""] of code.matchAll(/^const (\w+\d+) = (.*);$/gm)) {
    const helper = helperNamed(strings.restore(value));
    if (helper !== undefined) helpers.set(name, helper);
  }
  return code
    .replaceAll(/(?<![.\w$])(?:func|formats)\d+(?!\w)/g, (name) => helpers.get(name) ?? name)
    .replaceAll(/^const (\w+) = (?:require\(|formats|Object\.prototype).*;\n/gm, "");
}

function helperNamed(value: string): string | undefined {
  if (value === 'require("ajv/dist/runtime/ucs2length").default') return "length";
  if (value === 'require("ajv/dist/runtime/equal").default') return "equal";
  const format = /^formats(?:\.(\w+)|\["(.*)"\])$/.exec(value);
  const name = format?.[1] ?? format?.[2] ?? "";
  return isStringFormat(name) ? formatFunctions[name] : undefined;
}

/** Patterns as literals. */
export function patternLiterals(code: string, strings: MaskedStrings): string {
  return code.replaceAll(/new RegExp\((§\d+§), §\d+§\)/g, (_, masked: string) => {
    const source: unknown = JSON.parse(strings.restore(masked));
    return strings.mask(String(new RegExp(String(source), "u")));
  });
}

/** The values of an enum once, as a constant, in place of the schema they stand in and of a chain of comparisons. */
export function inlineAllowedValues(code: string, strings: MaskedStrings): string {
  const roots = new Map<string, unknown>();
  for (const [, name = "", value = ""] of code.matchAll(/^const (schema\d+) = (.*);$/gm)) {
    roots.set(name, JSON.parse(strings.restore(value)));
  }
  const constants = new Map<string, string>();
  const constantOf = (reference: string) => {
    const list = JSON.stringify(valueAt(strings.restore(reference), roots));
    const name = constants.get(list) ?? `allowed${constants.size}`;
    constants.set(list, name);
    return name;
  };
  const body = code
    .replaceAll(/^const schema\d+ = .*;\n/gm, "")
    .replaceAll(
      /if\(!\(\(*([\w$.[\]§]+) === .*\)\)\{\n(fail\(.*, \{ allowedValues: )(schema\d+.*?)( \}\);)\n/g,
      (_, value: string, opening: string, reference: string, closing: string) => {
        const name = constantOf(reference);
        return `if(!${name}.includes(${value})){\n${opening}${name}${closing}\n`;
      },
    );
  const declarations = [...constants].map(([list, name]) => `const ${name} = ${strings.mask(list)};\n`);
  return declarations.join("") + body;
}

/** The value that a reference such as `schema0.properties["a-b"].enum` means. */
function valueAt(reference: string, roots: ReadonlyMap<string, unknown>): unknown {
  const [root = "", ...steps] = [
    ...reference.matchAll(/^\w+|\.([\w$]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g),
  ].map(
    ([all, name, index, quoted]) =>
      name ?? index ?? (quoted === undefined ? all : String(JSON.parse(quoted))),
  );
  let value = roots.get(root);
  for (const step of steps) value = Object.entries(value ?? {}).find(([name]) => name === step)?.[1];
  if (!Array.isArray(value)) throw new Error(`${reference} is no list of allowed values`);
  return value;
}
