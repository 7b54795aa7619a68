import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkedInterface, type CheckedInterface } from "../vectors/checked-interface.ts";
import { absent, type JsonPath, replacedAt } from "../../conformance/values/index.ts";
import { modelOf, ownSpecs } from "../vectors/models.ts";
import { subjectsOf, type Subject } from "../vectors/vectors-of.ts";
import { fc, runs } from "../seed.ts";

const strangeTexts = [
  "",
  " ",
  "😀",
  "\uD800",
  "__proto__",
  "constructor",
  "20240229",
  "2026-11",
  "AQ==",
  "https://a.b",
];
const strangeNumbers = [-0, 0.5, 2 ** 53 + 2, 1e300, 999_999_999_999_999, 1e15, -1e15, 5e-324];
const part = fc.oneof(
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(...strangeTexts, ...strangeNumbers, null, true, [], {}, absent),
  },
);

/** A part of one value, put at a place of another or of the same: a repaired or a broken value. */
const edit = fc.record({
  place: fc.nat(),
  part: fc.oneof(
    part,
    fc.nat().map((donor) => ({ donor })),
  ),
});

describe.each(ownSpecs)("any JSON value for %s", (spec) => {
  const subjects = subjectsOf(modelOf(spec));
  let checked: CheckedInterface;

  beforeAll(async () => {
    checked = await checkedInterface(modelOf(spec));
  });
  afterAll(() => checked.remove());

  test("gets one verdict from Ajv, zod and the model", async () => {
    await fc.assert(fc.asyncProperty(fc.constantFrom(...subjects), fc.jsonValue(), expectOneVerdict), {
      numRuns: runs(250),
    });
  });

  test("gets one verdict when it is a right value with parts changed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...subjects),
        fc.nat(),
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        async (subject, start, edits) => {
          const { candidates } = subject;
          const base = candidates[start % candidates.length]?.data;
          await expectOneVerdict(
            subject,
            edits.reduce((value, { place, part }) => edited(value, place, part, candidates), base),
          );
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  async function expectOneVerdict(subject: Subject, value: unknown): Promise<void> {
    const validate = await checked.validator(subject.validator);
    const schema = await checked.zodSchema(subject.schema);
    const verdicts = { ajv: validate(value), zod: schema.safeParse(value).success };
    const verdict = subject.judge(value);
    expect({ subject: subject.description, value, ...verdicts }).toEqual({
      subject: subject.description,
      value,
      ajv: verdict,
      zod: verdict,
    });
  }
});

function edited(value: unknown, place: number, part: unknown, donors: Subject["candidates"]): unknown {
  const paths = pathsIn(value);
  const path = paths[place % paths.length] ?? [];
  const replacement = isDonor(part) ? donors[part.donor % donors.length]?.data : part;
  return path.length === 0 && replacement === absent
    ? null
    : replacedAt(value, path, replacement === absent && typeof path.at(-1) === "number" ? null : replacement);
}

function isDonor(part: unknown): part is { readonly donor: number } {
  return typeof part === "object" && part !== null && "donor" in part && typeof part.donor === "number";
}

/** The paths of a value and of all its parts. */
function pathsIn(value: unknown, path: JsonPath = []): readonly JsonPath[] {
  if (typeof value !== "object" || value === null) return [path];
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const parts = new Map<string | number, unknown>(Object.entries(value));
  return [path, ...steps.flatMap((step) => pathsIn(parts.get(String(step)), [...path, step]))];
}
