import type { AjvSource } from "./ajv-source.ts";
import { maskStrings, type MaskedStrings } from "./mask-strings.ts";
import { inlineAllowedValues, nameFormats, patternLiterals } from "./tidy-constants.ts";
import { loopRequired, tidyBranches, tidyConditions, tidyTests } from "./tidy-statements.ts";

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
  for (const step of [
    tidyErrors,
    tidyTests,
    tidyBranches,
    tidyConditions,
    nameFormats,
    patternLiterals,
    inlineAllowedValues,
    loopRequired,
  ]) {
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

/** Drops the declarations that the other steps left without a use. */
function dropUnused(code: string): string {
  const unused = [...code.matchAll(/^(?:const|let) (before\d+|valid\d+)\b.*;\n/gm)].find(
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
