import { createRequire } from "node:module";
import { posix } from "node:path";
import type * as library from "marked";
import type { Marked, RendererObject, Token, Tokens } from "marked";
import type { Guide } from "../emitter.ts";
import { flowchartHtml } from "./flowchart.ts";
import { highlighted, languageOf } from "./code.ts";
import { nameParts } from "./prose.ts";

/** A guide as a page. */
export interface GuidePage {
  /** Below the folder of the site: `guides/getting-started.html`. */
  readonly path: string;
  readonly title: string;
  /** The first paragraph, as plain text. */
  readonly about: string;
  readonly sections: readonly GuideSection[];
  readonly html: string;
}

interface GuideSection {
  readonly name: string;
  readonly anchor: string;
  /** All that it says, as plain text. */
  readonly words: string;
}

/**
 * Renders guides. Markup of HTML is shown as text. Links that lead to no other guide and to no address stay text.
 */
export function guidePages(guides: readonly Guide[]): readonly GuidePage[] {
  const names = new Map(guides.map(({ path }) => [path, fileOf(path)]));
  return guides.map((guide) => guidePage(guide, names));
}

function guidePage({ path, text, pictures }: Guide, names: ReadonlyMap<string, string>): GuidePage {
  const marked = load(rendererOf(path, names, pictures));
  const tokens = marked.lexer(text);
  const sections = sectionsOf(tokens);
  const [title] = sections;
  const first = tokens.find(({ type }) => type === "paragraph");
  return {
    path: `guides/${fileOf(path)}`,
    title: title?.name ?? posix.basename(path, ".md"),
    about: first === undefined ? "" : plainText([first]),
    sections,
    html: marked.parser(tokens),
  };
}

function fileOf(path: string): string {
  return `${posix.basename(path, ".md").toLowerCase()}.html`;
}

/** A heading and what follows it, down to headings of the third rank. */
function sectionsOf(tokens: readonly Token[]): readonly GuideSection[] {
  const sections: { readonly heading: Tokens.Heading; readonly body: Token[] }[] = [];
  for (const token of tokens) {
    if (isHeading(token) && token.depth <= 3) sections.push({ heading: token, body: [] });
    else sections.at(-1)?.body.push(token);
  }
  return sections.map(({ heading, body }) => {
    const name = plainText(heading.tokens);
    return { name, anchor: slug(name), words: plainText(body) };
  });
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table";
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list";
}

function rendererOf(
  from: string,
  names: ReadonlyMap<string, string>,
  pictures: Guide["pictures"],
): RendererObject {
  let section = "";
  let pictureCount = 0;
  const labels = new Map<string, number>();
  /** The name of a table for screen readers: its section. */
  const labelOfTable = (): string => {
    const count = (labels.get(section) ?? 0) + 1;
    labels.set(section, count);
    return count === 1 ? `Table of ${section}` : `Table ${count} of ${section}`;
  };
  return {
    code({ text, lang }) {
      const picture = lang === "mermaid" ? flowchartHtml(text, (pictureCount += 1)) : undefined;
      if (picture !== undefined) return picture;
      const language = languageOf(lang ?? "");
      const html = language === undefined ? escaped(text) : highlighted(text, language);
      return `<pre tabindex="0"><code>${html}</code></pre>\n`;
    },
    heading({ tokens, depth }) {
      const text = plainText(tokens);
      section = text;
      const anchor = slug(text);
      const link =
        depth === 1 ? "" : ` <a class="anchor" href="#${anchor}" aria-label="Link to ${escaped(text)}">#</a>`;
      return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = targetOf(href, from, names);
      return target === undefined ? text : `<a href="${escaped(target)}">${text}</a>`;
    },
    image({ href, text }) {
      const file = pictures?.get(href);
      return file === undefined ? escaped(text) : `<img src="../${escaped(file)}" alt="${escaped(text)}">`;
    },
    html: ({ text }) => escaped(text),
    codespan: ({ text }) => `<code>${brokenWhereItMay(text)}</code>`,
    table({ header, rows }) {
      const cell = (tag: string, attributes: string, { tokens }: Tokens.TableCell): string =>
        `<${tag}${attributes}>${this.parser.parseInline(tokens)}</${tag}>`;
      const head = header.map((each) => cell("th", ' scope="col"', each)).join("");
      const body = rows
        .map((row) => {
          const cells = row.map((each, at) =>
            cell("td", ` data-title="${escaped(plainText(header[at]?.tokens ?? []))}"`, each),
          );
          return `<tr>${cells.join("")}</tr>\n`;
        })
        .join("");
      return `<div class="scroll" tabindex="0" role="region" aria-label="${escaped(labelOfTable())}"><table class="rows">\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body}</tbody>\n</table></div>\n`;
    },
  };
}

/** A name that is wider than a column of a small screen may break between its words. */
function brokenWhereItMay(text: string): string {
  return /^\S{21,}$/.test(text) ? nameParts(text).map(escaped).join("<wbr>") : escaped(text);
}

/** Where a link leads: to another guide, to a place of its own page, or to an address; undefined for any other. */
function targetOf(href: string, from: string, names: ReadonlyMap<string, string>): string | undefined {
  if (/^(?:https?:\/\/|#)/i.test(href)) return href;
  const [path = "", fragment] = href.split("#");
  const name = names.get(posix.join(posix.dirname(from), path));
  if (name === undefined) return undefined;
  return fragment === undefined ? name : `${name}#${fragment}`;
}

/** The anchor of a heading, as repositories on the web make it. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

function plainText(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join("").replaceAll(/\s+/g, " ").trim();
}

function wordsOf(token: Token): string {
  if (isTable(token))
    return [token.header, ...token.rows]
      .flat()
      .map(({ tokens }) => `${plainText(tokens)} `)
      .join("");
  if (isList(token)) return token.items.map((item) => `${plainText(item.tokens)} `).join("");
  if ("tokens" in token && token.tokens !== undefined) return `${token.tokens.map(wordsOf).join("")} `;
  return "text" in token && typeof token.text === "string"
    ? `${token.text}${token.type === "text" ? "" : " "}`
    : " ";
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Loaded with the first guide: most interfaces have none. */
function load(renderer: RendererObject): Marked {
  const loaded: typeof library = createRequire(import.meta.url)("marked");
  return new loaded.Marked({ renderer });
}
