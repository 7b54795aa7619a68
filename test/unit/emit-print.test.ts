import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { docComment } from "../../generator/print/doc-comment.ts";
import { formatText } from "../../generator/output/format.ts";
import { layOut, type Printable } from "../../generator/print/layout.ts";
import { jsonLiteral, jsonText, propertyName, stringLiteral } from "../../generator/print/literals.ts";
import { importedType, importedValue, printModule } from "../../generator/print/module.ts";
import { typeDeclaration, unionDeclaration } from "../../generator/print/type-expression.ts";
import { documented, field, object } from "./emit-library-model.ts";
import { anyCharacter, fc, runs } from "../seed.ts";

describe("A doc comment", () => {
  it("takes one line if it fits there", () => {
    expect(comment({ doc: "Owning customer.", decisions: ["D-07"] })).toBe(
      "/** Owning customer. @see D-07 */",
    );
  });

  it("names the section before the decisions, and tells what is deprecated since when", () => {
    const remarks = { doc: "Old.", section: "4.12", decisions: ["D-31", "D-33"], since: "1.0.2" };
    expect(comment({ ...remarks, deprecated: "Use `new`." })).toBe(
      `/**
 * Old.
 *
 * @see section 4.12 · D-31 · D-33
 * @since 1.0.2
 * @deprecated Use \`new\`.
 */`,
    );
  });

  it("wraps prose and keeps paragraphs", () => {
    const text = comment({ doc: `${"word ".repeat(40)}\n\nSecond\nparagraph.` });
    expect(text.split("\n")).toHaveLength(6);
    expect(text).toContain("\n *\n * Second paragraph.\n */");
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
  });

  it("is nothing where there is nothing to say", () => {
    expect(comment({ doc: " \n ", decisions: [] })).toBe("");
  });

  it("does not let prose start a tag or an endless code span", () => {
    expect(comment({ doc: "Mail a@b.example, not @everyone or {@link x}." })).toBe(
      "/** Mail a@b.example, not \\@everyone or {\\@link x}. */",
    );
    expect(comment({ doc: "Opens a ` and `closes`." })).toContain("\\`");
    expect(comment({ doc: "Has `code`." })).toBe("/** Has `code`. */");
  });

  it("ends where it should, whatever it says", () => {
    fc.assert(
      fc.property(hostileText(), hostileText(), hostileText(), (doc, deprecated, usage) => {
        const text = layOut([docComment({ doc, deprecated, usage }), "const after = 1;"]);
        const end = text.indexOf("*/");
        expect(end === -1 ? text : text.slice(end + 2)).toMatch(/^\n?const after = 1;$/);
      }),
    );
  });
});

describe("A literal", () => {
  it("means the text it was made of", () => {
    fc.assert(
      fc.property(hostileText(), (text) => {
        const literal = stringLiteral(text);
        expect(evaluated(literal)).toBe(text);
        expect(literal).not.toMatch(/[\u2028\u2029\n]/);
      }),
    );
  });

  it("is in the quotes that need fewer escapes", () => {
    expect(stringLiteral("it's")).toBe('"it\'s"');
    expect(stringLiteral('the "one"')).toBe("'the \"one\"'");
  });

  it("means the value it was made of, and is printed as prettier prints it", async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    await fc.assert(
      fc.asyncProperty(value, async (json) => {
        const text = await formatText("a.ts", `export const value = ${jsonLiteral(json)};\n`);
        expect(JSON.stringify(evaluated(text.slice(21, -2)))).toBe(JSON.stringify(json));
        expect(await format(text, { parser: "typescript", printWidth: 110 })).toBe(text);
      }),
      { numRuns: runs(60) },
    );
  });

  it("quotes the names of members only where it has to", () => {
    expect(propertyName("legalReps")).toBe("legalReps");
    expect(propertyName("class")).toBe("class");
    expect(propertyName("title-page")).toBe('"title-page"');
    expect(propertyName("Zoë")).toBe('"Zoë"');
    expect(jsonLiteral(JSON.parse('{ "__proto__": 1 }'))).toBe('{ ["__proto__"]: 1 }');
  });
});

