import type { Expectation, RequestPlan } from "../../../../conformance/suite/case.ts";
import { endpoint, minimalBase, type CaseList } from "../../../targets/conformance/case-list.ts";

/** Adds a case of a rule: its name, its title, its request. */
type AddHygiene = (name: string, title: string, request: RequestPlan) => void;
/** `also`: a further rule that the cases rest on. */
type AddOf = (rule: string, expect: Expectation, also?: string) => AddHygiene;

/** Bodies that are not JSON, and JSON that callers should not send. */
export function hygieneCases(list: CaseList): void {
  const { probe } = list;
  if (probe === undefined) return;
  const base = minimalBase(list.entryOf(probe));
  const badInput = list.fault("badInput");
  const add: AddOf =
    (rule, expect, also = rule) =>
    (name, title, request) => {
      const further = list.suite.rules[also];
      if (!list.has(rule)) return;
      list.add({
        method: endpoint,
        name: ["json", name],
        title,
        level: "decisions",
        rule,
        stated: further === undefined ? [] : [further],
        request: request.raw === undefined ? { base, ...request } : request,
        expect,
      });
    };
  const refused: Expectation = { kind: "error", codes: [badInput], status: [200, 400], id: "any" };
  unparseableBodies(
    add("unparseable-body", { kind: "error", codes: [badInput], status: 400, rpcCode: -32700, id: null }),
  );
  const breach = add("json-hygiene", refused);
  brokenBytes(breach);
  repeatedNames(breach);
  beyondLimits(breach);
  controlCharacterCases(add("control-characters", refused));
  const taken: Expectation = { kind: "result" };
  withinLimits(add("json-hygiene", taken, "unknown-fields"));
  add("json-hygiene", taken)("blanks-around", "blanks around the body", {
    body: [
      ["^", " \n"],
      ["$", "\r\n "],
    ],
  });
  bodySizes(add, badInput);
}

function unparseableBodies(unparseable: AddHygiene): void {
  unparseable("empty", "an empty body", { raw: "" });
  unparseable("blank", "a body of blanks", { raw: "  \n" });
  unparseable("text", "a body that is no JSON", { raw: "not json" });
  unparseable("cut", "a body cut short", { raw: '{"method":"x","id":"1","params":{"api":{' });
  unparseable("trailing-comma", "a comma too many", { raw: '{"method":"x","id":"1","params":{},}' });
  unparseable("single-quotes", "single quotes", { raw: "{'method':'x','id':'1'}" });
  unparseable("comment", "a comment", { raw: '{"method":"x",/* c */"id":"1"}' });
  unparseable("leading-zero", "a number with a leading zero", { raw: '{"method":"x","id":"1","x":01}' });
  unparseable("nan", "NaN", { raw: '{"method":"x","id":"1","x":NaN}' });
  unparseable("control-character", "a control character in a string", {
    raw: '{"method":"x","id":"a\u0001b"}',
  });
}

function brokenBytes(breach: AddHygiene): void {
  breach("trailing-bytes", "bytes after the body", { body: [["$", " x"]] });
  breach("two-values", "two bodies in one", { body: [["$", "{}"]] });
  breach("byte-order-mark", "a byte order mark", { body: [["^", "\uFEFF"]] });
  for (const [name, title, bytes] of [
    ["invalid-utf8", "a byte that UTF-8 never has", [0xff]],
    ["overlong-utf8", "an overlong UTF-8 sequence", [0xc0, 0xaf]],
    ["cut-utf8", "a UTF-8 sequence cut short", [0xe2, 0x82]],
    ["surrogate-utf8", "a surrogate as three bytes", [0xed, 0xa0, 0x80]],
  ] as const) {
    breach(name, title, { body: [['"id":"', { $text: ['"id":"', ...bytes.map(($byte) => ({ $byte }))] }]] });
  }
  breach("lone-surrogate", "half a surrogate pair", { body: [['"id":"', '"id":"\\ud800']] });
}

