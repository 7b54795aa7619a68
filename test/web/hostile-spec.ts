import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";

/** Leaves its mark on a page where a browser takes it for more than a text. */
const markup =
  `</p></script></textarea></title>--><script>globalThis.hacked = 1</script><img src=x onerror="hacked=1">` +
  `<svg onload=hacked=1>"'\${x}{{y}}{{{z}}}]]><a href="javascript:hacked=1">`;
const longWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk".repeat(6);
/** Turned about by an override of its direction that never ends, and with characters that have no width. */
const turned = "zero\u200Bwidth\u200D\u2060\uFEFF \u2066مرحبا\u2069 \u202Eדוח שנתי";
const longName = "veryLongName".repeat(14);
const text = `${markup} ${longWord} ${turned} \`${longWord}\` \`${markup}\``;
const doc = { doc: text };

/** Names that JavaScript objects already have, texts that look like markup or a path, long texts and line breaks. */
const names: readonly string[] = [
  "hasOwnProperty",
  "toString",
  "valueOf",
  "__proto__x",
  "then",
  "length",
  "name",
  "id",
  "0",
  "#",
  "?",
  "..",
  "a/b",
  "a~b",
  "a.b",
  "a b",
  "<b>bold</b>",
  `"><img src=x onerror=hacked=1>`,
  "\u202Eקוד",
  "zero\u200Bwidth",
  "日本語",
  "😀",
  longName,
  longWord,
];
const fields = names.map((name, at) => ({
  name,
  type: "string",
  optional: true,
  ...doc,
  ...(at % 4 === 0 && { pattern: `^(?:${"[a-z][0-9]".repeat(20)})?$` }),
  ...(at % 4 === 1 && { example: markup }),
}));

const types = {
  /** Contains itself: at once, by way of another one, in lists. */
  Tree: {
    ...doc,
    fields: [
      { name: "label", type: "string", ...doc, example: markup },
      { name: "self", type: "Tree", optional: true, ...doc },
      { name: "other", type: "Branch", optional: true, ...doc },
      { name: "all", type: "array of Tree", optional: true, ...doc },
    ],
  },
  Branch: {
    ...doc,
    fields: [
      { name: "left", type: "Tree", optional: true, ...doc },
      { name: "right", type: "Tree", optional: true, ...doc },
      ...fields,
    ],
  },
  /** Each uses the next one twice: written out, the first has 2^40 fields. */
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => {
      const type = at === 39 ? "string" : `Twice${at + 1}`;
      const inner = (name: string) => ({ name, type, optional: true, ...doc });
      return [`Twice${at}`, { ...doc, fields: [inner("one"), inner("two")] }];
    }),
  ),
  Enormous: {
    ...doc,
    enum: [
      ...[...names, "__proto__", "constructor", "prototype"].map((value) => ({ value, ...doc })),
      ...Array.from({ length: 2_000 }, (_, at) => ({ value: `VALUE_${at}`, doc: "One of many." })),
    ],
  },
  State: { ...doc, enum: ["constructor", longName, "<b>"].map((value) => ({ value, ...doc })) },
  constructor: { ...doc, fields: [{ name: "state", type: "State", optional: true, ...doc }, ...fields] },
};

const payload = {
  fields: [
    { name: "tree", type: "Tree", ...doc },
    { name: "twice", type: "Twice0", optional: true, ...doc },
    { name: "value", type: "Enormous", optional: true, ...doc },
    { name: "values", type: "array of Enormous", optional: true, ...doc },
    ...fields,
  ],
};
const result = {
  fields: [
    { name: "made", type: "constructor", optional: true, ...doc },
    { name: "tree", type: "Tree", optional: true, ...doc },
  ],
};
// In a message braces hold what is filled in.
const error = { ...doc, message: text.replaceAll(/[{}]/g, ""), condition: text, action: text };
const methodNames = ["constructor", "then", longName, "toString"];
const examples = [
  { name: text, payload: { tree: { label: markup, self: { label: longWord } } }, result: {} },
];
const method = {
  ...doc,
  effect: "set",
  payload,
  result,
  errors: { constructor: {} },
  examples,
  deprecated: text,
};
const rules = { "all-of-it": doc };

function statesBy(by: string) {
  return {
    constructor: {
      ...doc,
      type: "State",
      transitions: [
        { from: "none", by, to: "constructor", condition: text, effects: [text] },
        { from: "constructor", by, to: longName, condition: text },
        { from: "any", by, to: "<b>" },
      ],
    },
  };
}

const standard = {
  interface: {
    name: "hostile",
    title: text,
    ...doc,
    revision: "1.0.0",
    wire: { protocol: "json-rpc-2.0", params: "either", transports: ["http"] },
    security: [],
  },
  types,
  methods: Object.fromEntries(methodNames.map((name) => [name, method])),
  errors: { constructor: { code: -32_050, ...error }, [longName]: { code: -32_051, ...error } },
  states: statesBy("toString"),
  rules,
};

const member = { ...doc, missing: "constructor" };
const members = { credential: member, signature: member, apiKey: member, keyId: member };
const faults = Object.fromEntries(
  ["badInput", "unauthorized", "badCredential", "unknownKey", "invalidSignature"]
    .concat("conflict", "rateLimited", "unavailable", "internal")
    .map((fault) => [fault, "constructor"]),
);
const signed = {
  interface: {
    name: "hostile",
    title: text,
    ...doc,
    revision: "1.0.0",
    path: "/rpc",
    services: { constructor: doc, [longName]: doc },
    auth: {
      members,
      headers: { "X-A`b": { ...doc, format: markup } },
    },
    faults,
  },
  types,
  methods: Object.fromEntries(
    ["constructor", longName].flatMap((service) =>
      methodNames.map((name) => [`${service}.${name}`, { ...method, auth: Object.keys(members) }]),
    ),
  ),
  errors: {
    constructor: { ...error, httpStatus: 400, rpcCode: -32_602, everyMethod: true },
    [longName]: { ...error, httpStatus: 409, rpcCode: -32_003 },
  },
  events: {
    constructor: { ...doc, payload: "Tree", otherCauses: [text] },
    [longName]: { ...doc, payload: "Branch" },
  },
  states: statesBy("constructor.toString"),
  rules,
};

/** The model of a spec that is written against the pages. */
export function hostileModel(protocol: "signed-envelope" | "json-rpc-2.0"): ServiceModel {
  const spec = protocol === "json-rpc-2.0" ? standard : signed;
  const { value, diagnostics } = loadServiceModel("spec", () => [
    { path: "hostile.yaml", text: JSON.stringify(spec) },
  ]);
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}
