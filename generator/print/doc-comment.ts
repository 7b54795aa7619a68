import {
  align,
  fill,
  group,
  hardline,
  ifBreak,
  line,
  paragraphs,
  separated,
  softline,
  type Printable,
} from "./layout.ts";

/** Content of a doc comment. Every documented part of the model fits. */
export interface Remarks {
  readonly doc?: string | undefined;
  readonly section?: string | undefined;
  readonly decisions?: readonly string[] | undefined;
  readonly since?: string | undefined;
  readonly deprecated?: string | undefined;
  /** Code that shows how it is used, line by line as it is to be shown. */
  readonly usage?: string | undefined;
}

/**
 * The doc comment of a thing, followed by a line break; nothing where there is nothing to say. `@see` names the
 * section and the decisions it comes from. On one line if it fits there.
 */
export function docComment(remarks: Remarks): Printable {
  const prose = proseParagraphs(remarks.doc ?? "");
  const tags = tagsOf(remarks);
  const example = exampleLines(remarks.usage);
  if (prose.length + tags.length + example.length === 0) return "";
  const body = [
    paragraphs(prose),
    prose.length === 0 || tags.length + example.length === 0 ? "" : [softline, line],
    separated(hardline, [...tags, ...example]),
  ];
  return [group(["/**", align(" * ", [line, body]), line, ifBreak(" */", "*/")]), hardline];
}

/** A text as paragraphs, each wrapped where the line ends. */
function proseParagraphs(text: string): Printable[] {
  return text
    .split(/\r?\n[ \t]*\r?\n/)
    .map((paragraph) => words(escapeComment(paragraph)))
    .filter((paragraph) => paragraph.length > 0)
    .map((paragraph) => fill(separated(line, paragraph)));
}

/** Makes any text safe inside a doc comment: it ends no comment, opens no code span and starts no tag. */
export function escapeComment(text: string): string {
  const safe = text
    .replace(/[\p{Cc}\u2028\u2029\ufeff]/gu, " ")
    .replaceAll("*/", "*\\/")
    .replace(/(^|[^A-Za-z0-9_])@(?=[A-Za-z])/g, "$1\\@");
  const backticks = safe.split("`").length - 1;
  return backticks % 2 === 0 ? safe : safe.replaceAll("`", "\\`");
}

function tagsOf(remarks: Remarks): Printable[] {
  const sources = [
    ...(remarks.section === undefined ? [] : [`section ${escapeComment(remarks.section)}`]),
    ...(remarks.decisions ?? []).map(escapeComment),
  ];
  return [
    ...(sources.length === 0 ? [] : [tag("@see", sources.join(" · "))]),
    ...(remarks.since === undefined ? [] : [tag("@since", escapeComment(remarks.since))]),
    ...(remarks.deprecated === undefined ? [] : [tag("@deprecated", escapeComment(remarks.deprecated))]),
  ];
}

function exampleLines(code: string | undefined): string[] {
  return code === undefined ? [] : ["@example", "```ts", ...code.replaceAll("*/", "*\\/").split("\n"), "```"];
}

function tag(name: string, text: string): Printable {
  return fill(separated(line, [name, ...words(text)]));
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
