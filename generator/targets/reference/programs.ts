import type { Snippet } from "./snippets.ts";

/** The programs of each operation, by the name of its page. The first of each stands in the page. */
export type ProgramsByPage = ReadonlyMap<string, readonly Snippet[]>;

/** The first program of a page, and names for the others, which the script fills in. */
export function shownPrograms([first, ...others]: readonly Snippet[], page: string): readonly object[] {
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
