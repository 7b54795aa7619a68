import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseAllDocuments,
  type ParsedNode,
  type YAMLError,
} from "yaml";
import type { SourceText, Span } from "../source/index.ts";
import { createReporter, type Reporter, type Result } from "../diagnostics/index.ts";
import type { Entry, Node } from "./node.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import { oncePer } from "../source/once-per.ts";

/** Deepest nesting that is read; a spec needs about a dozen levels. */
const depthMax = 64;

/**
 * Reads a file as one YAML 1.2 document. No value if the file is empty or is not YAML. Other refused parts (anchors,
 * tags, repeated keys) are reported and read as well as possible. Each source is read once: `--watch` keeps the
 * sources that do not change.
 */
export const parseYaml = oncePer((source: SourceText): Result<Node> => {
  const reporter = createReporter();
  const root = parseDocument(source, reporter);
  return omitUndefined({ value: root, diagnostics: reporter.diagnostics });
});

function parseDocument(source: SourceText, reporter: Reporter): Node | undefined {
  const replaced = source.text.indexOf("\uFFFD");
  if (replaced !== -1) reporter.report("file-not-utf8", spanAt(source, replaced, replaced + 1), {});
  const documents = documentsOf(source.text);
  if (documents === undefined) {
    reporter.report("yaml-too-deep", spanAt(source, 0, 0), { depthMax });
    return undefined;
  }
  const [first, second] = documents;
  const broken = documents.flatMap((document) => document.errors)[0];
  if (broken !== undefined) {
    reportBroken(broken, source, reporter);
    return undefined;
  }
  if (second !== undefined) {
    reporter.report("yaml-multiple-documents", spanAt(source, second.range[0], second.range[0] + 3), {});
  }
  if (first === undefined || first.contents === null || isEmptyScalar(first.contents)) {
    reporter.report("file-empty", spanAt(source, 0, 0), {});
    return undefined;
  }
  return located(first.contents, source, reporter, 0);
}

/** At the last character that can be seen, where the file ends too early. */
function reportBroken(
  { pos: [start, end], code, message }: YAMLError,
  source: SourceText,
  reporter: Reporter,
): void {
  if (/call stack/.test(message)) {
    reporter.report("yaml-too-deep", spanAt(source, 0, 1), { depthMax });
    return;
  }
  const last = Math.max(0, trimmedEnd(source.text, 0, source.text.length) - 1);
  const span = start > last ? spanAt(source, last, last + 1) : spanAt(source, start, end);
  reporter.report("yaml-syntax", span, { reason: message, kind: code });
}

/** Undefined where brackets nest so deep that the parser, which recurses, runs out of stack. */
function documentsOf(text: string) {
  try {
    return parseAllDocuments<ParsedNode>(text, {
      prettyErrors: false,
      uniqueKeys: false,
      version: "1.2",
      merge: false,
      logLevel: "silent",
    });
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

function isEmptyScalar(node: unknown): boolean {
  return isScalar(node) && node.value === null && (node.source ?? "") === "";
}

function located(node: unknown, source: SourceText, reporter: Reporter, depth: number): Node {
  const span = spanOf(node, source);
  if (depth > depthMax) {
    reporter.report("yaml-too-deep", span, { depthMax });
    return { kind: "unreadable", span };
  }
  if (isAlias(node)) {
    reporter.report("yaml-anchor", span, { written: `*${node.source}` });
    return { kind: "unreadable", span };
  }
  if (isMap(node) || isSeq(node) || isScalar(node)) refuseProperties(node, span, reporter);
  if (isMap(node)) {
    const entries = entriesOf(node.items, span, source, reporter, depth);
    return { kind: "map", span, entries };
  }
  if (isSeq(node)) {
    const items = node.items.map((item: unknown) => located(item, source, reporter, depth + 1));
    return { kind: "list", span, items };
  }
  return scalarNode(isScalar(node) ? node.value : null, span, reporter);
}

/** Reports an anchor and a tag, each where it is written: before the node. */
function refuseProperties(
  node: { readonly anchor?: string | undefined; readonly tag?: string | undefined },
  span: Span,
  reporter: Reporter,
): void {
  const { anchor, tag } = node;
  if (anchor !== undefined)
    reporter.report("yaml-anchor", spanBefore(span, `&${anchor}`), { written: `&${anchor}` });
  if (tag !== undefined) {
    const written = tag.replace(/^tag:yaml\.org,2002:/, "!!");
    reporter.report("yaml-tag", spanBefore(span, written), { tag: written });
  }
}

function spanBefore(span: Span, written: string): Span {
  const start = span.source.text.lastIndexOf(written, span.start);
  return start === -1 ? span : spanAt(span.source, start, start + written.length);
}

function scalarNode(value: unknown, span: Span, reporter: Reporter): Node {
  if (typeof value === "number" && !Number.isFinite(value)) {
    reporter.report("number-not-finite", span, {});
    return { kind: "unreadable", span };
  }
  if (typeof value === "number" && !isExact(value, span)) {
    reporter.report("number-not-exact", span, { written: textOf(span) });
    return { kind: "unreadable", span };
  }
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return { kind: "scalar", span, value: isPlain ? value : null };
}

/** Whether a number is kept as it is written, and whether all whole numbers of its size would be. */
function isExact(value: number, span: Span): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const written = significant(textOf(span));
  return written === undefined || written === significant(String(value));
}

/** The digits of a decimal and where its point stands; undefined for what is written in another way. */
function significant(text: string): string | undefined {
  const [, whole = "", fraction = "", exponent = "0"] =
    /^[-+]?([0-9]*)\.?([0-9]*)(?:[eE]([-+]?[0-9]+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (whole === "" && fraction === "") return undefined;
  const power = Number(exponent) - fraction.length + (digits.length - kept.length);
  return kept === "" ? "0" : `${kept}e${power}`;
}

function textOf({ source, start, end }: Span): string {
  return source.text.slice(start, end);
}

function entriesOf(
  items: readonly unknown[],
  span: Span,
  source: SourceText,
  reporter: Reporter,
  depth: number,
): readonly Entry[] {
  const byKey = new Map<string, Entry>();
  for (const pair of items) {
    if (!isPair(pair)) continue;
    const keySpan = pair.key === null ? span : spanOf(pair.key, source);
    const key = isScalar(pair.key) ? keyText(pair.key.value, keySpan) : undefined;
    if (key === undefined) {
      reporter.report("yaml-key", keySpan, {});
      continue;
    }
    if (isScalar(pair.key)) refuseProperties(pair.key, keySpan, reporter);
    const earlier = byKey.get(key);
    if (earlier !== undefined) {
      reporter.report(
        "yaml-duplicate-key",
        keySpan,
        { key },
        { span: earlier.keySpan, message: "first here" },
      );
      continue;
    }
    const value: Node =
      pair.value === null
        ? { kind: "scalar", span: keySpan, value: null }
        : located(pair.value, source, reporter, depth + 1);
    byKey.set(key, { key, keySpan, value });
  }
  return [...byKey.values()];
}

/** A key as text: what is written where YAML would read a number or a truth value. */
function keyText(value: unknown, span: Span): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") {
    return span.source.text.slice(span.start, span.end);
  }
  return undefined;
}

function spanOf(node: unknown, source: SourceText): Span {
  const hasRange = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node);
  const [start, end] = (hasRange ? node.range : undefined) ?? [0, 0];
  return spanAt(source, start, trimmedEnd(source.text, start, end));
}

function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

function spanAt(source: SourceText, start: number, end: number): Span {
  return { source, start, end };
}
