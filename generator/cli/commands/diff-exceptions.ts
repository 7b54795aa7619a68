import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { diagnosticOf, type Diagnostic, type Result } from "../../language/diagnostics/index.ts";
import { isAbout, rules, type DiffException, type SpecDiff } from "../../diff/index.ts";
import { sourceText, type Span } from "../../language/source/index.ts";
import { closest } from "../../../conformance/base/closest.ts";
import { parseYaml, type MapNode, type Node } from "../../language/syntax/index.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";

const exceptionsFile = "diff-exceptions.yaml";

/** An exception and where it is written. */
export interface LocatedException {
  readonly exception: DiffException;
  readonly span: Span;
}

/** The file of exceptions: the one given from a folder, or the one beside the config. Undefined where a given one is not there. */
export function findExceptions(root: string, cwd: string, given: string | undefined): string | undefined {
  if (given === undefined) return join(root, exceptionsFile);
  const path = resolve(cwd, given);
  return existsSync(path) ? path : undefined;
}

/** Reads the exceptions, whose file is named from a folder; none where there is no file. Every mistake is reported, with its place. */
export function loadExceptions(path: string, cwd: string): Result<readonly LocatedException[]> {
  if (!existsSync(path)) return { value: [], diagnostics: [] };
  const name = relative(cwd, path).replaceAll(sep, "/");
  const { value: root, diagnostics: syntax } = parseYaml(sourceText(name, readFileSync(path, "utf8")));
  // An empty file accepts nothing, which is no mistake.
  if (root === undefined)
    return { value: [], diagnostics: syntax.filter(({ code }) => code !== "file-empty") };
  if (root.kind !== "list") return { diagnostics: [...syntax, shape(root.span, "an item of a list")] };
  const read = root.items.map(readException);
  const diagnostics = [...syntax, ...read.flatMap((each) => each.diagnostics)];
  return { value: read.flatMap(({ value }) => value ?? []), diagnostics };
}

const keys = ["fingerprint", "rule", "path", "spec", "reason"];

function readException(node: Node): Result<LocatedException> {
  if (node.kind !== "map") return { diagnostics: [shape(node.span, "a mapping")] };
  const unknown = node.entries.filter(({ key }) => !keys.includes(key));
  const diagnostics: Diagnostic[] = unknown.map(({ key, keySpan }) =>
    diagnosticOf(
      "exception-unknown-key",
      { key, known: keys, suggestion: closest(key, keys) },
      { span: keySpan },
    ),
  );
  const at = (key: string): string | undefined => textAt(node, key);
  const [fingerprint, rule, path, reason, spec] = [
    at("fingerprint"),
    at("rule"),
    at("path"),
    at("reason"),
    at("spec"),
  ];
  const span = node.entries[0]?.keySpan ?? node.span;
  if (reason === undefined) diagnostics.push(diagnosticOf("exception-without-reason", {}, { span }));
  if (rule !== undefined && !rules.has(rule)) {
    const suggestion = closest(rule, rules.keys());
    diagnostics.push(
      diagnosticOf("exception-unknown-rule", { rule, suggestion }, { span: spanAt(node, "rule") }),
    );
  }
  const isByRule = rule !== undefined && path !== undefined;
  if (
    (fingerprint === undefined) === !isByRule ||
    (fingerprint !== undefined && (rule ?? path) !== undefined)
  ) {
    diagnostics.push(shape(span, "about one change: give its `fingerprint`, or `rule` and `path`"));
  }
  if (diagnostics.length > 0 || reason === undefined) return { diagnostics };
  const about = fingerprint === undefined ? { rule: rule ?? "", path: path ?? "" } : { fingerprint };
  return {
    value: { exception: omitUndefined({ ...about, reason, spec }), span },
    diagnostics,
  };
}

function shape(span: Span, wanted: string): Diagnostic {
  return diagnosticOf("exception-shape", { wanted }, { span });
}

/** The text of a key; a fingerprint of digits only is text all the same. */
function textAt(node: MapNode, key: string): string | undefined {
  const value = node.entries.find((entry) => entry.key === key)?.value;
  if (value?.kind !== "scalar" || value.value === null) return undefined;
  const written =
    typeof value.value === "string"
      ? value.value
      : value.span.source.text.slice(value.span.start, value.span.end);
  return written.trim() === "" ? undefined : written.trim();
}

function spanAt(node: MapNode, key: string): Span {
  return node.entries.find((entry) => entry.key === key)?.value.span ?? node.span;
}

/** The changes with the exceptions that are about them, and the exceptions that are about none. */
export function withExceptions(
  specs: readonly SpecDiff[],
  exceptions: readonly LocatedException[],
  isWhole: boolean,
): { readonly specs: readonly SpecDiff[]; readonly stale: readonly Diagnostic[] } {
  const used = new Set<LocatedException>();
  const accepted = specs.map((spec) => ({
    ...spec,
    changes: spec.changes.map((change) => {
      const found = exceptions.filter(({ exception }) => isAbout(exception, spec.name, change));
      for (const each of found) used.add(each);
      return found[0] === undefined ? change : { ...change, exception: found[0].exception.reason };
    }),
  }));
  const names = specs.map(({ name }) => name);
  const stale = exceptions.filter(
    (each) =>
      !used.has(each) &&
      (isWhole || (each.exception.spec !== undefined && names.includes(each.exception.spec))),
  );
  return { specs: accepted, stale: stale.map(staleDiagnostic) };
}

function staleDiagnostic({ exception, span }: LocatedException): Diagnostic {
  const what =
    "fingerprint" in exception
      ? `\`${exception.fingerprint}\``
      : `\`${exception.rule}\` at \`${exception.path}\``;
  return diagnosticOf("exception-stale", { what }, { span });
}
