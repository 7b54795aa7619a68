import { describe, expect, test } from "vitest";
import { clientNames } from "../../generator/emit/client/names.ts";
import { loadServiceModel, type Names, type ServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/source/index.ts";
import { baseProject, readerOf } from "./diagnostics-cases.ts";
import { fc, runs } from "../seed.ts";

describe("names", () => {
  test("read as a person would write them", () => {
    const model = modelOf(`
types:
  DDAAccount: { doc: Kept as it is., type: string }
  DOB: { doc: Kept as it is., type: string }
  line_item: { doc: Two words., type: string }
  Colour:
    doc: Values.
    enum: [{ value: BRIGHT_RED }, { value: R2P }, { value: 2FA }, { value: delete }, { value: "*" }]
events:
  Book.NEW: { doc: New., payload: Book, otherCauses: [By hand.] }
methods:
  BookService.GetBooksByISBN: { ${method} }
  BookService.delete: { ${method} }
`);
    expect(typeNames(model, "DDAAccount")).toEqual({
      type: "DDAAccount",
      value: "ddaAccount",
      file: "dda-account",
    });
    expect(typeNames(model, "DOB")).toEqual({ type: "DOB", value: "dob", file: "dob" });
    expect(typeNames(model, "line_item")).toEqual({ type: "LineItem", value: "lineItem", file: "line-item" });
    expect(model.events[0]?.names).toEqual({ type: "BookNew", value: "bookNew", file: "book-new" });
    expect(model.errors.find(({ code }) => code === "NOT_FOUND_BOOK")?.names.type).toBe("NotFoundBook");
    expect(methodNames(model, "BookService.GetBooksByISBN")).toEqual({
      type: "GetBooksByISBN",
      value: "getBooksByISBN",
      file: "get-books-by-isbn",
    });
    expect(methodNames(model, "BookService.delete")).toEqual({
      type: "Delete",
      value: "deleteMethod",
      file: "delete",
    });
    const colour = model.types.find(({ name }) => name === "Colour")?.shape;
    const values = colour?.kind === "enum" ? colour.values.map(({ names }) => names.type) : [];
    expect(values.slice(0, 4)).toEqual(["BrightRed", "R2p", "_2fa", "Delete"]);
    expect(values[4]).toMatch(/^_[0-9a-z]{8}$/);
  });

  test("of methods are no members that the language calls, neither of a client nor of its groups", () => {
    const called = ["then", "toJSON", "toString", "valueOf", "hasOwnProperty", "constructor"];
    const methods = called.map((name) => `  BookService.${name}: { ${method} }\n`).join("");
    const model = modelOf(`methods:\n${methods}`);
    const values = model.methods.map(({ names }) => names.value);
    expect(values).toEqual(expect.arrayContaining(called.map((name) => `${name}Method`)));
    const members = clientNames(model).groups.flatMap((group) => group.members.map(({ name }) => name));
    expect(members).toEqual(expect.arrayContaining(called.map((name) => `${name}_`)));
  });

  test("of types do not shadow what generated code relies on, nor what is generated for methods", () => {
    const model = modelOf(`
types:
  Promise: { doc: X., type: string }
  PromiseType: { doc: X., type: string }
  string-list: { doc: X., type: array of string }
  Decimal: { doc: X., type: string }
  GetBookPayload: { doc: X., type: string }
  GetBook: { doc: X., type: string }
  LibraryHandlers: { doc: X., type: string }
  class: { doc: X., type: string }
`);
    expect(typeNames(model, "PromiseType")?.type).toBe("PromiseType");
    expect(typeNames(model, "Promise")?.type).toMatch(/^Promise_\w{8}$/);
    expect(typeNames(model, "Decimal")?.type).toBe("DecimalType");
    expect(typeNames(model, "GetBookPayload")?.type).toBe("GetBookPayloadType");
    expect(typeNames(model, "GetBook")?.type).toBe("GetBookType");
    expect(typeNames(model, "LibraryHandlers")?.type).toBe("LibraryHandlersType");
    expect(typeNames(model, "class")).toEqual({ type: "Class", value: "classType", file: "class" });
  });

  test("of forms keep off what is generated for other methods", () => {
    const model = modelOf(`
methods:
  BookService.Lend:
    doc: Lends.
    effect: set
    auth: []
    payload:
      selectedBy: stored
      forms: { adult: { fields: [] }, Adult: { fields: [] } }
    result: { fields: [] }
types:
  LendAdultPayload: { doc: X., type: string }
`);
    const payload = model.methods.find(({ operation }) => operation === "Lend")?.payload;
    const forms = payload?.kind === "forms" ? payload.forms : [];
    expect(forms.find(({ name }) => name === "Adult")?.names.type).toBe("Adult");
    expect(forms.find(({ name }) => name === "adult")?.names.type).toMatch(/^Adult_\w{8}$/);
    expect(typeNames(model, "LendAdultPayload")?.type).toBe("LendAdultPayloadType");
  });

  test("of operations that two services share say the service", () => {
    const services = "BookService: { doc: Books. }\n    ReaderService: { doc: Readers. }";
    const interfaceText = base().get("library/interface.yaml") ?? "";
    const model = modelOf(
      `methods:\n  BookService.Get: { ${method} }\n  ReaderService.Get: { ${method} }\n  ReaderService.Add: { ${method} }\n`,
      new Map([["library/interface.yaml", interfaceText.replace(/BookService: .*/, services)]]),
    );
    expect(methodNames(model, "BookService.Get")?.type).toBe("BookServiceGet");
    expect(methodNames(model, "ReaderService.Get")?.type).toBe("ReaderServiceGet");
    expect(methodNames(model, "ReaderService.Add")?.type).toBe("Add");
  });

  test("of standard methods depend on the method alone", () => {
    const named = (methods: readonly string[], services: string) => {
      const text = `interface: { name: shop, wire: { protocol: json-rpc-2.0 }, services: { ${services} } }\nmethods:\n${methods.map((name) => `  ${name}: { effect: read }\n`).join("")}`;
      const { value } = loadServiceModel("spec", () => [sourceText("spec/shop.yaml", text)]);
      return value?.methods.find(({ name }) => name === "orders.get")?.names;
    };
    const alone = named(["orders.get"], "orders: {}");
    expect(alone).toEqual({ type: "OrdersGet", value: "ordersGet", file: "orders-get" });
    expect(named(["orders.get", "items.get"], "orders: {}, items: {}")).toEqual(alone);
    expect(named(["orders.get", "get"], "")).toEqual(alone);
  });

  test("that would be equal are told apart by a suffix that depends on each alone", () => {
    const together = modelOf(
      "types:\n  foo: { doc: X., type: string }\n  Foo: { doc: X., type: string }\n  f_oo: { doc: X., type: string }\n",
    );
    expect(typeNames(together, "Foo")).toEqual({ type: "Foo", value: "foo", file: "foo" });
    expect(typeNames(together, "foo")?.type).toMatch(/^Foo_\w{8}$/);
    expect(typeNames(together, "f_oo")).toEqual({ type: "FOo", value: "fOo", file: "f-oo" });
    const withMore = modelOf(
      "types:\n  FOO: { doc: X., type: string }\n  foo: { doc: X., type: string }\n  Foo: { doc: X., type: string }\n",
    );
    expect(typeNames(withMore, "foo")).toEqual(typeNames(together, "foo"));
    expect(typeNames(withMore, "Foo")?.type).toBe("Foo");
    expect(typeNames(withMore, "FOO")?.type).toBe("FOO");
  });

  test("keep letters of any script, files are ASCII", () => {
    const model = modelOf(
      "types:\n  Größe: { doc: X., type: string }\n  客户: { doc: X., type: string }\n  Café: { doc: X., type: string }\n",
    );
    expect(typeNames(model, "Größe")).toMatchObject({ type: "Größe", value: "größe" });
    expect(typeNames(model, "Größe")?.file).toMatch(/^groe-\w{8}$/);
    expect(typeNames(model, "客户")).toMatchObject({ type: "客户" });
    expect(typeNames(model, "客户")?.file).toMatch(/^\w{8}$/);
  });

  test("are legal, distinct and short, whatever the spec calls things", () => {
    const first = fc.constantFrom(..."abcXYZéß_$客𝒜");
    const rest = fc
      .array(fc.constantFrom(..."aAbBxX019_-.$éß客𝒜"), { maxLength: 8 })
      .map((part) => part.join(""));
    const reserved = fc.constantFrom(
      "Promise",
      "promise",
      "class",
      "con",
      "index",
      "GetBookPayload",
      "z",
      "Record",
      "PromiseType",
    );
    const long = fc.constantFrom(..."abc").map((letter) => "LongName".repeat(25) + letter);
    const name = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(first, rest).map((parts) => parts.join("")) },
      reserved,
      long,
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 30 }), (names) => {
        const definition = (each: string) => `  ${JSON.stringify(each)}: { doc: X., type: string }\n`;
        const legal = names.filter((each) => each !== "Book" && each !== "Genre");
        const model = modelOf(`types:\n${legal.map(definition).join("")}`);
        const again = modelOf(`types:\n${legal.toReversed().map(definition).join("")}`);
        expect(again.types.map((type) => [type.name, type.names])).toEqual(
          model.types.map((type) => [type.name, type.names]),
        );
        const all = [...model.types, ...model.methods, ...model.errors, ...model.services].map(
          (thing) => thing.names,
        );
        expect(new Set(all.map(({ type }) => type)).size).toBe(all.length);
        expect(new Set(all.map(({ value }) => value)).size).toBe(all.length);
        expect(new Set(all.map(({ file }) => file.toLowerCase())).size).toBe(all.length);
        for (const { type, value, file } of all) {
          expect(type).toMatch(/^[\p{ID_Start}_][\p{ID_Continue}]{0,90}$/u);
          expect(() => new Function(`"use strict"; const ${value} = 1; class ${type}1 {}`)).not.toThrow();
          expect(file).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
          expect(["Promise", "Record", "GetBookPayload"]).not.toContain(type);
        }
      }),
      { numRuns: runs(60) },
    );
  });
});

const method = "doc: X., effect: set, auth: [], payload: { fields: [] }, result: { fields: [] }";

function base() {
  return baseProject();
}

function modelOf(yaml: string, more: ReadonlyMap<string, string> = new Map()): ServiceModel {
  const files = new Map([...base(), ...more, ["library/more.yaml", yaml]]);
  const { value, diagnostics } = loadServiceModel("library", readerOf(files));
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

function typeNames(model: ServiceModel, name: string): Names | undefined {
  return model.types.find((type) => type.name === name)?.names;
}

function methodNames(model: ServiceModel, name: string): Names | undefined {
  return model.methods.find((each) => each.name === name)?.names;
}