function repeatedNames(breach: AddHygiene): void {
  for (const [name, from, to] of [
    ["duplicate-key", '{"id"', '{"id":"x","id"'],
    ["duplicate-method", '"method"', '"method":"x","method"'],
    ["duplicate-params", '"params"', '"params":{},"params"'],
    ["duplicate-in-api", '"credential"', '"credential":"x","credential"'],
    ["duplicate-payload", '"payload"', '"payload":{},"payload"'],
    ["duplicate-escaped", '{"id"', '{"\\u0069d":"x","id"'],
  ] as const) {
    breach(name, `a name twice: ${name.replace("duplicate-", "")}`, { body: [[from, to]] });
  }
  for (const [name, to] of [
    ["inner", '{"a":1,"a":2}'],
    ["inner-escaped", '{"a":1,"\\u0061":2}'],
    ["item", '[{"b":{"a":1,"a":1}}]'],
    ["of-many", `{${Array.from({ length: 30 }, (_, index) => `"m${index}":1`).join(",")},"m3":2}`],
  ] as const) {
    breach(`duplicate-${name}`, `a name twice, ${name}`, { ...extra("put-in"), body: [['"put-in"', to]] });
  }
}

function beyondLimits(breach: AddHygiene): void {
  breach("too-deep", "33 levels", extra(nested(30)));
  breach("objects-too-deep", "33 levels of objects", extra(nestedObjects(30)));
  breach("string-too-long", "a string of 4,097 characters", extra({ $repeat: ["x", 4097] }));
  breach("array-too-long", "an array of 1,001 items", extra({ $list: [0, 1001] }));
  for (const key of ["__proto__", "constructor", "prototype"]) {
    breach(`key-${key}`, `a member called ${key}`, { edits: [{ op: "set", at: `/${key}`, value: {} }] });
  }
  breach("infinite-number", "a number beyond all doubles", {
    ...extra("put-in"),
    body: [['"put-in"', "1e400"]],
  });
  breach("key-too-long", "a name of 4,097 characters", {
    ...extra(1),
    body: [["x-unknown", { $repeat: ["k", 4097] }]],
  });
}

function controlCharacterCases(control: AddHygiene): void {
  for (const [name, title, text] of controlCharacters) control(name, `${title} in a string`, extra(text));
  control("control-in-id", "a line break in the request's id", {
    envelope: [{ op: "set", at: "/id", value: "a\nb" }],
  });
  control("control-in-key", "a line break in a name", {
    ...extra(1),
    body: [["x-unknown", "x\\nunknown"]],
  });
  control("control-escaped", "U+009F as an escape", { ...extra("put-in"), body: [["put-in", "a\\u009Fb"]] });
}

/** In a member that no interface has: a service that refuses those takes none of them. */
function withinLimits(allowed: AddHygiene): void {
  allowed("deepest", "32 levels", extra(nested(29)));
  allowed("deepest-objects", "32 levels of objects", extra(nestedObjects(29)));
  allowed("same-name-elsewhere", "one name in several objects", extra([{ a: 1 }, { a: { a: 1 } }]));
  allowed("longest-string", "a string of 4,096 characters", extra({ $repeat: ["x", 4096] }));
  allowed(
    "longest-astral-string",
    "4,096 characters beyond the basic plane",
    extra({ $repeat: ["😀", 4096] }),
  );
  allowed("longest-array", "an array of 1,000 items", extra({ $list: [0, 1000] }));
  allowed("any-language", "text of many languages", extra("Łódź 東京 🏦 العربية \u00a0 \u2028"));
}

function bodySizes(add: AddOf, badInput: string): void {
  const large = add("json-hygiene", { kind: "error", codes: [badInput], status: 413, id: "any" });
  large("too-large", "a body of more than 256 KiB", { body: [["$", { $fill: 262_145 }]] });
  const largest = add("json-hygiene", { kind: "result" });
  largest("largest", "a body of 256 KiB", { body: [["$", { $fill: 262_144 }]] });
}

/** The ends of the two ranges of D-47, and what people type. */
const controlCharacters = [
  ["null-character", "U+0000", "a\u0000b"],
  ["line-feed", "a line feed", "a\nb"],
  ["carriage-return", "a carriage return", "a\rb"],
  ["tabulator", "a tabulator", "a\tb"],
  ["escape", "U+001B", "\u001b[31m"],
  ["unit-separator", "U+001F", "a\u001fb"],
  ["delete", "U+007F", "a\u007fb"],
  ["first-of-c1", "U+0080", "a\u0080b"],
  ["last-of-c1", "U+009F", "a\u009fb"],
] as const;

/** A payload with an unknown member. */
function extra(value: unknown): RequestPlan {
  return { edits: [{ op: "set", at: "/x-unknown", value }] };
}

function nestedObjects(depth: number): unknown {
  return Array.from({ length: depth }).reduce((inner) => ({ inner }), 0);
}

function nested(depth: number): unknown {
  return Array.from({ length: depth }).reduce((inner) => [inner], 0);
}
