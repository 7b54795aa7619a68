import { fc } from "../../seed.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Field = { readonly [key: string]: Json };
type Group = "atLeastOneOf" | "exactlyOneOf";

/** Names that fields share, so that forms meet under them; what a name is of decides whether it is a number. */
const namesOf = {
  amount: ["amount", "fee"],
  number: ["count", "ratio"],
  other: [
    "id",
    "kind",
    "details",
    "items",
    "class",
    "toString",
    "naïve",
    "default",
    "errors",
    "data-2",
    "名前",
  ],
} as const;
const typesMax = 6;
/** Every legal list of what signs a call: in any order, with or without the key of the interface. */
const auth = fc
  .tuple(fc.shuffledSubarray(["credential", "keyId", "signature"], { minLength: 3 }), fc.nat(7))
  .map(([members, at]) => (at > 3 ? members : members.toSpliced(at, 0, "apiKey")));

const doc = fc.constantFrom(
  "Plain.",
  "Ends */ a comment.",
  "`ticks`, ${braces} and <tags>.",
  "Line one\n\nand \\ two.",
);
const text: fc.Arbitrary<Field> = fc.oneof(
  fc.constant({ type: "string" }),
  fc.constant({ type: "string", minLength: 0, maxLength: 9 }),
  fc.constant({ type: "string", pattern: "^[a-c]{2,4}$" }),
  fc
    .constantFrom("date", "timestamp", "offset-timestamp", "year-month", "base64", "url")
    .map((type) => ({ type })),
  fc.constant({ type: "boolean" }),
  fc.constant({ type: "string", const: "fixed" }),
);
const amount: fc.Arbitrary<Field> = fc.constantFrom<Field>(
  { type: "money" },
  { type: "Price" },
  { type: "array of Price", maxItems: 3 },
  { type: "money", minimum: 0 },
);
const number: fc.Arbitrary<Field> = fc.constantFrom<Field>(
  { type: "integer" },
  { type: "number", minimum: -1.5, maximum: 7 },
  { type: "Small" },
  { type: "array of integer", minItems: 1 },
);

/** What a field is of: in place, by name, or an array. `known` are types that may be needed; the rest are optional. */
function typed(depth: number, known: number): fc.Arbitrary<Field> {
  const named = fc.nat(typesMax - 1).map((at) => ({ at, type: `Thing${at}` }));
  const safe = (isArray: boolean) =>
    named.map(({ at, type }): Field =>
      isArray ? { type: `array of ${type}` } : { type, ...(at < known ? {} : { optional: true }) },
    );
  const kind = fc.constant<Field>({ type: "Kind" });
  if (depth === 0) return fc.oneof({ weight: 3, arbitrary: text }, kind, safe(false), safe(true));
  const inner = objectBody(depth - 1, known);
  return fc.oneof(
    { weight: 3, arbitrary: text },
    kind,
    fc.constant<Field>({ type: "array of Kind", uniqueItems: true }),
    safe(false),
    safe(true),
    inner.map((body) => ({ type: "object", ...body })),
    inner.map((body) => ({ type: "array of object", ...body })),
  );
}

function field(depth: number, known: number): fc.Arbitrary<Field> {
  const of = (names: readonly string[], shape: fc.Arbitrary<Field>) =>
    fc
      .record({
        name: fc.constantFrom(...names),
        shape,
        doc,
        isOptional: fc.boolean(),
        isSensitive: fc.nat(5),
      })
      .map(({ name, shape: of, doc: said, isOptional, isSensitive }): Field => ({
        name,
        ...of,
        doc: said,
        ...(isOptional ? { optional: true } : {}),
        ...(isSensitive === 0 ? { sensitive: true } : {}),
      }));
  return fc.oneof(
    { weight: 5, arbitrary: of(namesOf.other, typed(depth, known)) },
    of(namesOf.amount, amount),
    of(namesOf.number, number),
  );
}

/** Fields, none twice, and groups of those that are optional. */
function objectBody(depth: number, known: number): fc.Arbitrary<Field> {
  return fc
    .record({
      fields: fc.uniqueArray(field(depth, known), { maxLength: 4, selector: ({ name }) => name }),
      group: fc.constantFrom<Group | undefined>("atLeastOneOf", "exactlyOneOf", undefined),
      condition: fc.boolean(),
    })
    .map(({ fields, group, condition }): Field => {
      const names = fields.filter(({ optional }) => optional === true).map(({ name }) => name ?? "");
      const [first, second, ...rest] = names;
      if (group !== undefined && first !== undefined && second !== undefined)
        return { fields, [group]: [[first, second, ...rest.slice(0, 1)]] };
      const flag = fields.find(({ type, optional }) => type === "boolean" && optional !== true);
      if (!condition || flag === undefined || first === undefined) return { fields };
      const when = { field: flag["name"] ?? "", is: [true] };
      return {
        fields: fields.map(({ optional, ...each }) =>
          each["name"] === first
            ? { ...each, requiredWhen: when }
            : optional === undefined
              ? each
              : { ...each, optional },
        ),
      };
    });
}

