import { describe, expect, test } from "vitest";
import { coverageProblems } from "../contract/coverage.ts";
import { publishedDocument } from "../contract/published-document.ts";
import { removalsFrom } from "../contract/removals.ts";
import { readSpecFiles } from "../contract/spec-files.ts";

const markdown = publishedDocument();
const spec = readSpecFiles("spec/ledger");

describe("the comparison notices", () => {
  test("every row that is taken out of a table of the document", () => {
    const lines = markdown.split("\n");
    const rows = lines.flatMap((line, index) => (isTableRow(line, lines[index + 1] ?? "") ? [index] : []));
    expect(rows.length).toBeGreaterThan(150);
    const unnoticed = rows.filter(
      (row) => coverageProblems(lines.toSpliced(row, 1).join("\n"), spec).length === 0,
    );
    expect(unnoticed.map((row) => lines[row])).toEqual([]);
  });

  test("everything that is taken out of the spec", () => {
    const removals = removalsFrom(spec);
    expect(removals.length).toBeGreaterThan(400);
    const unnoticed = removals.filter(({ without }) => coverageProblems(markdown, without()).length === 0);
    expect(unnoticed.map(({ what }) => what)).toEqual([]);
  });
});

function isTableRow(line: string, next: string): boolean {
  return line.startsWith("| ") && !line.startsWith("| -") && !next.startsWith("| -");
}
