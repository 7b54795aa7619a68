import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { loadEmitters } from "../../generator/targets/index.ts";
import { prints } from "../../generator/targets/prints.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { fc, runs, seed } from "../seed.ts";
import { compile, createProject, type Project } from "../unit/emit-project.ts";
import { judge } from "./random-specs/try-interface.ts";
import { subjectsOf } from "../vectors/vectors-of.ts";

/** Types that lead back to themselves, by way of whatever leads to another type: what is generated compiles and agrees. */
const typesMax = 5;
const kinds = ["object", "inherited", "list", "map", "any", "exactly", "tagged", "inline", "alias"] as const;

type Kind = (typeof kinds)[number];

interface Circle {
  readonly kinds: readonly Kind[];
  /** What each leads to, as often as it needs one. */
  readonly leadsTo: readonly (readonly [number, number])[];
  /** The letter of each name: types are printed in the order of their names. */
  readonly letters: readonly string[];
}

const circle: fc.Arbitrary<Circle> = fc.record({
  kinds: fc
    .array(fc.constantFrom(...kinds), { minLength: typesMax - 2, maxLength: typesMax - 2 })
    .map((others): readonly Kind[] => ["object", "object", ...others]),
  leadsTo: fc.array(fc.tuple(fc.nat(typesMax - 1), fc.nat(typesMax - 1)), {
    minLength: typesMax,
    maxLength: typesMax,
  }),
  letters: fc.shuffledSubarray(["A", "B", "C", "D", "E"], { minLength: typesMax, maxLength: typesMax }),
});

function specOf(name: string, { kinds: chosen, leadsTo, letters }: Circle): string {
  const nameOf = (at: number): string => `${letters[at]}Type`;
  const types = chosen.map((kind, at): [string, unknown] => {
    const [first, second] = leadsTo[at] ?? [0, 1];
    const to = nameOf(first);
    // Of two names for one value neither says what it is, and a case is an object: these lead to the first two.
    const object = nameOf(first % 2);
    const field = (fieldName: string, type: string) => ({
      name: fieldName,
      type,
      doc: "A part.",
      optional: true,
    });
    const shapes: Readonly<Record<Kind, unknown>> = {
      object: { fields: [field("first", to), field("second", `array of ${nameOf(second)}`)] },
      inherited: { fields: [field("toString", to)] },
      inline: { fields: [{ ...field("either", `${object}|string`), exactlyOne: true }, field("second", to)] },
      list: { type: `array of ${to}` },
      map: { type: `map of ${to}` },
      any: { type: `array of ${to}|${object}|integer` },
      exactly: { type: `${object}|string`, exactlyOne: true },
      tagged: { oneOf: { discriminator: "kind", cases: { one: nameOf(0), other: nameOf(1) } } },
      alias: { type: object },
    };
    return [nameOf(at), { doc: "A type.", ...Object(shapes[kind]) }];
  });
  const wire = { protocol: "json-rpc-2.0", params: "by-name", http: { path: "/rpc" } };
  const fields = chosen.map((_, at) => ({
    name: `field${at}`,
    type: nameOf(at),
    doc: "One.",
    optional: true,
  }));
  return stringify({
    interface: { name, title: "Circles", revision: "1.0.0", wire },
    types: Object.fromEntries(types),
    methods: { Put: { doc: "Takes one of each.", payload: { fields }, result: nameOf(2) } },
  });
}

const specs = fc.sample(circle, { numRuns: runs(24), seed }).map((drawn, at) => {
  const name = `c${at}`;
  const text = specOf(name, drawn);
  const { value, diagnostics } = loadServiceModel(name, () => [sourceText(`${name}/spec.yaml`, text)]);
  const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
  return { name, text, model: value, errors };
});
const models = specs.flatMap(({ name, text, model }) => (model === undefined ? [] : [{ name, text, model }]));
let project: Project;

beforeAll(async () => {
  const emitters = await loadEmitters();
  const drafts = models.flatMap(({ name, model }) => {
    const layout = {
      out: `generated/${name}`,
      handlers: `handlers/${name}`,
      contract: "runtime/contract/index.ts",
    };
    return emitters
      .filter((emitter) => prints(emitter, model))
      .flatMap((emitter) => emitter.emit(model, layout));
  });
  project = await createProject(drafts);
});
afterAll(() => project.remove());

test("they are legal", () => {
  expect(specs.flatMap(({ errors, text }) => errors.map((error) => `${error}\n${text}`))).toEqual([]);
});

test("what is generated for them compiles", async () => {
  const errors = await compile(project.root, ["generated", "handlers", "runtime/contract"]);
  const wrong = new Set([...errors.matchAll(/^(?:generated|handlers)\/(c\d+)\//gm)].map(([, name]) => name));
  const texts = models.filter(({ name }) => wrong.has(name)).map(({ text }) => text);
  expect(errors, texts.join("\n---\n").slice(0, 20_000)).toBe("");
});

describe.each(models)(
  "$name",
  ({ name, text, model }: { name: string; text: string; model: ServiceModel }) => {
    test("Ajv, zod and the model judge values alike", async () => {
      const found = await judge(subjectsOf(model), join(project.root, "generated", name));
      expect(found.length === 0 ? [] : [...found.slice(0, 20), text]).toEqual([]);
    });
  },
);
