import { copyTemplate, fillTemplate } from "../../print/template.ts";
import { escapedCode, highlighted, type CodeHtml, type CodeLanguage } from "./code.ts";

/** A program before its values are known. */
export interface ProgramTemplate {
  readonly id: string;
  readonly language: string;
  /** How it is run. */
  readonly command: string;
  readonly code: CodeLanguage;
  /** Below `templates/reference/snippets`. */
  readonly file: string;
}

/** A program in one of several languages. */
export interface Snippet extends ProgramTemplate {
  readonly values: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A program as a page shows it. */
export interface ShownProgram extends Pick<Snippet, "id" | "language" | "command"> {
  readonly html: CodeHtml;
}

export function filledPrograms(
  templates: readonly ProgramTemplate[],
  values: Readonly<Record<string, string>>,
): readonly Snippet[] {
  return templates.map((template) => {
    return { ...template, values, text: fillTemplate(folder + template.file, values) };
  });
}

const folder = "reference/snippets/";

/** Shows the programs of a site: the template of a program is highlighted once, each of its values where it stands. */
export function programsShown(): (programs: readonly Snippet[]) => readonly ShownProgram[] {
  const known = new Map<string, readonly string[]>();
  const partsOf = (template: ProgramTemplate): readonly string[] => {
    const parts = known.get(template.file) ?? highlightedParts(template);
    known.set(template.file, parts);
    return parts;
  };
  return (programs) =>
    programs.map((program) => {
      const { id, language, command } = program;
      return { id, language, command, html: filledHtml(partsOf(program), program) };
    });
}

/** A template in HTML: at odd places, names of values. They stand in characters that mean nothing in any language. */
function highlightedParts({ code, file }: ProgramTemplate): readonly string[] {
  const text = copyTemplate(`${folder}${file}.hbs`).replaceAll(/\{\{(\w+)\}\}/g, "\uE000$1\uE000");
  return highlighted(text, code).split("\uE000");
}

/** The HTML of a program: a value is highlighted where it is code, and escaped within a text. */
function filledHtml(parts: readonly string[], { code, values }: Snippet): CodeHtml {
  let open = 0;
  return parts
    .map((part, at) => {
      if (at % 2 === 0) {
        open += part.split("<span").length - part.split("</span").length;
        return part;
      }
      const value = values[part] ?? "";
      return open > 0 ? escapedCode(value) : highlighted(value, code);
    })
    .join("");
}

/** JSON as a text literal of TypeScript and Python, with the quotes of JSON as they are. */
export function scriptText(json: string): string {
  return `'${json.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

/** JSON as a text literal of TypeScript, Python, Java and Go. JSON of a text is one, too. */
export function quoted(json: string): string {
  return JSON.stringify(json);
}

/** JSON in which no character hides, turns the line, or is refused by one of the languages. */
export function bodyText(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** The programs of each operation, by the name of its page. The first of each stands in the page. */
export type ProgramsByPage = ReadonlyMap<string, readonly ShownProgram[]>;

/** The first program of a page, and names for the others, which the script fills in. */
export function shownPrograms([first, ...others]: readonly ShownProgram[], page: string): readonly object[] {
  if (first === undefined) return [];
  return [first, ...others.map(({ id, language }) => ({ id, language, page }))];
}

/**
 * The programs that stand in no page. In one language they are alike but for a few lines: each line is there once, and a
 * program is the numbers of its lines.
 */
export function programsScript(pages: ProgramsByPage): string {
  const languages: Record<string, { command: string; lines: string[]; pages: Record<string, number[]> }> = {};
  const known = new Map<string, number>();
  for (const [page, [, ...others]] of pages) {
    for (const { id, command, html } of others) {
      const { lines, pages: numbers } = (languages[id] ??= { command, lines: [], pages: {} });
      numbers[page] = html.split("\n").map((line) => {
        const key = `${id}\n${line}`;
        const number = known.get(key) ?? lines.push(line) - 1;
        known.set(key, number);
        return number;
      });
    }
  }
  return `globalThis.programs = ${JSON.stringify(languages).replaceAll("<", "\\u003c")};\n`;
}
