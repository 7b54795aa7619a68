import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkCalls } from "../../generator/calls/check-calls.ts";
import { diskReader } from "../../generator/cli/disk-reader.ts";
import { diagnosticJson } from "../../generator/language/diagnostics/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";

const spec = `interface:
  name: shop
  title: Shop
  revision: 1.0.0
  doc: Sells things.
  wire: { protocol: json-rpc-2.0 }
types:
  Size:
    doc: A size.
    enum:
      - { value: S, doc: Small. }
      - { value: L, doc: Large. }
  Address:
    doc: Where somebody lives.
    fields:
      - { name: zip, type: string, pattern: "^[0-9]{5}$", doc: The postcode. }
      - { name: city, type: string, optional: true, maxLength: 10, doc: The town. }
methods:
  order:
    doc: Orders a thing.
    effect: create
    payload:
      fields:
        - { name: size, type: Size, doc: Its size. }
        - { name: price, type: money, optional: true, maximum: 100, doc: The price. }
        - { name: count, type: integer, optional: true, minimum: 1, doc: How many. }
        - { name: tags, type: array of string, optional: true, maxItems: 2, doc: Labels. }
        - { name: gift, type: boolean, optional: true, doc: Whether it is given away. }
        - { name: to, type: Address, optional: true, doc: Where it goes. }
        - { name: email, type: string, optional: true, doc: Who wants it. }
        - { name: phone, type: string, optional: true, doc: Who wants it. }
      exactlyOneOf: [[email, phone]]
    result: string
`;

function modelOf(text: string) {
  const { value, diagnostics } = loadServiceModel("shop", () => [sourceText("shop/shop.yaml", text)]);
  if (value === undefined) throw new Error(diagnostics[0]?.message);
  return value;
}

const model = modelOf(spec);

/** Each finding as its place, the words there, and the reason. */
function found(files: Readonly<Record<string, string>>): readonly string[] {
  const sources = Object.entries(files).map(([path, text]) => sourceText(path, text));
  return checkCalls(model, sources).map((diagnostic) => {
    const { path, start, message } = diagnosticJson(diagnostic);
    const { span } = diagnostic;
    const written = span?.source.text.slice(span.start, span.end);
    return `${path}:${start?.line} ${written}: ${message.replace("the payload does not fit `order`: ", "")}`;
  });
}

test("payloads that fit say nothing", () => {
  const text = `
    await call("order", { size: "S", email: "a" });
    await call("order", { size: "L" as const, price: decimal("100"), count: 1, phone: "1", tags: ["a", ...["b"]] });
    await call("other", { size: "XL" });
    await call(order, { size: "XL" });
    await call("order", payload);
  `;
  expect(found({ "seed/a.ts": text })).toEqual([]);
});

test.each([
  [`{ size: "XL", email: "a" }`, `"XL": `],
  [`{ size: "S", email: "a", price: decimal("100.5") }`, `decimal("100.5"): `],
  [`{ size: "S", email: "a", count: -1 }`, "-1: "],
  [`{ size: "S", email: "a", count: 1.5 }`, "1.5: "],
  [`{ size: "S", email: "a", tags: ["a", "b", "c"] }`, `["a", "b", "c"]: `],
  [`{ size: "S", email: "a", gift: "yes" }`, `"yes": `],
  [`{ size: "S", email: "a", gift: null }`, "null: "],
  [`{ size: "S", email: "a", to: { zip: "123" } }`, `"123": `],
  [`({ size: "S", email: "a", to: { zip: "1234" } satisfies Address })`, `"1234": `],
  [`{ size: "S", email: "a", phone: "1" }`, "size: "],
  [`{ size: "S" }`, "size: "],
  [`{ size: "S", email: undefined }`, "size: "],
])("%s is told where it is written", (payload, begins) => {
  const [first, ...others] = found({ "seed/a.ts": `await call("order", ${payload});` });
  expect(first).toContain(`seed/a.ts:1 ${begins}`);
  expect(others).toEqual([]);
});

test("constants are followed, through files, members and spreads", () => {
  const files = {
    "seed/known.ts": `export const town = "Llanfairpwllgwyngyll";\nexport const person = { home: { zip: "1" } } as const;`,
    "seed/a.ts": `import * as known from "./known.ts";
import { person, town as city } from "./known.js";
const shared = { size: "M", email: "a" };
async function seed() {
  const count = 0;
  await call("order", { ...shared, to: person.home });
  await call("order", { ...shared, size: "S", count });
  await call("order", { ...shared, size: "S", to: { zip: "12345", city: known.town } });
  await call("order", { ...shared, size: "S", to: { zip: "12345", city } });
}`,
  };
  expect(found(files).map((each) => each.slice(0, each.indexOf(": ")))).toEqual([
    `seed/a.ts:3 "M"`,
    `seed/known.ts:2 "1"`,
    "seed/a.ts:7 count",
    "seed/a.ts:8 known.town",
    "seed/a.ts:9 city",
  ]);
});

test("what only the running program knows is not judged", () => {
  const text = `
    import { elsewhere } from "../elsewhere.ts";
    const size = "XL";
    let count = 0;
    const self = self;
    function f(size, { gift }, ...rest) {
      call("order", { size, email: elsewhere, count, gift });
      call("order", { ...rest[0] });
      call("order", { [key]: 1, size: f(), to: { ...elsewhere } });
      for (const price of prices) call("order", { size, email: "a", price });
      call("order", { size: self, email: \`a\${size}\`, tags: ["a", "b", "c", ...rest] });
      call("order", { size: Size.large, email: "a" });
    }
  `;
  expect(found({ "seed/a.ts": text })).toEqual([]);
});

test("ledger's seed is read, and a narrower rule of the spec names what it refuses", () => {
  const root = join(import.meta.dirname, "../..");
  const seed = globSync("ledger/seed/*.ts", { cwd: root })
    .toSorted()
    .map((path) => sourceText(path, readFileSync(join(root, path), "utf8")));
  const { value: today } = loadServiceModel("spec/operator", diskReader(root));
  if (today === undefined) throw new Error("the operator's spec has a mistake");
  expect(checkCalls(today, seed)).toEqual([]);
  const category = today.methods.find(({ name }) => name === "CreateCategory");
  if (category?.payload.kind !== "single") throw new Error("categories have several forms");
  const [field] = category.payload.shape.fields;
  if (field?.shape.kind !== "string") throw new Error("a category's name is no text");
  const shorter = { ...field, shape: { ...field.shape, lengthMax: 16 } };
  const payload = { ...category.payload, shape: { ...category.payload.shape, fields: [shorter] } };
  const methods = today.methods.map((each) => (each === category ? { ...category, payload } : each));
  const reasons = checkCalls({ ...today, methods }, seed).map(({ message, span }) => [
    span?.source.path,
    message,
  ]);
  expect(reasons).toContainEqual([
    "ledger/seed/demo.ts",
    expect.stringContaining("`CreateCategory`: expected at most 16 characters"),
  ]);
});
