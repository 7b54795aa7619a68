import { describe, expect, it } from "vitest";
import { charactersOf } from "../../conformance/values/problems.ts";
import { formatAccepts, problemsOf, type Reading, type Shape } from "../../conformance/values/index.ts";
import { formatPatterns } from "../../generator/print/string-formats.ts";

const text: Shape = { kind: "string" };
const whole: Shape = { kind: "integer" };

function object(fields: Readonly<Record<string, Shape>>, closed?: true): Shape {
  return {
    kind: "object",
    fields: Object.entries(fields).map(([name, shape]) => ({
      name,
      shape,
      presence: { kind: "required" },
      spellings: [],
      decisions: [],
    })),
    atLeastOneOf: [],
    exactlyOneOf: [],
    ...(closed === undefined ? {} : { closed }),
  };
}

const types: Readonly<Record<string, Shape>> = {
  Cat: object({ kind: { kind: "string", const: "cat" }, lives: whole }),
  Dog: object({ loud: { kind: "boolean" } }),
  Tree: object({ children: { kind: "array", items: { kind: "ref", type: "Tree" }, unique: false } }),
};

const reading: Reading = {
  direction: "response",
  resolve: (shape) => {
    const known = shape.kind === "ref" ? types[shape.type] : shape;
    if (known === undefined || known.kind === "ref") throw new Error("no such type");
    return known;
  },
};

/** Where a value does not fit, and how. */
function misfits(shape: Shape, value: unknown): readonly string[] {
  return problemsOf(shape, value, reading).map(({ at, kind }) => `${at} ${kind}`);
}

const nullable: Shape = { kind: "nullable", shape: text };
const either: Shape = { kind: "union", alternatives: [text, whole], exactlyOne: false };
const oneOf: Shape = { kind: "union", alternatives: [whole, { kind: "number" }], exactlyOne: true };
const pet: Shape = {
  kind: "tagged",
  discriminator: "kind",
  cases: [
    { tag: "cat", shape: { kind: "ref", type: "Cat" } },
    { tag: "dog", shape: { kind: "ref", type: "Dog" } },
  ],
};
const map: Shape = { kind: "map", values: whole, keys: { kind: "string", pattern: "^[a-z]+$" } };
const tuple: Shape = { kind: "tuple", items: [text, nullable] };
const level: Shape = { kind: "enum", values: [{ value: 1 }, { value: 2 }] };

describe("the suite's own check of values", () => {
  it.each<readonly [string, Shape, unknown, readonly string[]]>([
    ["null", { kind: "null" }, null, []],
    ["not null", { kind: "null" }, 0, [" type"]],
    ["a nullable text", nullable, "a", []],
    ["nothing in its place", nullable, null, []],
    ["a number in its place", nullable, 1, [" type"]],
    ["one alternative", either, 7, []],
    ["the other", either, "7", []],
    ["neither", either, true, [" alternative"]],
    ["exactly one", oneOf, 1.5, []],
    ["two at once", oneOf, 1, [" alternative"]],
    [
      "the alternative that is near",
      { kind: "union", alternatives: [text, object({ a: whole })], exactlyOne: false },
      { a: "x" },
      ["/a type"],
    ],
    ["a tag", pet, { kind: "cat", lives: 9 }, []],
    ["the shape of the tag", pet, { kind: "cat", lives: "9" }, ["/lives type"]],
    ["the shape of another tag", pet, { kind: "dog", lives: 9 }, ["/loud absent"]],
    ["a strange tag", pet, { kind: "cow" }, ["/kind value"]],
    ["no tag", pet, { lives: 9 }, ["/kind absent"]],
    ["no object", pet, "cat", [" type"]],
    ["a map", map, { a: 1, b: 2 }, []],
    ["a wrong value in a map", map, { a: "1" }, ["/a type"]],
    ["a wrong name in a map", map, { "A~": 1 }, ["/A~0 pattern"]],
    ["a list for a map", map, [1], [" type"]],
    ["a tuple", tuple, ["a", null], []],
    ["a tuple that is short", tuple, ["a"], [" items"]],
    ["a tuple that is long", tuple, ["a", null, null], [" items"]],
    ["a wrong item", tuple, [1, "a"], ["/0 type"]],
    ["anything", { kind: "json" }, [null, { a: [] }], []],
    ["a bigint", { kind: "bigint" }, 2 ** 60, []],
    ["half of one", { kind: "bigint" }, 0.5, [" type"]],
    ["an integer of an enum", level, 2, []],
    ["another integer", level, 3, [" value"]],
    ["its text", level, "2", [" type"]],
    ["above", { kind: "number", above: 0 }, 0.1, []],
    ["not above", { kind: "number", above: 0 }, 0, [" range"]],
    ["below", { kind: "integer", below: 10 }, 9, []],
    ["not below", { kind: "integer", below: 10 }, 10, [" range"]],
    ["a member too many", object({ a: whole }, true), { a: 1, b: 2 }, ["/b surplus"]],
    ["a member too many where it may be", object({ a: whole }), { a: 1, b: 2 }, []],
    ["a tree", { kind: "ref", type: "Tree" }, { children: [{ children: [] }] }, []],
    ["a broken branch", { kind: "ref", type: "Tree" }, { children: [{}] }, ["/children/0/children absent"]],
  ])("judges %s", (_name, shape, value, expected) => {
    expect(misfits(shape, value)).toEqual(expected);
  });

  it.each([
    ["uuid", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b8109dad11d180b400c04fd430c8"],
    ["uri", "urn:isbn:0451450523", "no scheme"],
    ["uri", "https://a.example/%20?q=1#x", "https://a.example/%2"],
    ["uri", "http://[::1]:8080/a?b", "http://[::1"],
    ["uri-reference", "http://[::1]:8080/a?b", "http://[::1"],
    ["uri-reference", "//[::1]/a", "/[::1]"],
    ["uri-reference", "?a=b#c", "a b"],
    ["email", "a.b+c@example.com", "a..b@example.com"],
    ["email", "a@b", "a@-b.example"],
    ["date-time", "2024-02-29t10:00:00.5+01:00", "2023-02-29T10:00:00Z"],
    ["iso-date", "2024-02-29", "2023-02-29"],
    ["ipv4", "127.0.0.1", "127.0.0.256"],
    ["ipv6", "2001:db8::1", "2001:db8::1::"],
    ["hostname", "a-b.example", "a_b.example"],
  ] as const)("knows the format %s", (format, right, wrong) => {
    const pattern = new RegExp(formatPatterns[format], "u");
    expect([formatAccepts(format, right), pattern.test(right)]).toEqual([true, true]);
    expect([formatAccepts(format, wrong), pattern.test(wrong)]).toEqual([false, false]);
  });
});

describe("the length of a text", () => {
  it.each(["", "a", "😀", "a😀b", "\ud83d", "\ude00\ud83d", "\ud83d\ud83d\ude00\ude00", "\ude00"])(
    "is its number of characters, a lone surrogate among them: %j",
    (value) => {
      expect(charactersOf(value)).toBe(Array.from(value).length);
    },
  );
});

describe("an enum", () => {
  const values = [{ value: "a" }, { value: "b" }];

  it("takes what it lists", () => {
    expect(misfits({ kind: "enum", values }, "c")).toEqual([" value"]);
  });

  it("that is open takes other values of its type in answers, and none in requests", () => {
    const open: Shape = { kind: "enum", open: true, values };
    expect(misfits(open, "c")).toEqual([]);
    expect(misfits(open, 1)).toEqual([" type"]);
    expect(problemsOf(open, "c", { ...reading, direction: "request" })).toHaveLength(1);
  });
});
