import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { coverageProblems } from "../contract/coverage.ts";
import { removalsFrom } from "../contract/removals.ts";
import { publishedDocument } from "../contract/published-document.ts";
import { decisionsIn, readSpecFiles } from "../contract/spec-files.ts";

const markdown = publishedDocument();
const spec = readSpecFiles("spec/ledger");

test("the spec says what the document says, no more and no less", () => {
  expect(coverageProblems(markdown, spec)).toEqual([]);
});

test("the comparison notices what is taken out of the spec; `contract-coverage.nightly.test.ts` tries everything", () => {
  const removals = removalsFrom(spec).filter((_, at) => at % 50 === 0);
  expect(removals.length).toBeGreaterThan(8);
  const unnoticed = removals.filter(({ without }) => coverageProblems(markdown, without()).length === 0);
  expect(unnoticed.map(({ what }) => what)).toEqual([]);
});

test("every decision is in the spec, and every decision that the spec names exists", () => {
  const decisions = readFileSync("docs/decisions.md", "utf8").matchAll(/^\| (D-\d\d) /gm);
  const ids = [...decisions].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(45);
  expect([...decisionsIn("spec")].toSorted()).toEqual(ids.toSorted());
});
