import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { casesOfRequirements } from "../../conformance/runner/requirement-verdicts.ts";
import { ledgerSuite } from "../conformance/ledger-suite.ts";
import { packedIds, unpackedIds } from "../../conformance/suite/packed-ids.ts";
import { emitter as conformance } from "../../generator/targets/conformance/index.ts";
import { sectionsOf } from "../contract/document.ts";
import { publishedDocument } from "../contract/published-document.ts";
import { requirementProblems } from "../contract/requirements.ts";
import { binding, isSilent, sentencesOf } from "../contract/sentences.ts";
import { readSpecFiles } from "../contract/spec-files.ts";
import { fc, isSoak } from "../seed.ts";
import { modelOf } from "../vectors/models.ts";

const markdown = publishedDocument();
const decisions = readFileSync("docs/decisions.md", "utf8");
const { requirements } = readSpecFiles("spec/ledger");

describe("what binds", () => {
  test("every sentence of the document and every decision is required, word for word, and nothing else", () => {
    expect(requirementProblems(markdown, decisions, requirements)).toEqual([]);
  });

  test("every case of a requirement is there", () => {
    expect(conformance.check?.(modelOf("spec/ledger"))).toEqual([]);
  });

  test("every case and every scenario shows a requirement", () => {
    const { suite, cases } = ledgerSuite();
    const shown = casesOfRequirements(suite.requirements);
    const ids = [...cases.map(({ id }) => id), ...suite.scenarios.map(({ name }) => `scenario/${name}`)];
    expect(ids.filter((id) => !shown.has(id))).toEqual([]);
  });

  test("nothing that binds is taken for a line that only says what is left open", () => {
    const silent = sectionsOf(markdown).flatMap(sentencesOf).filter(isSilent);
    expect(silent.length).toBeGreaterThan(20);
    expect(silent.filter((sentence) => binding.test(sentence))).toEqual([]);
  });

  test("a requirement that is taken out, and a sentence that is changed, are noticed", () => {
    const ids = Object.keys(requirements);
    expect(ids.length).toBeGreaterThan(300);
    const tried = isSoak ? ids : ids.filter((_, at) => at % 12 === 0);
    const unnoticed = tried.filter((id) => {
      const { [id]: _taken, ...others } = requirements;
      return requirementProblems(markdown, decisions, others).length !== 1;
    });
    expect(unnoticed).toEqual([]);
    const changed = markdown.replace(
      "Successful responses are HTTP status 200.",
      "Responses are HTTP status 200.",
    );
    expect(requirementProblems(changed, decisions, requirements)).toHaveLength(2);
  });
});

test("packed ids are the ids, in whatever order they come", () => {
  const part = fc.constantFrom("A.B", "payload", "payload x", "1.5", "a+b", "");
  const ids = fc.uniqueArray(fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/")));
  fc.assert(
    fc.property(ids, (list) => {
      const packed = packedIds(list);
      expect(packed.length).toBeLessThanOrEqual(list.length);
      expect(packed.flatMap(unpackedIds).toSorted()).toEqual(list.toSorted());
    }),
  );
});
