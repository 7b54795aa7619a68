import { expect, test } from "vitest";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { baseProject, readerOf, type ProjectFiles } from "./diagnostics-cases.ts";

/** The base spec, and one that has all of it and a method more. */
function project(lines: string, files: Readonly<Record<string, string>> = {}): ProjectFiles {
  const branch = `interface:\n  name: branch\n  title: Branch\n  revision: 1.0.0\n  path: /branch\n  doc: A branch.\n`;
  return new Map([
    ...baseProject(),
    ["branch/interface.yaml", `${branch}${lines}`],
    ["branch/methods.yaml", lendBook],
    ...Object.entries(files),
  ]);
}

const lendBook = `
methods:
  BookService.LendBook:
    doc: Lends a book.
    effect: set
    auth: [credential, signature]
    payload: { fields: [{ name: book, type: Book, doc: Which. }] }
    result: Book
    examples:
      - name: Lent
        payload: { book: { id: "1", title: Persuasion, genre: FICTION } }
        result: { id: "1", title: Persuasion, genre: FICTION }
`;

function loaded(files: ProjectFiles, folder = "branch") {
  const { value, diagnostics } = loadServiceModel(folder, readerOf(files));
  return {
    model: value,
    said: diagnostics.map(({ code, path, span }) => `${span?.source.path ?? path}: ${code}`),
  };
}

function modelOf(files: ProjectFiles, folder = "branch"): ServiceModel {
  const { model, said } = loaded(files, folder);
  expect(said).toEqual([]);
  if (model === undefined) throw new Error("no model");
  return model;
}

const namesOf = (things: readonly { readonly name: string }[]): readonly string[] =>
  things.map(({ name }) => name);

test("a spec has what it extends as its own, and the interface stays its own", () => {
  const [model, library] = [modelOf(project("  extends: [../library]\n")), modelOf(project(""), "library")];
  expect(model).toMatchObject({ name: "branch", title: "Branch", path: "/branch", revision: "1.0.0" });
  expect(namesOf(model.methods)).toEqual(["BookService.GetBook", "BookService.LendBook"]);
  for (const part of ["errors", "auth", "authHeaders", "faults"] as const)
    expect(model[part]).toEqual(library[part]);
});

test("what `except` lists is left out, and may be defined anew", () => {
  const genre = "types:\n  Genre: { doc: Any., type: string, maxLength: 9 }\n";
  const files = project("  extends: [../library]\n  except: [Genre]\n", { "branch/genre.yaml": genre });
  const { model, said } = loaded(files);
  expect(model?.types.find(({ name }) => name === "Genre")?.shape).toMatchObject({ kind: "string" });
  expect(said).toEqual([]);
  // Without a definition of one's own, the place that names it is shown.
  expect(loaded(project("  extends: [../library]\n  except: [Genre]\n")).said).toContain(
    "library/books.yaml: unknown-type",
  );
});

test("one folder on two ways is taken over once, with what it extends and uses itself", () => {
  const middle = (name: string) =>
    `interface:\n  name: ${name}\n  title: T\n  revision: 1.0.0\n  path: /${name}\n  doc: D.\n  extends: [../library]\n`;
  const files = project("  extends: [../east, ../west]\n", {
    "east/interface.yaml": `${middle("east")}  uses: [../words]\n`,
    "east/type.yaml":
      "types:\n  Word: { doc: W., keep: true, fields: [{ name: of, type: Letter, doc: L. }] }\n",
    "west/interface.yaml": middle("west"),
    "words/interface.yaml":
      "interface: { name: words, title: T, revision: 1.0.0, path: /w, doc: D., services: {} }\n",
    "words/letter.yaml": "types:\n  Letter: { doc: L., type: string, maxLength: 1, keep: true }\n",
  });
  const { types } = modelOf(files);
  expect(namesOf(types)).toEqual(["Book", "Genre", "Letter", "Word"]);
});

test("a path without dots is the folder of an installed package, here or above the project", () => {
  for (const up of ["", "../", "../../../"]) {
    const moved = [...project("  extends: [town/spec/library]\n")].map(
      ([path, text]) => [path.replace(/^library\//, `${up}node_modules/town/spec/library/`), text] as const,
    );
    expect(namesOf(modelOf(new Map(moved)).methods)).toContain("BookService.GetBook");
  }
});

test("a mistake in what it extends is shown there, a warning with that spec alone", () => {
  const unused = { "library/more.yaml": "types:\n  Shelf: { doc: S., type: string, maxLength: 9 }\n" };
  const lines = "  extends: [../library]\n";
  expect(loaded(project(lines, unused), "library").said).toEqual(["library/more.yaml: unused-type"]);
  expect(loaded(project(lines, unused)).said).toEqual([]);
  const broken = { "library/more.yaml": "types:\n  Shelf: { doc: S., type: strin, maxLength: 9 }\n" };
  expect(loaded(project(lines, broken)).said).toContain("library/more.yaml: unknown-type");
});

test("a spec extends no other protocol", () => {
  const files = project("  wire: { protocol: json-rpc-2.0 }\n  extends: [../library]\n");
  expect(loaded(files).said).toContain("branch/interface.yaml: uses-other-protocol");
});
