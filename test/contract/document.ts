/** The interface document, cut into its sections; what a section says is read elsewhere. */
export interface Section {
  /** `4.12`; a heading without a number has that of the heading above it. */
  readonly number: string;
  readonly title: string;
  readonly tables: readonly Table[];
  readonly paragraphs: readonly string[];
  /** List items, without their mark. */
  readonly items: readonly string[];
  /** The numbers of its numbered items. */
  readonly itemNumbers: readonly string[];
}

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function sectionsOf(markdown: string): readonly Section[] {
  const sections: Section[] = [];
  let number = "";
  for (const part of markdown.split(/^(?=#{1,3} )/m)) {
    const heading = /^#{1,3} (?:(?<number>\d+(?:\.\d+)?)\.? )?(?<title>.*)$/m.exec(part)?.groups;
    number = heading?.["number"] ?? number;
    const lines = part.split("\n").slice(1);
    sections.push({ number, title: heading?.["title"] ?? "", ...blocksOf(lines) });
  }
  return sections;
}

function blocksOf(lines: readonly string[]) {
  const paragraphs: string[] = [];
  const items: string[] = [];
  const itemNumbers: string[] = [];
  let rows: (readonly string[])[] = [];
  const tables: Table[] = [];
  for (const line of [...lines, ""]) {
    if (line.startsWith("|")) rows.push(cellsOf(line));
    else if (rows.length > 0) {
      tables.push({ head: rows[0] ?? [], rows: rows.slice(2) });
      rows = [];
    }
    const [, mark = "", item] = /^(\d+\.|-) +(.*)$/.exec(line) ?? [];
    if (mark.endsWith(".")) itemNumbers.push(mark.slice(0, -1));
    if (item !== undefined) items.push(item);
    else if (line !== "" && !line.startsWith("|")) paragraphs.push(line);
  }
  return { paragraphs, items, itemNumbers, tables };
}

function cellsOf(line: string): readonly string[] {
  return line
    .replace(/^\||\|\s*$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

/** Everything in backticks. */
export function codesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
}

/** Up to the first full stop that ends a sentence. */
export function firstSentence(text: string): string {
  return text.split(/\.(?=\s|$)/)[0] ?? "";
}
