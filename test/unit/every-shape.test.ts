import { expect, test } from "vitest";
import { diffModels } from "../../generator/diff/index.ts";
import { loadEmitters } from "../../generator/targets/index.ts";
import { prints } from "../../generator/targets/prints.ts";
import { loadServiceModel, type ServiceModel, type Shape } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { subjectsOf } from "../vectors/vectors-of.ts";

/** A type of each kind, as a spec writes it: a kind without an entry does not compile. */
const types = {
  string: "type: uuid",
  number: "type: number, above: 0",
  integer: "type: integer, maximum: 9",
  bigint: "type: bigint, above: 0",
  money: "type: money",
  boolean: "type: boolean",
  enum: "type: Level",
  object: "type: object, fields: [{ name: id, type: string }]",
  array: "type: array of array of string, maxItems: 3",
  ref: "type: Thing",
  null: "type: 'null'",
  nullable: "type: string|null",
  union: "type: Thing|integer",
  tagged: "type: Either",
  map: "type: map of Thing, keys: date",
  tuple: "type: 'tuple of [Thing, integer]'",
  json: "type: json",
} as const satisfies Readonly<Record<Shape["kind"], string>>;

const layout = { out: "generated/kinds", handlers: "handlers", contract: "runtime/contract/index.ts" };

test.each(Object.entries(types))(
  "%s has an entry in every emitter, in samples and in diff",
  async (kind, type) => {
    const model = modelOf(type);
    const emitters = (await loadEmitters()).filter((emitter) => prints(emitter, model));
    const silent = emitters.filter((emitter) => emitter.emit(model, layout).length === 0);
    // Its documents are about transports that stay open.
    expect(silent.map(({ name }) => name).filter((name) => name !== "asyncapi")).toEqual([]);
    for (const subject of subjectsOf(model)) {
      const [least, most] = subject.candidates;
      expect([subject.description, subject.judge(least?.data), subject.judge(most?.data)]).toEqual([
        subject.description,
        true,
        true,
      ]);
      if (kind !== "json") expect(subject.candidates.some(({ data }) => !subject.judge(data))).toBe(true);
    }
    const other = modelOf("type: array of boolean, minItems: 2");
    expect(changes(model, model)).toEqual([]);
    expect(changes(model, other)).not.toEqual([]);
    expect(changes(other, model)).not.toEqual([]);
  },
);

test("no shape of a standard interface is adapted between revisions: `serves` is refused", () => {
  const spec = `interface: { name: kinds, wire: { protocol: json-rpc-2.0 }, revision: 2.0.0, serves: [{ revision: 1.0.0, spec: ../old }] }\nmethods: { call: {} }\n`;
  const old = "interface: { name: kinds, wire: { protocol: json-rpc-2.0 } }\nmethods: { call: {} }\n";
  const { diagnostics } = loadServiceModel("kinds", (folder) => [
    sourceText(`${folder}/spec.yaml`, folder === "kinds" ? spec : old),
  ]);
  expect(diagnostics.map(({ code }) => code)).toContain("serves-standard");
});

function changes(old: ServiceModel, recent: ServiceModel): readonly string[] {
  return diffModels(old, recent).map(({ rule }) => rule);
}

function modelOf(type: string): ServiceModel {
  const text = `
interface: { name: kinds, wire: { protocol: json-rpc-2.0 } }
methods:
  call: { payload: { fields: [{ name: value, ${type} }] }, result: { fields: [{ name: value, ${type} }] } }
  keep: { payload: { fields: [{ name: thing, type: Either }, { name: level, type: Level }] } }
types:
  Level: { enum: [{ value: 1 }, { value: 2 }] }
  Thing: { fields: [{ name: id, type: string }] }
  Either: { oneOf: { discriminator: kind, cases: { thing: Thing } } }
`;
  const { value, diagnostics } = loadServiceModel("kinds", () => [sourceText("kinds/spec.yaml", text)]);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}
