import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { modelOf } from "../vectors/models.ts";
import { vectorsOf, type VectorGroup } from "../vectors/vectors-of.ts";

const format: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, "../vectors/vectors.schema.json"), "utf8"),
);

/** Holds the vectors of a spec against what they promise. */
export function describeVectors(spec: string): void {
  describe(`the vectors of ${spec}`, () => holdTogether(spec));
}

function holdTogether(spec: string): void {
  const groups = vectorsOf(modelOf(spec));

  test("have the documented format", () => {
    const validate = new Ajv2020({ strict: true }).compile(Object(format));
    validate(groups);
    expect(validate.errors).toBeNull();
  });

  test("begin with the least and the most that fits, and have values that do not", () => {
    for (const { description, tests } of groups) {
      const verdicts = new Map(tests.map((vector) => [vector.description, vector.valid]));
      expect([description, verdicts.get("minimal") ?? verdicts.get("maximal")]).toEqual([description, true]);
      expect([description, tests.some(({ valid }) => !valid)]).toEqual([description, true]);
    }
  });

  test("take every example that the spec does not call a mistake", () => {
    for (const { name, examples } of modelOf(spec).methods) {
      for (const example of examples.filter(({ error }) => error === undefined)) {
        const verdict = verdictOf(groups, `payload of ${name}`, `example: ${example.name}`);
        expect([name, example.name, verdict]).toEqual([name, example.name, true]);
      }
    }
  });
}

/** Whether a vector of a group fits; undefined for an unknown one. */
export function verdictOf(
  groups: readonly VectorGroup[],
  group: string,
  description: string,
): boolean | undefined {
  const tests = groups.find((candidate) => candidate.description === group)?.tests ?? [];
  return tests.find((vector) => vector.description === description)?.valid;
}
