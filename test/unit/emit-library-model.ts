import { formatText } from "../../generator/output/format.ts";
import type { FileDraft } from "../../generator/targets/emitter.ts";
import { camelCase, pascalCase } from "../../generator/model/names.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import type {
  ErrorModel,
  FieldModel,
  MethodModel,
  Names,
  ObjectTypeShape,
  ServiceModel,
  Shape,
  TypeModel,
} from "../../generator/model/service-model.ts";

/** Where the tests pretend that the library's files go. */
export const libraryLayout = {
  out: "generated/library",
  handlers: "bodies/library",
  contract: "runtime/contract/index.ts",
};

/** A draft's text as it is written. */
export async function formatted(draft: FileDraft | undefined): Promise<string> {
  if (draft === undefined) throw new Error("nothing was emitted");
  return await formatText(draft.path, draft.text);
}

/** A model of another domain, built by hand: a public library that lends books, with names that invite mistakes. */
export function libraryModel(overrides: Partial<ServiceModel> = {}): ServiceModel {
  return {
    ...documented("Lends books. Ends no comment: */ and opens no `code."),
    name: "city-library",
    title: "City library",
    revision: "2.1.0",
    path: "/rpc",
    wire: { protocol: "signed-envelope" },
    section: "1",
    schemes: [],
    services: [
      {
        ...documented("The shelves."),
        name: "ShelfService",
        names: { type: "ShelfService", value: "shelfService", file: "shelf-service" },
      },
    ],
    authScheme: "signedEnvelope",
    auth: [
      { ...documented("Who."), name: "credential", missing: "BAD_CREDENTIAL" },
      { ...documented("With what."), name: "signature", missing: "INVALID_SIGNATURE" },
      { ...documented("Which key."), name: "keyId", missing: "UNKNOWN_KEY" },
      { ...documented("The key of the API."), name: "apiKey", missing: "BAD_CREDENTIAL" },
    ],
    authHeaders: [],
    faults: {
      badInput: "BAD_INPUT",
      unauthorized: "REFUSED",
      badCredential: "BAD_CREDENTIAL",
      unknownKey: "UNKNOWN_KEY",
      invalidSignature: "INVALID_SIGNATURE",
      conflict: "CONFLICT",
      rateLimited: "REFUSED",
      unavailable: "INTERNAL",
      internal: "INTERNAL",
    },
    types,
    methods,
    errors,
    events: [],
    states: [],
    rules: [],
    resources: [],
    scenarios: [],
    requirements: [],
    ...overrides,
  };
}

export function documented(doc: string) {
  const source = sourceText("library.yaml", "");
  return { doc, decisions: [], span: { source, start: 0, end: 0 } };
}

export function field(name: string, shape: Shape, more: Partial<FieldModel> = {}): FieldModel {
  return {
    ...documented(""),
    name,
    shape,
    presence: { kind: "required" },
    spellings: [],
    sensitive: false,
    ...more,
  };
}

export function object(fields: readonly FieldModel[]): ObjectTypeShape {
  return { kind: "object", fields, atLeastOneOf: [], exactlyOneOf: [] };
}

export function namedType(type: string, shape: Shape, more: Partial<TypeModel> = {}): TypeModel {
  const names = namesOf(type);
  return { ...documented(`A ${type}.`), name: type, names, shape, usedIn: ["request", "response"], ...more };
}

function namesOf(type: string): Names {
  return { type, value: type.charAt(0).toLowerCase() + type.slice(1), file: type.toLowerCase() };
}

function error(code: string, more: Partial<ErrorModel> = {}): ErrorModel {
  return {
    ...documented(`Says ${code}.`),
    code,
    names: { type: pascalCase(code), value: camelCase(code), file: code.toLowerCase() },
    message: `It is ${code}`,
    condition: "",
    action: "Ask",
    httpStatus: 400,
    rpcCode: -32000,
    everyMethod: true,
    ...more,
  };
}

function method(operation: string, more: Partial<MethodModel> & Pick<MethodModel, "payload" | "result">) {
  return {
    ...documented(`Does ${operation}.`),
    name: `ShelfService.${operation}`,
    operation,
    service: "ShelfService",
    names: {
      type: operation,
      value: operation.charAt(0).toLowerCase() + operation.slice(1),
      file: operation.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase(),
    },
    effect: "read",
    transport: { kind: "enveloped", auth: ["credential", "signature", "keyId"], jsonrpc: true },
    security: [],
    errors: [],
    emits: [],
    examples: [],
    ...more,
  } satisfies MethodModel;
}