const payload: fc.Arbitrary<Json> = fc.oneof(
  objectBody(2, typesMax),
  fc.nat(typesMax - 1).map((at) => `Thing${at}`),
  fc.array(objectBody(2, typesMax), { minLength: 2, maxLength: 3 }).map((bodies) => ({
    selectedBy: "stored",
    forms: formsOf(bodies),
  })),
  fc.array(objectBody(1, typesMax), { minLength: 2, maxLength: 3 }).map((bodies) => ({
    selectedBy: "variant",
    forms: formsOf(
      bodies.map((body, at) => ({
        ...body,
        fields: [
          { name: "variant", type: "string", const: `form-${at}`, doc: "Which." },
          ...(Array.isArray(body["fields"]) ? body["fields"] : []),
        ],
      })),
    ),
  })),
);

function formsOf(bodies: readonly Field[]): Field {
  return Object.fromEntries(
    bodies.map((body, at) => [`form${at}`, { doc: "A form.", section: "1", ...body }]),
  );
}

const look = {
  doc: "Looks.",
  section: "1",
  effect: "read",
  auth: ["credential", "keyId", "signature"],
  payload: { fields: [{ name: "id", type: "string", doc: "What at." }] },
  result: { fields: [{ name: "id", type: "string", doc: "What at." }] },
};

/** A body without an envelope: fields of its own tell it apart, required ones or some of those that are optional. */
const flatMethod = fc.record({
  body: objectBody(1, typesMax),
  result: objectBody(1, typesMax),
  selectors: fc.integer({ min: 1, max: 2 }),
  isOptional: fc.boolean(),
  effect: fc.constantFrom("read", "set", "create"),
  doc,
});

function flatOf(
  { body, result, selectors, isOptional, effect, doc }: FlatMethod,
  at: number,
): { readonly [key: string]: Json } {
  const names = Array.from({ length: selectors }, (_, index) => `flat${at}${"ab".charAt(index)}`);
  const own = names.map((name, index) => ({
    name,
    type: "string",
    doc: "Tells it apart.",
    ...(isOptional && index > 0 ? { optional: true } : {}),
  }));
  // The names of this body's other fields are those of no selector.
  const fields = [...own, ...(Array.isArray(body["fields"]) ? body["fields"] : [])];
  return { doc, section: "1", effect, flat: { selectedBy: names }, payload: { ...body, fields }, result };
}

type FlatMethod = typeof flatMethod extends fc.Arbitrary<infer T> ? T : never;

/** The sections of a legal spec, but for its interface and its errors. */
export const randomSpec = fc
  .record({
    things: fc.tuple(...Array.from({ length: typesMax }, (_, at) => objectBody(1, at))),
    methods: fc.array(
      fc.record({
        payload,
        result: fc.oneof(
          objectBody(2, typesMax),
          fc.nat(typesMax - 1).map((at) => `Thing${at}`),
        ),
        auth,
        effect: fc.constantFrom("read", "set", "create"),
        doc,
        isJsonrpcAbsent: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    flat: fc.array(flatMethod, { maxLength: 2 }),
    hasEvent: fc.boolean(),
  })
  .map(({ things, methods, flat, hasEvent }) => ({
    types: {
      Price: { doc: "A price.", section: "1", type: "money" },
      Small: { doc: "A small number.", section: "1", type: "integer", minimum: 0, maximum: 3 },
      Kind: {
        doc: "A kind.",
        section: "1",
        enum: ["A", "b-c", "default"].map((value) => ({ value, doc: "One." })),
      },
      ...Object.fromEntries(
        things.map((body, at) => [`Thing${at}`, { doc: "A thing.", section: "1", ...body }]),
      ),
    },
    methods: Object.fromEntries([
      // Something that can be asked for and changes nothing: by it the suite finds out whether it is let in.
      ["S.Look", look],
      ...methods.map(({ isJsonrpcAbsent, ...method }, at) => [
        `S.Do${at}`,
        { ...method, section: "1", ...(isJsonrpcAbsent ? { jsonrpc: "absent" } : {}) },
      ]),
      ...flat.map((method, at) => [`Flat${at}`, flatOf(method, at)]),
    ]),
    ...(hasEvent
      ? {
          events: {
            "Thing.NEW": { doc: "New.", section: "1", payload: "Thing0", otherCauses: ["By hand."] },
          },
        }
      : {}),
  }));
