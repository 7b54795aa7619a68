import type { AjvSource } from "./ajv-source.ts";
import { formatFunctions, isStringFormat } from "../../print/string-formats.ts";
import { maskStrings, type MaskedStrings } from "./mask-strings.ts";

/**
 * Ajv's standalone code as a person would have written it: one list of errors that is passed down, named functions
 * in place of repeated expressions, no schema text, no `require`. Its last function is `check(data, path, errors)`.
 * It reports the same errors in the same order, less what nobody reads: `schemaPath`, and the `if` error that only
 * says that another error stands beside it.
 *
 * Works on the fixed lines that the pinned Ajv prints, with string literals masked, so that no text of a spec can
 * look like code. A line that it does not know stops it with an exception.
 */
export function tidySource(source: AjvSource): string {
  const strings = maskStrings(source.code);
  let code = nameFunctions(strings.masked, source);
  for (const step of [tidyErrors, tidyTests, nameFormats, patternLiterals, inlineAllowedValues]) {
    code = step(code, strings);
  }
  const functions = code.split(/^(?=function )/m).map(dropUnused);
  const tidied = functions.join("").trim();
  refuseUnknown(tidied);
  return strings.restore(tidied);
}

/** `validate12(data, {…context})`, which returns its errors on itself, becomes `checkAddress(data, path, errors)`. */
function nameFunctions(code: string, source: AjvSource): string {
  const names = new Map([...source.definitionFunctions, [source.rootFunction, ""]]);
  for (const [, wrapper = "", target = ""] of code.matchAll(
    /^const (wrapper\d+) = \{validate: (\w+)\};$/gm,
  )) {
    names.set(`${wrapper}.validate`, names.get(target) ?? "");
  }
  return code
    .replace(/^.*;\nexport const validate = \w+;\nexport default \w+;\n/, "")
    .replaceAll(/^const wrapper\d+ = .*;\n/gm, "")
    .replaceAll(/(?<![.\w$])(?:wrapper\d+\.)?validate\d*(?!\w)/g, (name) => `check${names.get(name) ?? name}`)
    .replaceAll(
      /function ([\p{ID_Continue}$]+)\(data, \{instancePath=[^}]*\}=\{\}\)\{\nlet vErrors = null;\nlet errors = 0;\n/gu,
      "function $1(data, path, errors) {\n",
    )
    .replaceAll(/^[\p{ID_Continue}$]+\.errors = vErrors;\nreturn errors === 0;\n/gmu, "")
    .replaceAll(
      /if\(!\(([\p{ID_Continue}$]+)\((.*?), \{instancePath(?::(.*?))?,parentData.*\}\)\)\)\{\nvErrors = .*;\nerrors = vErrors\.length;\n\}/gu,
      (_, name: string, value: string, path: string | undefined) =>
        `${name}(${value}, ${path ?? "path"}, errors);`,
    )
    .replaceAll(/(?<![.\w$])instancePath:/g, "at:")
    .replaceAll(/(?<![.\w$])instancePath(?!\w)/g, "path");
}

/** Errors go into a list, in place of a list or null and a count. */
function tidyErrors(code: string, strings: MaskedStrings): string {
  return code
    .replaceAll(
      /const (err\d+) = \{(.*)\};\nif\(vErrors === null\)\{\nvErrors = \[\1\];\n\}\nelse \{\nvErrors\.push\(\1\);\n\}\nerrors\+\+;\n/g,
      (_, _name: string, error: string) => errorStatement(error, strings),
    )
    .replaceAll(
      /errors = (_errs\d+);\nif\(vErrors !== null\)\{\nif\(\1\)\{\nvErrors\.length = \1;\n\}\nelse \{\nvErrors = null;\n\}\n\}\n/g,
      "errors.length = $1;\n",
    )
    .replaceAll(/((?:const _errs\d+ =|_errs\d+ ===) errors);/g, "$1.length;")
    .replaceAll(
      /var _valid\d+ = .*;\n(valid\d+) = _valid\d+;\n\}\nif\(!\1\)\{\nbesideAnotherError;\n\}\n/g,
      "}\n",
    );
}

function errorStatement(error: string, strings: MaskedStrings): string {
  // Inside a condition only the number of errors matters.
  if (error === "") return "errors.push(null);\n";
  const known = /^(?:at:(.*)|path),schemaPath:.*,keyword:(§\d+§),params:\{(.*)\}$/.exec(error);
  if (known === null) throw new Error(`Ajv prints an error in a new way: ${strings.restore(error)}`);
  const [, path = "path", keyword = "", params = ""] = known;
  if (keyword === strings.placeholder("if")) return "besideAnotherError;\n";
  return `fail(errors, ${path}, ${keyword}, { ${params} });\n`;
}

/** Ajv's long tests as the functions that mean the same. `E` stands for an expression without blanks or calls. */
const tests = (
  [
    [/\(E === undefined\) \|\| \(!\(func\d+\.call\((E), (§\d+§)\)\)\)/, "!Object.hasOwn($1, $2)"],
    [/E !== undefined && func\d+\.call\((E), (§\d+§)\)/, "Object.hasOwn($1, $2)"],
    [/\((!Object\.hasOwn\([^()]*\))\) && \(missing\d+ = §\d+§\)/, "$1"],
    [/^let missing\d+;\n/, ""],
    [/(E) && typeof \1 == §\d+§ && !Array\.isArray\(\1\)/, "isObject($1)"],
    [
      /!\(\(\(typeof (E) == §\d+§\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)\) && \(isFinite\(\1\)\)\)/,
      "!Number.isInteger($1)",
    ],
    [/\(typeof (E) == §\d+§\) && \(isFinite\(\1\)\)/, "Number.isFinite($1)"],
    [/ \|\| isNaN\(E\)\)/, ")"],
    [/^let (data\d+|item\d+) = /, "const $1 = "],
    [/^const (indices\d+) = \{\};$/, "const $1 = Object.create(null);"],
  ] as const
).map(
  ([test, shorter]) => [new RegExp(test.source.replaceAll("E", "[\\w$.[\\]§]+"), "gm"), shorter] as const,
);

function tidyTests(code: string): string {
  return tests.reduce((tidied, [test, shorter]) => tidied.replaceAll(test, shorter), code);
}

function nameFormats(code: string, strings: MaskedStrings): string {
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

function patternLiterals(code: string, strings: MaskedStrings): string {
  return code.replaceAll(/new RegExp\((§\d+§), §\d+§\)/g, (_, masked: string) => {
    const source: unknown = JSON.parse(strings.restore(masked));
    return strings.mask(String(new RegExp(String(source), "u")));
  });
}

/** The values of an enum once, as a constant, in place of the schema they stand in and of a chain of comparisons. */
function inlineAllowedValues(code: string, strings: MaskedStrings): string {
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

/** Drops the declarations that the other steps left without a use. */
function dropUnused(code: string): string {
  const unused = [...code.matchAll(/^(?:const|let) (_errs\d+|valid\d+)\b.*;\n/gm)].find(
    ([, name = ""]) => code.split(new RegExp(`\\b${name}\\b`)).length === 2,
  );
  return unused === undefined ? code : dropUnused(code.replace(unused[0], ""));
}

function refuseUnknown(code: string): void {
  const unknown =
    /(?<![.\w$])(?:vErrors|instancePath|schemaPath|rootData|parentData|besideAnotherError|require|(?:err|func|schema|wrapper|formats|missing|validate)\d+)\b.*/.exec(
      code,
    );
  if (unknown !== null) throw new Error(`Ajv prints something new: ${unknown[0]}`);
}
