import { describe, expect, test } from "vitest";
import { emitter as client } from "../../generator/targets/client/index.ts";
import { signedClashes, clientNames } from "../../generator/protocols/signed/client/names.ts";
import { onePerItem, sharedNames } from "../../generator/targets/index.ts";
import { loadServiceModel, type Names, type ServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { baseProject, readerOf } from "./diagnostics-cases.ts";
import { fc, runs } from "../seed.ts";

describe("names", () => {
  test("of two lists are told apart by `name` in the `paging` of one", () => {
    const list = (name: string) =>
      `  ${name}: { effect: read, payload: { fields: [{ name: page, type: integer, minimum: 1 }] }, result: { fields: [{ name: books, type: array of string }] }, paging: { page: page, items: books } }`;
    const text = `interface: { name: shop, wire: { protocol: json-rpc-2.0 } }\nmethods:\n${list("new")}\n${list("used")}\n`;
    const { value } = loadServiceModel("spec", () => [sourceText("spec/shop.yaml", text)]);
    if (value === undefined) throw new Error("the spec is broken");
    expect(client.check?.(value).map(({ hint }) => hint)).toEqual([
      "give the newer of the two lists a name of its own: `name` in its `paging`",
    ]);
  });

  test("read as a person would write them", () => {
    const model = modelOf(`
types:
  DDAAccount: { doc: Kept as it is., type: string }
  DOB: { doc: Kept as it is., type: string }
  line_item: { doc: Two words., type: string }
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

  test("of types do not shadow what generated code relies on", () => {
    const model = modelOf(`
types:
  Promise: { doc: X., type: string }
  string-list: { doc: X., type: array of string }
  Decimal: { doc: X., type: string }
  LendBook: { doc: As no type of the method LendBook is called., type: string }
  LibraryHandlers: { doc: X., type: string }
  class: { doc: X., type: string }
`);
    expect(typeNames(model, "Promise")?.type).toBe("PromiseType");
    expect(typeNames(model, "Decimal")?.type).toBe("DecimalType");
    expect(typeNames(model, "LendBook")?.type).toBe("LendBook");
    expect(typeNames(model, "LibraryHandlers")?.type).toBe("LibraryHandlersType");
    expect(typeNames(model, "class")).toEqual({ type: "Class", value: "classType", file: "class" });
    expect(sharedNames(model)).toEqual([]);
  });

  test("are what the spec says, of methods, types, services, events and errors, in the client too", () => {
    const interfaceText = base().get("library/interface.yaml") ?? "";
    const model = modelOf(
      `types:\n  book-2: { codeName: NextBook, doc: X., type: string }\nevents:\n  Book.NEW: { codeName: Bought, doc: New., payload: Book, otherCauses: [By hand.] }\nerrors:\n  E-7: { codeName: TooLate, doc: X., message: Late., condition: X., action: X., httpStatus: 409, rpcCode: -32007 }\nmethods:\n  BookService.Get_Book: { codeName: FetchBook, ${method} }\n`,
      new Map([
        [
          "library/interface.yaml",
          interfaceText.replace(/BookService: .*/, "BookService: { doc: Books., codeName: Shelf }"),
        ],
      ]),
    );
    expect(typeNames(model, "book-2")).toEqual({ type: "NextBook", value: "nextBook", file: "next-book" });
    expect(methodNames(model, "BookService.Get_Book")?.value).toBe("fetchBook");
    expect(model.events[0]?.names.type).toBe("Bought");
    expect(model.errors.find(({ code }) => code === "E-7")?.names.type).toBe("TooLate");
    const [group] = clientNames(model).groups;
    expect([group?.name, group?.type]).toEqual(["shelf", "ShelfMethods"]);
    expect(group?.members.map(({ name }) => name)).toContain("fetchBook");
  });

  test("of signed methods depend on the method alone, in the client too", () => {
    const interfaceText = base().get("library/interface.yaml") ?? "";
    const services = "BookService: { doc: Books. }\n    FilmService: { doc: Films. }";
    const withServices = new Map([
      ["library/interface.yaml", interfaceText.replace(/BookService: .*/, services)],
    ]);
    const named = (methods: readonly string[]) => {
      const model = modelOf(
        `methods:\n${methods.map((name) => `  ${name}: { ${method} }\n`).join("")}`,
        withServices,
      );
      const members = clientNames(model).groups.flatMap((group) =>
        group.members.map((member) => [member.method.name, `${group.name}.${member.name}`]),
      );
      return { of: methodNames(model, "BookService.Fetch"), member: Object.fromEntries(members) };
    };
    const alone = named(["BookService.Fetch"]);
    expect(alone.of).toEqual({ type: "Fetch", value: "fetchMethod", file: "fetch" });
    expect(alone.member).toMatchObject({ "BookService.Fetch": "book.fetch" });
    const others = [
      "FilmService.Fetch",
      "BookService.FetchBook",
      "BookService.FetchBooks",
      "FilmService.Get",
    ];
    const together = named(["BookService.Fetch", ...others]);
    expect(together.of).toEqual(alone.of);
    expect(together.member).toMatchObject(alone.member);
  });

  test("that two things would share are mistakes, with a way out", () => {
    const found = (yaml: string) => {
      const model = modelOf(yaml);
      return onePerItem([...sharedNames(model), ...signedClashes(model)]).map(({ message }) => message);
    };
    const methods = (...names: readonly string[]) =>
      `methods:\n${names.map((name) => `  BookService.${name}: { ${method} }\n`).join("")}`;
    expect(found(methods("FetchBook", "Fetch"))).toEqual([
      "`BookService.Fetch` would be called `fetch` in generated code, as `BookService.FetchBook` is",
    ]);
    expect(found(methods("Fetch", "fetch"))[0]).toContain("would be called `FetchPayload`");
    expect(
      found(methods("FetchBook").concat("  BookService.Fetch: { codeName: Take, " + method + " }\n")),
    ).toEqual([]);
    const types = (...names: readonly string[]) =>
      `types:\n${names.map((name) => `  ${name}: { doc: X., type: string }\n`).join("")}`;
    expect(found(types("foo", "Foo"))).toEqual([
      "`Foo` would be called `Foo` in generated code, as `foo` is",
    ]);
    expect(found(types("DOB", "Dob"))).toEqual([
      "`Dob` would be called `dob` in generated code, as `DOB` is",
    ]);
    expect(found(types("Promise", "PromiseType"))).toHaveLength(1);
    expect(found(types("LendBookPayload"))).toHaveLength(0);
    expect(found(`${types("FetchPayload")}${methods("Fetch")}`)[0]).toContain("`FetchPayload`");
    expect(found(types("FakeLibrary"))[0]).toContain("as `Library` is");
    expect(
      found(
        "methods:\n  BookService.Lend:\n    doc: Lends.\n    effect: set\n    auth: []\n    payload:\n      selectedBy: stored\n      forms: { adult: { fields: [] }, Adult: { fields: [] } }\n    result: { fields: [] }\n",
      ),
    ).toEqual(["`Adult` would be called `LendAdultPayload` in generated code, as `adult` is"]);
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
        const kinds = [model.types, model.methods, model.errors, model.services];
        const items = kinds.flatMap((each) => each.map(({ names: own, span }) => ({ own, span })));
        const shared = new Set(sharedNames(model).map(({ span }) => span));
        const types = model.types.filter(({ span }) => !shared.has(span)).map((type) => type.names);
        expect(new Set(types.map(({ type }) => type)).size).toBe(types.length);
        expect(new Set(types.map(({ file }) => file.toLowerCase())).size).toBe(types.length);
        const all = items.map(({ own }) => own);
        for (const { type, value, file } of all) {
          expect(type).toMatch(/^[\p{ID_Start}_][\p{ID_Continue}]{0,90}$/u);
          expect(() => new Function(`"use strict"; const ${value} = 1; class ${type}1 {}`)).not.toThrow();
          expect(file).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
          expect(["Promise", "Record"]).not.toContain(type);
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