const optional = { presence: { kind: "optional" } } as const;
const string = { kind: "string" } as const;
const ref = (type: string) => ({ kind: "ref", type }) as const;
const list = (items: Shape) => ({ kind: "array", items, unique: false }) as const;

const types: readonly TypeModel[] = [
  namedType("Binding", {
    kind: "enum",
    values: [
      { ...documented("Glued."), value: "SOFT" },
      { ...documented("Sewn."), value: "HARD" },
    ],
  }),
  namedType("Book", {
    ...object([
      field("id", string, { doc: "Shelf mark, as `QA-76`." }),
      field("title-page", string, { ...optional, doc: "Mail to a@b.example or @all." }),
      field("price", ref("Price"), { sensitive: true }),
      field("binding", ref("Binding")),
      field("loanedTo", string, { alsoSentAs: "LoanedTo", decisions: ["D-12"], section: "2.3" }),
      field("place", object([field("shelf", string), field("room", object([field("floor", string)]))]), {
        spellings: ["PLACE", "where"],
      }),
      field("chapters", ref("Chapters")),
    ]),
  }),
  namedType("Chapter", object([field("name", string), field("parts", ref("Chapters"), optional)])),
  namedType("Chapters", list(ref("Chapter"))),
  namedType("Decimal", object([field("class", string)]), {
    deprecated: "Use `Book`.",
    since: "1.2.0",
    doc: "The decimal class of a book.\n\nA second paragraph.",
  }),
  namedType("Notice", object([field("text", string)]), { usedIn: ["event"] }),
  namedType("Price", { kind: "money" }),
  namedType("Promise", { kind: "string", lengthMax: 10 }),
];

const methods: readonly MethodModel[] = [
  method("AddBook", {
    effect: "create",
    section: "4.1",
    decisions: ["D-28"],
    payload: {
      kind: "forms",
      selectedBy: "stored",
      forms: [
        {
          ...documented("A book of paper."),
          name: "paper",
          names: namesOf("Paper"),
          shape: object([field("title", string), field("binding", ref("Binding"))]),
        },
        {
          ...documented("A book to listen to."),
          name: "audio",
          names: namesOf("Audio"),
          shape: object([field("title", string), field("minutes", { kind: "integer", minimum: 1 })]),
        },
      ],
    },
    result: object([field("book", ref("Book"))]),
    errors: [{ code: "NO_ROOM", message: "It is NO_ROOM", condition: "" }],
    examples: [
      {
        name: "A novel",
        payload: { title: 'It\'s "here"', binding: "SOFT" },
        result: { book: { id: "1" } },
      },
    ],
  }),
  method("FindBook", {
    section: "4.2",
    transport: { kind: "enveloped", auth: ["credential", "signature", "keyId", "apiKey"], jsonrpc: false },
    payload: {
      kind: "single",
      shape: {
        ...object([
          field("id", string, optional),
          field("genres", list({ kind: "enum", values: [{ ...documented(""), value: "NOVEL" }] }), optional),
          field("tags", list(string), optional),
          field("classes", list(ref("Decimal")), optional),
          field("kind", { kind: "string", const: "BOOK" }, optional),
        ]),
        atLeastOneOf: [["id", "tags"]],
      },
    },
    result: object([field("books", list(ref("Book"))), field("oath", ref("Promise"))]),
    errors: [
      { code: "BAD_INPUT", message: "id is invalid or missing", condition: "" },
      { code: "gone-for-good", message: "It is gone-for-good", condition: "" },
    ],
  }),
  {
    ...method("Subscribe", {
      effect: "create",
      transport: { kind: "flat", selectedBy: ["callbackUrl"] },
      payload: { kind: "single", shape: object([field("callbackUrl", { kind: "string", format: "url" })]) },
      result: object([]),
    }),
    name: "Subscribe",
    service: undefined,
  },
].map(({ service, ...rest }) => (service === undefined ? rest : { ...rest, service }));

const errors: readonly ErrorModel[] = [
  error("BAD_CREDENTIAL"),
  error("BAD_INPUT", { message: "{field} is invalid or missing", rpcCode: -32602, condition: "Wrong" }),
  error("CONFLICT", { httpStatus: 409 }),
  error("INTERNAL", { httpStatus: 500 }),
  error("INVALID_SIGNATURE"),
  error("NO_ROOM", { everyMethod: false }),
  error("REFUSED"),
  error("UNKNOWN_KEY"),
  error("gone-for-good", { everyMethod: false }),
];
