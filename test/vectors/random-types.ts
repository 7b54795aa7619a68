import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { fc } from "../seed.ts";

/** A type as a spec writes it: `type`, and what stands beside it. */
type Written = Readonly<Record<string, unknown>>;

const plain = fc.constantFrom<Written>(
  { type: "string" },
  { type: "string", minLength: 0, maxLength: 3 },
  { type: "string", minLength: 2 },
  { type: "string", pattern: "^[a-c]{2,4}$" },
  { type: "string", const: "fixed" },
  { type: "boolean" },
  { type: "integer" },
  { type: "integer", minimum: -1, maximum: 2 },
  { type: "integer", above: 0, below: 3 },
  { type: "integer", const: 7 },
  { type: "bigint" },
  { type: "bigint", minimum: -1, below: 3 },
  { type: "number" },
  { type: "number", above: 0, maximum: 0.5 },
  { type: "number", minimum: -1.5, below: 1.5 },
);

/** Names of types, and words that are types. Formats with more than their pattern are in the fixed specs. */
const name = fc.constantFrom(
  ..."string integer bigint number boolean null json uuid uri uri-reference email date-time iso-date time duration".split(
    " ",
  ),
  ..."ipv4 ipv6 hostname json-pointer year-month base64 Word Level Mood Ratio Thing Other Node Named Tagged Either".split(
    " ",
  ),
);

/** With what an absent value means, also of null and in a field further inside. */
const withDefault = fc.constantFrom<Written>(
  { type: "integer", minimum: 1, default: 50 },
  { type: "string", default: "none" },
  { type: "boolean|null", default: null },
  { type: "array of string", default: [] },
  { type: "map of (integer|null)", default: { a: null } },
);

const expression = fc.letrec<{ type: string }>((tie) => ({
  type: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    name,
    tie("type").map((type) => `array of (${type})`),
    tie("type").map((type) => `map of (${type})`),
    fc.array(tie("type"), { minLength: 1, maxLength: 3 }).map((types) => `tuple of [${types.join(", ")}]`),
    fc.array(tie("type"), { minLength: 2, maxLength: 3 }).map((types) => `(${types.join("|")})`),
    tie("type").map((type) => `(${type}|null)`),
  ),
})).type;

const written: fc.Arbitrary<Written> = fc.oneof(
  plain,
  withDefault,
  expression.map((type) => ({ type })),
  fc
    .record({ items: expression, minItems: fc.nat(1), maxItems: fc.integer({ min: 1, max: 3 }) })
    .map(({ items, ...bounds }) => ({ type: `array of (${items})`, ...bounds })),
  name.map((items) => ({ type: `array of ${items}`, uniqueItems: true })),
  fc
    .record({ values: expression, keys: fc.constantFrom("Word", "Mood", "iso-date", "string") })
    .map(({ values, keys }) => ({ type: `map of (${values})`, keys })),
  fc
    .uniqueArray(name, { minLength: 2, maxLength: 3 })
    .map((names) => ({ type: names.join("|"), exactlyOne: true })),
);

const object = fc
  .record({
    fields: fc.array(fc.record({ shape: written, optional: fc.boolean() }), { maxLength: 4 }),
    closed: fc.boolean(),
  })
  .map(({ fields, closed }) => ({
    fields: fields.map(({ shape, optional }, at) => ({
      name: ["kind", "b", "constructors", "d/~e"][at],
      ...shape,
      ...(optional ? { optional } : {}),
    })),
    ...(closed ? { closed } : {}),
  }));

/** Objects that the random types name. `Node` refers to itself, and ends. */
const fixedTypes = {
  Word: { type: "string", pattern: "^[a-c]{1,3}$" },
  Mood: { enum: [{ value: "good" }, { value: "bad" }] },
  Level: { enum: [{ value: 1 }, { value: 2 }, { value: -3 }] },
  Ratio: { type: "number", above: 0, below: 1 },
  Thing: {
    fields: [
      { name: "id", type: "string" },
      { name: "note", type: "string|null", optional: true },
    ],
  },
  Other: {
    fields: [
      { name: "id", type: "integer" },
      { name: "at", type: "date-time", optional: true },
    ],
    closed: true,
  },
  Sealed: { fields: [{ name: "kind", type: "string" }], closed: true },
  Node: {
    fields: [
      { name: "value", type: "json" },
      { name: "next", type: "Node|null", optional: true },
      { name: "children", type: "map of array of Node", optional: true },
    ],
  },
  Named: { type: "map of (Thing|integer)", keys: "Word" },
  Tagged: { oneOf: { discriminator: "kind", cases: { thing: "Thing", node: "Node", sealed: "Sealed" } } },
  Either: { type: "Thing|Other|Level", exactlyOne: true },
};

/** Models of random specs of JSON-RPC 2.0, each with so many methods; every one is legal. */
export function randomModels(specs: number, methods: number): readonly ServiceModel[] {
  const result = expression.map((type) => ({ type }));
  const method = fc.record({ object, payload: written, result });
  return fc
    .sample(fc.array(method, { minLength: methods, maxLength: methods }), specs)
    .map((drawn, at) => modelOf(`random-${at}`, drawn));
}

interface Drawn {
  readonly object: Written;
  readonly payload: Written;
  readonly result: Written;
}

function modelOf(interfaceName: string, methods: readonly Drawn[]): ServiceModel {
  const spec = {
    interface: { name: interfaceName, wire: { protocol: "json-rpc-2.0" } },
    methods: Object.fromEntries(
      methods.map(({ payload, result }, at) => [
        `method${at}`,
        {
          payload: {
            fields: [
              { name: "object", type: `Object${at}` },
              { name: "value", ...payload },
            ],
          },
          result: result.type,
        },
      ]),
    ),
    types: {
      ...fixedTypes,
      ...Object.fromEntries(methods.map(({ object: type }, at) => [`Object${at}`, type])),
    },
  };
  const text = JSON.stringify(spec, null, 1);
  const source = sourceText(`${interfaceName}/spec.yaml`, text);
  const { value, diagnostics } = loadServiceModel(interfaceName, () => [source]);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}
