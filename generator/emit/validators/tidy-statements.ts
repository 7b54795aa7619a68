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

export function tidyTests(code: string): string {
  return tests.reduce((tidied, [test, shorter]) => tidied.replaceAll(test, shorter), code);
}

/** An `if` that holds nothing but an `if` is one; counts and verdicts have names. */
export function tidyBranches(code: string): string {
  return code
    .replaceAll(
      /if\(([^\n|]*)\)\{\nif\(([^\n|]*)\)\{\n(fail\([^\n]*\);)\n\}\n\}\n(?!else)/g,
      "if($1 && $2){\n$3\n}\n",
    )
    .replaceAll(/var (_valid\d+) = (.*);\n(valid\d+) = \3 \|\| \1;\n/g, "$3 = $3 || $2;\n")
    .replaceAll(/(?<![.\w$])_errs(?=\d)/g, "before")
    .replaceAll(/(?<![.\w$])_valid(?=\d)/g, "fits");
}

/**
 * The conditions of our schemas ask for one property of an object and compare it with constants, which is one
 * JavaScript condition; Ajv counts errors to find out.
 */
export function tidyConditions(code: string): string {
  return code.replaceAll(counted, (...match) => {
    const { object, name, verdict, alias, aliased, equal, constant, compared } = groupsOf(match);
    const test = equal ?? `${constant} === ${compared}`;
    const comparison = alias === undefined ? test : test.replaceAll(alias, aliased ?? alias);
    return `${verdict ?? ""}if(isObject(${object}) && Object.hasOwn(${object}, ${name}) && (${comparison})){`;
  });
}

const counted = new RegExp(
  String.raw`const (?<start>before\d+) = errors\.length;
(?<verdict>let valid\d+ = true;\n)?const (?<before>before\d+) = errors\.length;
if\(isObject\((?<object>[^\n()]+)\)\)\{
if\(!Object\.hasOwn\(\k<object>, (?<name>§\d+§)\)\)\{
errors\.push\(null\);
\}
else \{
if\(Object\.hasOwn\(\k<object>, \k<name>\)\)\{
(?:const (?<alias>data\d+) = (?<aliased>.*);\n)?if\((?:!\((?<equal>.*)\)|(?<constant>\S+) !== (?<compared>.*))\)\{
errors\.push\(null\);
\}
\}
\}
\}
var (?<fits>fits\d+) = \k<before> === errors\.length;
errors\.length = \k<start>;
if\(\k<fits>\)\{`,
  "g",
);

function groupsOf(match: readonly unknown[]): Readonly<Record<string, string | undefined>> {
  const groups = match.at(-1);
  return typeof groups === "object" && groups !== null ? { ...groups } : {};
}

/** Three or more names that an object must have, as a list to go through. */
export function loopRequired(code: string): string {
  const run = new RegExp(
    `${missingCheck("([^\\n(),]+)", "([^\\n]*?)", "2")}(?:${missingCheck("\\1", "\\3", "5")}){2,}`,
    "g",
  );
  const constants: string[] = [];
  const body = code.replaceAll(run, (checks, object: string, _first, path: string, keyword: string) => {
    const names = [...checks.matchAll(/missingProperty: (§\d+§)/g)].map(([, name]) => name);
    const list = `required${constants.length}`;
    constants.push(`const ${list} = [${names.join(", ")}];\n`);
    return `for(const name of ${list}){\nif(!Object.hasOwn(${object}, name)){\nfail(errors, ${path}, ${keyword}, { missingProperty: name });\n}\n}\n`;
  });
  return constants.join("") + body;
}

/** What Ajv prints for a required property; the last parameter is the number of the group that holds its name. */
function missingCheck(object: string, path: string, name: string): string {
  return `if\\(!Object\\.hasOwn\\(${object}, (§\\d+§)\\)\\)\\{\\nfail\\(errors, ${path}, (§\\d+§), \\{ missingProperty: \\${name} \\}\\);\\n\\}\\n`;
}
