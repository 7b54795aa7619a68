import { expect, test } from "vitest";
import { emitter } from "../../generator/targets/zod/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { libraryLayout } from "./emit-library-model.ts";

/** The module of zod's schemas for these types, the first of which is what the only method takes. */
function schemasOf(types: string): string {
  const text = `
interface: { name: web, wire: { protocol: json-rpc-2.0 } }
types:
${types}
methods:
  get: { doc: Gets., payload: { fields: [{ name: given, type: One }] }, result: none }
`;
  const { value: model, diagnostics } = loadServiceModel("web", () => [sourceText("web/web.yaml", text)]);
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return emitter.emit(model, libraryLayout)[0]?.text ?? "";
}

function gettersIn(schemas: string) {
  const line = schemas.replaceAll(/\s+/g, " ");
  const getters = [...line.matchAll(/\bget (\w+)\(\): (.+?) \{ return (.+?); \}/g)];
  return Object.fromEntries(getters.map(([, name = "", type, value]) => [name, [type, value]]));
}

test("what leads into a circle is read by getters, whichever type is declared first: zod follows all others through every web", () => {
  const schemas = schemasOf(`
  Alone: { fields: [{ name: text, type: string }] }
  One: { fields: [{ name: two, type: Two }, { name: alone, type: Alone }] }
  Two: { fields: [{ name: three, type: Three, optional: true }, { name: all, type: array of Three }] }
  Three: { fields: [{ name: one, type: One, optional: true }] }
`);
  expect(gettersIn(schemas)).toEqual({
    given: ["typeof One", "One"],
    two: ["typeof Two", "Two"],
    three: ["z.ZodOptional<typeof Three>", "Three.optional()"],
    all: ["z.ZodArray<typeof Three>", "z.array(Three)"],
    one: ["z.ZodOptional<typeof One>", "One.optional()"],
  });
  expect(schemas).toContain("alone: Alone\n");
});

test("so are alternatives, maps and lists of such types, with their defaults", () => {
  const schemas = schemasOf(`
  One: { fields: [{ name: either, type: "Two|string|null", default: none }, { name: map, type: map of Two, optional: true }] }
  Two: { fields: [{ name: pair, type: "tuple of [One, string]", optional: true }] }
`);
  expect(gettersIn(schemas)).toEqual({
    given: ["typeof One", "One"],
    either: [
      "z.ZodPrefault<z.ZodUnion<readonly [z.ZodUnion<readonly [typeof Two, z.ZodString]>, z.ZodNull]>>",
      'z.union([z.union([Two, z.string()]), z.null()]).prefault("none")',
    ],
    map: ["z.ZodOptional<z.ZodRecord<z.ZodString, typeof Two>>", "z.record(z.string(), Two).optional()"],
    pair: [
      "z.ZodOptional<z.ZodTuple<[typeof One, z.ZodString], null>>",
      "z.tuple([One, z.string()]).optional()",
    ],
  });
});

test("long chains of types are read in parts: zod would run out of stack", () => {
  const links = (kind: (next: string) => string) =>
    Array.from({ length: 250 }, (_, at) => `  ${at === 0 ? "One" : `T${at}`}: ${kind(`T${at + 1}`)}`);
  const last = "  T250: { fields: [] }";
  const objects = schemasOf(
    [...links((next) => `{ fields: [{ name: next, type: ${next}, optional: true }] }`), last].join("\n"),
  );
  const lists = schemasOf([...links((next) => `{ type: array of ${next} }`), last].join("\n"));
  expect([objects, lists].map((text) => text.match(/\bget next\(/g)?.length ?? 0)).toEqual([150, 0]);
  expect(lists.match(/z\.lazy\(\(\) => T\d+\)/g)).toHaveLength(2);
});