describe("A JSON document", () => {
  it("holds the value it was made of, and is printed as prettier prints it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (json) => {
        const text = await formatText("document.json", jsonText(json));
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(json));
        expect(await format(text, { parser: "json", printWidth: 110 })).toBe(text);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe("A module", () => {
  const path = "generated/library/methods.ts";

  it("imports what it prints, once, and nothing else", () => {
    const body: readonly Printable[] = [
      ["type A = ", importedType("Kind", "generated/library/types.ts"), ";"],
      ["type B = ", importedType("Kind", "generated/library/types.ts"), ";"],
      ["const c = ", importedValue("make", "runtime/contract/index.ts"), "();"],
    ];
    expect(printModule({ path, declares: ["A", "B", "c"], body })).toBe(
      `import { make } from "../../runtime/contract/index.ts";
import type { Kind } from "./types.ts";

type A = Kind;

type B = Kind;

const c = make();
`,
    );
  });

  it("gives a local name to what it cannot import under its own", () => {
    const body = [
      [importedValue("validate", "a.js", "validateA"), importedValue("validate", "b.js", "validateA"), ";"],
    ];
    const text = printModule({ path: "c.ts", declares: [], body });
    expect(text).toContain('import { validate as validateA } from "./a.js";');
    expect(text).toContain('import { validate as validateA_ } from "./b.js";');
  });
});

describe("A type", () => {
  const style = { money: "Decimal", doubledSpellings: false };

  it("is a union that fits the line, or takes a line for each member", async () => {
    for (const count of [1, 3, 9]) {
      const members = Array.from({ length: count }, (_, index) => `"MEMBER_NUMBER_${index}"`);
      const text = await formatText("a.ts", layOut(unionDeclaration("Union", { doc: "Some." }, members)));
      expect(await format(text, { parser: "typescript", printWidth: 110 })).toBe(text);
    }
    expect(layOut(unionDeclaration("None", {}, []))).toBe("export type None = never;");
  });

  it("has no members, or members of its own: never an interface that takes anything", () => {
    const empty = typeDeclaration("Empty", {}, object([]), new Map(), style);
    expect(layOut(empty)).toBe("export type Empty = { readonly [name: string]: never };");
  });

  it("says what an enum's values mean", async () => {
    const value = (name: string, doc: string) => ({
      ...documented(doc),
      value: name,
      names: { type: name, value: name, file: name },
    });
    for (const values of [[value("A", "First.")], [value("A", "First."), value("B", "Second.")]]) {
      const printed = layOut(typeDeclaration("Letter", {}, { kind: "enum", values }, new Map(), style));
      const text = await formatText("a.ts", printed);
      expect(text).toContain("/** First. */");
      expect(await format(text, { parser: "typescript", printWidth: 110 })).toBe(text);
    }
  });

  it("says which fields go together", () => {
    const fields = ["a", "b"].map((name) => field(name, { kind: "string" }));
    const shape = { ...object(fields), atLeastOneOf: [["a", "b"]] };
    const text = layOut(typeDeclaration("Pair", { doc: "A pair" }, shape, new Map(), style));
    expect(text).toContain("/** A pair. At least one of `a`, `b` is present. */");
  });

  it("marks what may be absent, and what only some values of a sibling require", () => {
    const when = { kind: "required-when", field: "kind", values: ["X"] } as const;
    const shape = object([
      field("kind", { kind: "string" }),
      field("more", { kind: "money" }, { presence: when }),
      field("list", { kind: "array", items: { kind: "boolean", const: true }, unique: false }),
    ]);
    const text = layOut(typeDeclaration("Thing", {}, shape, new Map(), style));
    expect(text).toContain("readonly kind: string;");
    expect(text).toContain("/** Required when `kind` is `X`. */\nreadonly more?: Decimal;");
    expect(text).toContain("readonly list: readonly true[];");
  });
});

function comment(remarks: Parameters<typeof docComment>[0]): string {
  return layOut(docComment(remarks)).trimEnd();
}

function hostileText() {
  const pieces = ["*/", "/*", "`", "@", "\\", "\n\n", "\u2028", "'", '"', "${", "{@link", "\r", "*", "/"];
  const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: anyCharacter }));
  return fc.array(piece).map((parts) => parts.join(""));
}

function evaluated(expression: string): unknown {
  return new Function(`return ${expression}`)();
}
