import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../..");

/** A regular expression and where it is first written. */
export interface FoundExpression {
  /** As a literal: `/a+/u`. */
  readonly literal: string;
  readonly place: string;
}

export interface FoundExpressions {
  readonly literals: readonly FoundExpression[];
  /** Calls of `RegExp` with anything but a text, as they are written. */
  readonly made: readonly FoundExpression[];
}

/** What callers, receivers of events and services under test can send texts to. */
const sources = [
  "{ledger,runtime}/**/*.ts",
  "generated/**/*.{ts,js}",
  "templates/client/**/*.{hbs,ts}",
  "conformance/**/*.ts",
];
const schemas = ["generated/**/*.json", "spec/**/*.json"];

/** Every regular expression of the sources, of the schemas' `pattern`s and of the specs' ones, each once. */
export function foundExpressions(): FoundExpressions {
  const literals = new Map<string, string>();
  const made = new Map<string, string>();
  const note = (found: Map<string, string>, text: string, place: string): void => {
    if (!found.has(text)) found.set(text, place);
  };
  for (const file of files(sources)) {
    const source = textOf(file);
    if (!mayHaveExpressions(source)) continue;
    for (const { kind, text, line } of expressionsIn(source)) {
      note(kind === "literal" ? literals : made, text, `${file}:${line}`);
    }
  }
  for (const file of files(schemas)) {
    for (const pattern of patternsIn(JSON.parse(textOf(file))))
      note(literals, String(new RegExp(pattern, "u")), file);
  }
  for (const file of files(["spec/**/*.yaml"])) {
    const text = textOf(file);
    for (const pattern of text.includes("pattern") ? patternsIn(parse(text)) : [])
      note(literals, String(new RegExp(pattern, "u")), file);
  }
  const listed = (found: Map<string, string>) =>
    [...found]
      .map(([literal, place]) => ({ literal, place }))
      .toSorted((a, b) => (a.literal < b.literal ? -1 : 1));
  return { literals: listed(literals), made: listed(made) };
}

function files(patterns: readonly string[]): readonly string[] {
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((file) => file.replaceAll("\\", "/"));
}

/** Without the marks of a template, so that it reads as TypeScript, more or less. */
function textOf(file: string): string {
  const text = readFileSync(join(root, file), "utf8");
  return file.endsWith(".hbs") ? text.replaceAll(/\{\{[^}]*\}\}/g, "") : text;
}

const stringsAndComments = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\/|\/\/.*/g;

/** False only where no slash is left to begin a literal: most sources have none, and parsing is slow. */
function mayHaveExpressions(text: string): boolean {
  return text.includes("RegExp") || text.replaceAll(stringsAndComments, "").includes("/");
}

interface Expression {
  readonly kind: "literal" | "made";
  readonly text: string;
  readonly line: number;
}

function expressionsIn(text: string): readonly Expression[] {
  const found: Expression[] = [];
  const file = ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    const note = (kind: Expression["kind"], written: string) =>
      found.push({
        kind,
        text: written,
        line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1,
      });
    if (ts.isRegularExpressionLiteral(node)) note("literal", node.text);
    else if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && isRegExp(node.expression)) {
      const [source, flags] = node.arguments ?? [];
      const isText = source !== undefined && ts.isStringLiteralLike(source);
      const isFlagged = flags === undefined || ts.isStringLiteralLike(flags);
      if (isText && isFlagged) note("literal", String(new RegExp(source.text, flags?.text ?? "")));
      else note("made", node.getText(file));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isRegExp(expression: ts.Expression): boolean {
  return ts.isIdentifier(expression) && expression.text === "RegExp";
}

/** The texts under `pattern` at any depth, and the names under `patternProperties`. */
function patternsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(patternsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === "pattern" && typeof part === "string") return [part];
    if (name === "patternProperties") return [...Object.keys(Object(part)), ...patternsIn(part)];
    return patternsIn(part);
  });
}
