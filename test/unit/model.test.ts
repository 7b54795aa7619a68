import { describe, expect, test } from "vitest";
import {
  createModelLoader,
  errorsOfMethod,
  loadServiceModel,
  resolve,
  resultFields,
  typeOf,
  type ServiceModel,
} from "../../generator/model/index.ts";
import { baseProject, readerOf, type ProjectFiles } from "./diagnostics-cases.ts";

const lending = `
types:
  Shelf:
    doc: A shelf.
    section: "2.10"
    fields:
      - { name: label, type: string, spellings: [Label, name], alsoSentAs: Label, doc: Label. }
      - { name: above, type: Shelf, optional: true, doc: The next one. }
      - { name: price, type: money, minimum: 0, optional: true, doc: Price. }
  Zone:
    doc: A zone.
    section: "2.9"
    type: array of Shelf
    minItems: 1
    uniqueItems: true
  Alias: { doc: Another name., type: Zone }
  Spare: { doc: Not used., type: string }
events:
  Shelf.MOVED: { doc: Moved., payload: Shelf }
methods:
  BookService.MoveShelf:
    doc: Moves a shelf.
    section: "4.2"
    decision: D-01
    effect: set
    auth: [signature, credential]
    jsonrpc: absent
    payload:
      decision: [D-02, D-01]
      fields:
        - { name: zone, type: Alias, doc: The zone. }
        - { name: reader, type: string, requiredWhen: { field: urgent, is: [true] }, doc: Who. }
        - { name: urgent, type: boolean, optional: true, doc: Whether. }
    result: Shelf
    errors:
      NOT_FOUND_BOOK: { message: No shelf }
      CONFLICT: {}
    emits: [Shelf.MOVED]
    examples:
      - name: A move
        payload: { URGENT: false, zone: [{ price: 1.5, Label: A }] }
        result: { Label: A, label: A }
  FindShelf:
    doc: Finds a shelf.
    section: "4.10"
    effect: read
    flat: { selectedBy: [label] }
    payload: Shelf
    result: Shelf
`;

describe("the model", () => {
  const model = modelOf(new Map([...baseProject(), ["library/lending.yaml", lending]]));

  test("is in canonical order: sections as people count, then names", () => {
    expect(model.methods.map(({ name }) => name)).toEqual([
      "BookService.GetBook",
      "BookService.MoveShelf",
      "FindShelf",
    ]);
    expect(model.types.map(({ name }) => name)).toEqual(["Book", "Genre", "Zone", "Shelf", "Alias", "Spare"]);
    expect(model.auth.map(({ name }) => name)).toEqual(["credential", "signature"]);
  });

  test("says what reaches each type", () => {
    const usedIn = Object.fromEntries(model.types.map((type) => [type.name, type.usedIn]));
    expect(usedIn).toEqual({
      Book: ["response"],
      Genre: ["response"],
      Shelf: ["request", "response", "event"],
      Zone: ["request"],
      Alias: ["request"],
      Spare: [],
    });
  });

  test("resolves references and keeps which type was named", () => {
    const move = methodOf(model, "BookService.MoveShelf");
    expect(move.resultType).toBe("Shelf");
    expect(move.result).toEqual(typeOf(model, { kind: "ref", type: "Shelf" }).shape);
    const zone = move.payload.kind === "single" ? move.payload.shape.fields[0]?.shape : undefined;
    expect(zone).toEqual({ kind: "ref", type: "Alias" });
    expect(zone && resolve(model, zone)).toEqual({
      kind: "array",
      items: { kind: "ref", type: "Shelf" },
      itemsMin: 1,
      unique: true,
    });
    expect(methodOf(model, "FindShelf").payload).toMatchObject({ kind: "single", type: "Shelf" });
  });

  test("carries presence, spellings, effects and transport", () => {
    const move = methodOf(model, "BookService.MoveShelf");
    const fields = move.payload.kind === "single" ? move.payload.shape.fields : [];
    expect(fields.map(({ presence }) => presence)).toEqual([
      { kind: "required" },
      { kind: "required-when", field: "urgent", values: [true] },
      { kind: "optional" },
    ]);
    expect(resultFields(move)[0]).toMatchObject({ spellings: ["Label", "name"], alsoSentAs: "Label" });
    expect(move.transport).toEqual({ kind: "enveloped", auth: ["credential", "signature"], jsonrpc: false });
    expect(methodOf(model, "FindShelf").transport).toEqual({ kind: "flat", selectedBy: ["label"] });
    expect(move.decisions).toEqual(["D-01", "D-02"]);
    expect(model.events[0]).toMatchObject({
      name: "Shelf.MOVED",
      causedBy: ["BookService.MoveShelf"],
      otherCauses: [],
    });
  });

  test("lists a method's own errors, and with those of every method on request", () => {
    const move = methodOf(model, "BookService.MoveShelf");
    expect(move.errors.map(({ code, message }) => [code, message])).toEqual([
      ["CONFLICT", "Conflict"],
      ["NOT_FOUND_BOOK", "No shelf"],
    ]);
    expect(errorsOfMethod(model, move).map(({ code, message }) => [code, message])).toEqual([
      ["BAD_INPUT", "{field} is invalid or missing"],
      ["CONFLICT", "Conflict"],
      ["INTERNAL", "Internal error"],
      ["NOT_FOUND_BOOK", "No shelf"],
      ["UNAUTHORIZED", "Access denied"],
      ["UNAVAILABLE", "Unavailable"],
    ]);
  });

  test("writes examples with canonical names in the order of the document", () => {
    const [example] = methodOf(model, "BookService.MoveShelf").examples;
    expect(JSON.stringify(example)).toBe(
      '{"name":"A move","payload":{"zone":[{"label":"A","price":1.5}],"urgent":false},"result":{"label":"A"}}',
    );
  });

  test("is frozen to the bottom", () => {
    const seen = new Set<unknown>();
    const thawed: unknown[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== "object" || value === null || seen.has(value)) return;
      seen.add(value);
      if (!Object.isFrozen(value)) thawed.push(value);
      for (const inner of Object.values(value)) visit(inner);
    };
    visit(model);
    expect(thawed).toEqual([]);
    expect(seen.size).toBeGreaterThan(100);
  });

  test("that is wrong says so instead of answering", () => {
    expect(() => typeOf(model, { kind: "ref", type: "Nobody" })).toThrow("no type Nobody");
  });
});

