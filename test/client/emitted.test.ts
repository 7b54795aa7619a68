import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { emitter } from "../../generator/targets/client/index.ts";
import { signedClashes, clientNames, withoutNoun } from "../../generator/protocols/signed/client/names.ts";
import { documented, libraryLayout, libraryModel } from "../unit/emit-library-model.ts";

const drafts = emitter.emit(libraryModel(), libraryLayout);
const textOf = (file: string) => drafts.find(({ path }) => path.endsWith(`/client/${file}`))?.text ?? "";

describe("the client of another interface", () => {
  it("imports nothing outside its folder, but for the peer of its schemas", () => {
    for (const { path, text } of drafts.filter((draft) => draft.path.endsWith(".ts"))) {
      for (const [, specifier] of text.matchAll(/ from "([^"]+)"/g)) {
        const isPeer = path.endsWith("/schemas.ts") && specifier === "zod";
        expect(isPeer || /^\.\/[a-z-]+\.ts$/.test(specifier ?? ""), `${path} imports ${specifier}`).toBe(
          true,
        );
      }
    }
  });

  it("holds the declarations of the fixed modules as their templates have them", () => {
    const templates = globSync("templates/client/{,signed-envelope/}*.ts");
    expect(templates.length).toBeGreaterThan(25);
    const emitted = globSync("generated/ledger/client/*.ts").map((file) => readFileSync(file, "utf8"));
    for (const template of templates) {
      const file = basename(template);
      // The last two are in clients of specs with a pattern for ids, or with callers who have no key: test/client/calls.test.ts.
      if (["interface.ts", "request-ids.ts", "no-key.ts"].includes(file)) continue;
      const declarations = readFileSync(template, "utf8")
        .replaceAll(/^(?:import|export)[^;()]*? from "[^"]+";\n/gm, "")
        .trim()
        .split(/\n\n(?=\S)/);
      for (const each of declarations)
        expect(
          emitted.filter((text) => text.includes(each)),
          `${file}: ${each}`,
        ).toHaveLength(1);
    }
  });

  it("takes the canonical spelling only, and declares the second one of answers deprecated", () => {
    const types = textOf("types.ts");
    expect(types).toMatch(/@deprecated Read `loanedTo`\.\s+\*\/\s+readonly LoanedTo\?: string;/);
    expect(types).not.toContain("readonly where");
    expect(types).toContain("export type Price = number;");
  });

  it("opens the enums of answers that the spec calls open, and no others", () => {
    const bindingIn = (types: string, name: string) =>
      new RegExp(String.raw`export interface ${name} \{[\s\S]*?readonly binding: (.*);`).exec(types)?.[1];
    const closed = textOf("types.ts");
    expect(closed).not.toContain("export type Open");
    expect(bindingIn(closed, "Book")).toBe("Binding");

    const model = libraryModel();
    const types = model.types.map((type) =>
      type.shape.kind === "enum" ? { ...type, shape: { ...type.shape, open: true as const } } : type,
    );
    const files = emitter.emit({ ...model, types }, libraryLayout);
    const open = files.find(({ path }) => path.endsWith("/types.ts"))?.text ?? "";
    expect(open).toContain("export type Open<T extends string> = T | (string & {});");
    expect([bindingIn(open, "Book"), bindingIn(open, "AddBookPaperPayload")]).toEqual([
      "Open<Binding>",
      "Binding",
    ]);
  });

  it("tells hooks which fields are sensitive", () => {
    expect(textOf("operations.ts")).toMatch(/"ShelfService\.AddBook",[^)]*\["price"\]/);
    expect(textOf("operations.ts")).not.toMatch(/"Subscribe",[^)]*\[/);
  });

  it("tells what each revision changed, as far back as the spec knows them", () => {
    const model = libraryModel();
    const serves = ["1.2.0", "1.2.9"].map((revision, at) => ({
      model: { ...model, revision, methods: model.methods.slice(0, at + 1) },
      decisions: [],
      span: model.span,
    }));
    const now = emitter.emit({ ...model, revision: "1.2.10", serves }, libraryLayout);
    const text = now.find(({ path }) => path.endsWith("/client/CHANGELOG.md"))?.text ?? "";
    const [head, ...sections] = text.split(/^## /m);
    expect(head).toContain("# Changelog of city-library-client");
    expect(sections.map((section) => section.split("\n")[0])).toEqual(["1.2.10", "1.2.9", "1.2.0"]);
    const [newest, second, oldest] = sections;
    expect(newest).toMatch(/### Added\n\n(?:.*\n)*- The operation `Subscribe` was added\./);
    expect(second).toContain("- The operation `ShelfService.FindBook` was added.");
    expect(second).not.toContain("Subscribe");
    expect(oldest).toContain("- Added the type `Decimal`.");
  });

  it("has no part for what the interface does not do", () => {
    const files = drafts.map(({ path }) => path.slice(path.lastIndexOf("/") + 1));
    expect(files).not.toContain("registration.ts");
    expect(files).not.toContain("lists.ts");
    expect(textOf("client.ts")).toContain("readonly shelf: ShelfMethods;");
  });
});

describe("names", () => {
  it("leave out the noun of the group", () => {
    expect(withoutNoun("GetAccount", "account")).toBe("get");
    expect(withoutNoun("ListAccounts", "account")).toBe("list");
    expect(withoutNoun("UpdateAccountStatus", "account")).toBe("updateStatus");
    expect(withoutNoun("GetTransactionsByRef", "transaction")).toBe("getByRef");
    expect(withoutNoun("ListBeneficiaries", "beneficiary")).toBe("list");
    expect(withoutNoun("UpdateLegalRepStatus", "legalRep")).toBe("updateStatus");
    expect(withoutNoun("UpdateShareHolder", "customer")).toBe("updateShareHolder");
    expect(withoutNoun("Account", "account")).toBe("account");
    expect(withoutNoun("Accountable", "account")).toBe("accountable");
  });

  it("are those of their own item, and a mistake where two would meet", () => {
    const model = libraryModel();
    const [find] = model.methods.filter(({ operation }) => operation === "FindBook");
    if (find === undefined) throw new Error("no FindBook");
    const named = (operation: string) => ({
      ...find,
      operation,
      name: `BookService.${operation}`,
      service: "BookService",
      names: { type: operation, value: operation, file: operation },
    });
    const service = (name: string, value: string) => ({
      ...documented(""),
      name,
      span: { ...documented("").span },
      names: { type: name, value, file: value },
    });
    const changed = {
      ...model,
      services: [service("BookService", "bookService"), service("CallService", "callService")],
      methods: [
        named("Get"),
        named("GetBook"),
        named("FindBooks"),
        named("BookThen"),
        { ...find, service: "CallService" },
      ].map((method) => ({ ...method, span: { ...method.span } })),
    };
    const names = clientNames(changed);
    expect(names.groups.map(({ name }) => name)).toEqual(["book", "call_"]);
    expect(names.groups[0]?.members.map(({ name }) => name)).toEqual(["get", "get", "find", "bookThen"]);
    expect(signedClashes(changed).map(({ message }) => message)).toContain(
      "`BookService.GetBook` would be called `get` in generated code, as `BookService.Get` is",
    );
  });
});
