import { fillTemplate } from "../../print/template.ts";
import { highlighted, type CodeHtml, type CodeLanguage } from "./code.ts";

/** A program in one of several languages. */
export interface Snippet {
  readonly id: string;
  readonly language: string;
  /** How it is run. */
  readonly command: string;
  readonly text: string;
  readonly html: CodeHtml;
}

/** A program before its values are known. */
export interface ProgramTemplate extends Pick<Snippet, "id" | "language" | "command"> {
  readonly code: CodeLanguage;
  /** Below `templates/reference/snippets`. */
  readonly file: string;
}

export function filledPrograms(
  templates: readonly ProgramTemplate[],
  values: Readonly<Record<string, string>>,
): readonly Snippet[] {
  return templates.map(({ id, language, code, file, command }) => {
    const text = fillTemplate(`reference/snippets/${file}`, values);
    return { id, language, command, text, html: highlighted(text, code) };
  });
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