test("line breaks and a byte order mark make no difference", () => {
  const printed = (files: ProjectFiles) =>
    JSON.stringify(modelOf(files), (key, inner: unknown) => (key === "span" ? undefined : inner));
  const windows = [...baseProject()].map(
    ([path, text]) => [path, `\uFEFF${text.replaceAll("\n", "\r\n")}`] as const,
  );
  expect(printed(new Map(windows))).toBe(printed(baseProject()));
});

describe("a spec that uses another", () => {
  const city = `
interface: { name: city, title: City, revision: 1.0.0, path: /city, doc: Offices., uses: [../library] }
types:
  Visit:
    doc: A visit.
    fields: [{ name: book, type: Book, doc: What was read. }]
methods:
  Visit: { doc: Visits., effect: create, auth: [credential], payload: { fields: [] }, result: Visit, errors: { CONFLICT: {} }, emits: [Shelf.MOVED] }
`;
  const files = new Map([...baseProject(), ["library/lending.yaml", lending], ["city/city.yaml", city]]);

  test("stands alone: what it refers to is copied, what it does not is not", () => {
    const model = modelOf(files, "city");
    expect(model.types.map(({ name }) => name)).toEqual(["Book", "Genre", "Shelf", "Visit"]);
    expect(model.errors.map(({ code }) => code)).toEqual([
      "BAD_INPUT",
      "CONFLICT",
      "INTERNAL",
      "UNAUTHORIZED",
      "UNAVAILABLE",
    ]);
    expect(model.events.map(({ name, causedBy }) => [name, causedBy])).toEqual([["Shelf.MOVED", ["Visit"]]]);
    expect(model.auth.map(({ name }) => name)).toEqual(["credential", "signature"]);
    expect(model.faults["badInput"]).toBe("BAD_INPUT");
    expect(model.services).toEqual([]);
    expect(model.methods.map(({ name }) => name)).toEqual(["Visit"]);
  });

  test("reads what it uses once a run", () => {
    const read: string[] = [];
    const load = createModelLoader((folder) => {
      read.push(folder);
      return readerOf(files)(folder);
    });
    expect(load("library").value).toBeDefined();
    expect(load("./city/").value).toBeDefined();
    expect(read).toEqual(["library", "city"]);
  });

  test("shows the mistakes of what it uses, without its warnings", () => {
    const broken = new Map([
      ...files,
      [
        "library/bad.yaml",
        "types:\n  Odd: { doc: Odd., type: Unheard }\n  Idle: { doc: Idle., type: string }\n",
      ],
    ]);
    const { value, diagnostics } = loadServiceModel("city", readerOf(broken));
    expect(value).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-type"]);
  });
});

test("methods have names of any number of parts, and events names with blanks", () => {
  const files = new Map([
    ...baseProject(),
    [
      "library/parts.yaml",
      `
events: { Book was lent: { doc: Lent., section: "3", payload: Book } }
methods:
  BookService.Shelf.Move:
    doc: Moves a book.
    section: "3"
    effect: set
    auth: [credential, signature]
    payload: { fields: [] }
    result: { fields: [] }
    emits: [Book was lent]
`,
    ],
  ]);
  const model = modelOf(files);
  const { service, operation, names } = methodOf(model, "BookService.Shelf.Move");
  expect([service, operation, names.type, names.file]).toEqual([
    "BookService",
    "Shelf.Move",
    "ShelfMove",
    "shelf-move",
  ]);
  expect(model.events.map(({ name, names: own }) => [name, own.type])).toEqual([
    ["Book was lent", "BookWasLent"],
  ]);
});

function modelOf(files: ProjectFiles, folder = "library"): ServiceModel {
  const { value, diagnostics } = loadServiceModel(folder, readerOf(files));
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

function methodOf(model: ServiceModel, name: string) {
  const method = model.methods.find((each) => each.name === name);
  if (method === undefined) throw new Error(`no method ${name}`);
  return method;
}
