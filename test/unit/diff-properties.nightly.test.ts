import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diffModels, rules, type Change } from "../../generator/diff/index.ts";
import type { ServiceModel } from "../../generator/model/index.ts";
import { casesFolder } from "./diff-cases.ts";
import {
  canonical,
  documentIn,
  edited,
  edits,
  modelOf,
  permuted,
  type Edit,
  type SpecDocument,
} from "./diff-edits.ts";
import { fc, runs } from "../seed.ts";

const library = documentIn(join(casesFolder, "lively"));
const ledger = documentIn(join(import.meta.dirname, "../../spec/ledger"));

describe.each([
  ["a small spec", library, runs(16)],
  ["the ledger", ledger, runs(1)],
] as const)("%s", (_, document, numRuns) => {
  const whole = required(modelOf(document));

  test("in another order is the same", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (lots) => {
        const model = required(modelOf(permuted(document, () => lots.next().value ?? 0)));
        expect(diffModels(whole, model).map(lineOf)).toEqual([]);
      }),
      { numRuns: Math.ceil(numRuns / 10) },
    );
  });

  test("no edit that changes the model goes unseen, and what changes nothing is no change", () => {
    fc.assert(
      fc.property(editLists, (list) => {
        const model = modelAfter(document, list);
        const found = diffModels(whole, model).map(lineOf);
        if (canonical(model) === canonical(whole)) expect(found).toEqual([]);
        else expect(found).not.toEqual([]);
      }),
      { numRuns },
    );
  });

  test("there and back are each other's opposite", () => {
    fc.assert(
      fc.property(editLists, (list) => {
        const model = modelAfter(document, list);
        const there = diffModels(whole, model);
        const back = diffModels(model, whole);
        expect(there.filter((change) => !isUndone(change, back)).map(lineOf)).toEqual([]);
        expect(back.filter((change) => !isUndone(change, there)).map(lineOf)).toEqual([]);
      }),
      { numRuns },
    );
  });

  test("every change says what it is, once", () => {
    fc.assert(
      fc.property(editLists, (list) => {
        const model = modelAfter(document, list);
        const changes = diffModels(whole, model);
        expect(new Set(changes.map(({ fingerprint }) => fingerprint)).size).toBe(changes.length);
        for (const { summary, impacts, old, new: recent, near } of changes) {
          expect([summary, ...impacts.map(({ consequence }) => consequence)].join("\n")).not.toMatch(
            /undefined|``|\[object| {2}| of [,.]/,
          );
          expect(old ?? recent ?? near).toBeDefined();
        }
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  });
});

/** One to three edits by lot. */
const editLists = fc.array(edits, { minLength: 1, maxLength: 3 });

/** The result of the edits; a run that leaves no valid spec does not count. */
function modelAfter(document: SpecDocument, list: readonly Edit[]): ServiceModel {
  const model = modelOf(list.reduce(edited, document));
  fc.pre(model !== undefined);
  return required(model);
}

/** Whether the other way round something says the opposite of the same place. */
function isUndone({ rule, path }: Change, back: readonly Change[]): boolean {
  const inverse = rules.get(rule)?.inverse ?? [];
  if (inverse.length === 0 || rule.endsWith("-reused")) return true;
  const moves = /renamed|reused/;
  return back.some(
    (other) =>
      inverse.includes(other.rule) && (other.path === path || moves.test(rule) || moves.test(other.rule)),
  );
}

function lineOf({ rule, path, summary }: Change): string {
  return `${rule} ${path}: ${summary}`;
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the document is no spec");
  return value;
}
