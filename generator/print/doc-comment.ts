import type { Printable } from "./layout.ts";

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
  const isShort = prose.length <= 1 && tags.length <= 1 && example.length === 0;
  const short = `/** ${[...prose, ...tags].flat().join(" ")} */`;
  const textWithin = (columns: number): string => {
    if (isShort && short.length <= columns) return short;
    const rest = [...tags.map((tag) => wrapped(tag, columns)), ...example.map((line) => [line])].flat();
    const blocks = [...prose.map((paragraph) => wrapped(paragraph, columns)), rest];
    const said = blocks.filter((block) => block.length > 0);
    const body = said.flatMap((block, at) => (at === 0 ? block : ["", ...block]));
    return ["/**", ...body.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
  };
  return [{ kind: "comment", textWithin }, "\n"];
}

/** Words as lines of a comment. */
function wrapped(words: readonly string[], columns: number): readonly string[] {
  const found: string[] = [];
  for (const word of words) {
    const longer = `${found.at(-1) ?? ""} ${word}`;
    if (found.length > 0 && longer.length <= columns - " * ".length) found[found.length - 1] = longer;
    else found.push(word);
  }
  return found;
}

/** The words of each paragraph of a text. */
function proseParagraphs(text: string): readonly (readonly string[])[] {
  return text
    .split(/\r?\n[ \t]*\r?\n/)
    .map((paragraph) => wordsOf(escapeComment(paragraph)))
    .filter((paragraph) => paragraph.length > 0);
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

function tagsOf(remarks: Remarks): readonly (readonly string[])[] {
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

function tag(name: string, text: string): readonly string[] {
  return [name, ...wordsOf(text)];
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
