import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { loadEmitters, type Emitter } from "../../generator/targets/index.ts";
import { loadServiceModel, sharedModel, type ServiceModel } from "../../generator/model/index.ts";
import { keepMemos, turnMemos } from "../../generator/print/memo.ts";
import {
  editableSpec,
  sourcesOf,
  specEdits,
  type EditableSpec,
} from "../e2e-generator/preservation/spec-edits.ts";
import { fc, runs } from "../seed.ts";

/**
 * A watch prints of each revision of a spec what a new process would, although it remembers most of it.
 * `TEST_EFFORT=40 npm run unit -- test/unit/watch-memos.nightly.test.ts` tries more edits.
 */
const edits = runs(3);
const repository = join(import.meta.dirname, "../..");
const layout = { out: "generated/ledger", handlers: "handlers", contract: "runtime/contract/index.ts" };
const ledger = editableSpec(repository, "spec/ledger");

let emitters: readonly Emitter[];
beforeAll(async () => {
  emitters = await loadEmitters();
});
afterEach(() => keepMemos(false));

interface Step {
  readonly what: number;
  readonly numbers: readonly number[];
}
const step = fc.record({
  what: fc.nat(9_999),
  numbers: fc.array(fc.nat(9_999), { minLength: 4, maxLength: 4 }),
});

test("what is remembered is what would be made", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: edits, maxLength: edits, size: "max" }), (steps) => {
      let spec = ledger;
      let last = modelOf(spec);
      if (last === undefined) throw new Error("the spec is broken");
      remembered(last);
      for (const each of steps) {
        const edited = each.what % 2 === 0 ? edit(spec, each) : editTypeOfRequest(spec, last, each);
        const next = modelOf(edited);
        if (next === undefined) continue;
        spec = edited;
        last = sharedModel(last, next);
        const texts = remembered(last);
        expect(texts).toEqual(textsOf(next));
      }
    }),
    { numRuns: 1, endOnFailure: true },
  );
});

test("a model that says the same is the same, whatever its places", () => {
  const first = modelOf(ledger);
  const again = modelOf(structuredClone(ledger));
  if (first === undefined || again === undefined) throw new Error("the spec is broken");
  expect(again).not.toBe(first);
  expect(sharedModel(first, again)).toBe(first);
});

function remembered(model: ServiceModel): ReadonlyMap<string, string> {
  keepMemos(true);
  const texts = textsOf(model);
  turnMemos();
  keepMemos(false);
  return texts;
}

function textsOf(model: ServiceModel): ReadonlyMap<string, string> {
  const drafts = emitters.flatMap((emitter) => emitter.emit(model, layout));
  return new Map(
    drafts.map(({ path, ownership, method, text }) => [path, `${ownership} ${method}\n${text}`]),
  );
}

function edit(spec: EditableSpec, { what, numbers }: Step): EditableSpec {
  const edited = structuredClone(spec);
  edited.count += 1;
  let at = 0;
  const pick = <T>(items: readonly T[]): T | undefined =>
    items[(numbers[at++ % numbers.length] ?? 0) % Math.max(items.length, 1)];
  specEdits[what % specEdits.length]?.apply(edited, pick);
  return edited;
}

/** Another value or field for a type that payloads hold: what is printed of methods follows types they only reach. */
function editTypeOfRequest(spec: EditableSpec, model: ServiceModel, { numbers }: Step): EditableSpec {
  const edited = structuredClone(spec);
  edited.count += 1;
  const types = model.types.filter(
    ({ usedIn, shape }) => usedIn.includes("request") && ["enum", "object"].includes(shape.kind),
  );
  const type = types[(numbers[0] ?? 0) % Math.max(types.length, 1)];
  const written = Object(Object(edited.sections["types"])[type?.name ?? ""]);
  const name = `NEW_${edited.count}`;
  written.enum?.push({ value: name, doc: "New." });
  written.fields?.push({ name, type: "string", doc: "New.", optional: true });
  return edited;
}

function modelOf(spec: EditableSpec): ServiceModel | undefined {
  return loadServiceModel("spec", () => sourcesOf(spec)).value;
}
