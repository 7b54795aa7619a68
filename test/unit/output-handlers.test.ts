import { describe, expect, test } from "vitest";
import { mergeHandler, type HandlerMerge } from "../../generator/output/handlers/merge-handler.ts";
import type { Renames } from "../../generator/output/handlers/renames.ts";
import { docDigest, stubParts, type StubParts } from "../../generator/output/handlers/stub-parts.ts";
import type { HandlerEntry } from "../../generator/output/manifest.ts";
import { digestOf } from "../../generator/output/digest.ts";
import { findHandlerPaths, type Candidate } from "../../generator/output/handlers/handler-paths.ts";
import type { PayloadModel } from "../../generator/model/index.ts";
import { unreadFields } from "../../generator/output/handlers/unread-fields.ts";
import { field, libraryModel, object } from "./emit-library-model.ts";

const oldDoc = "/** Gives an account. */";
const newDoc = "/**\n * Gives an account, with its balance.\n *\n * @see section 4.12\n */";
const body = 'async (payload, context) => {\n\tconst x = `}`; // keeps "odd"   spacing\n\treturn { x };\n}';

function handlerFile(doc: string, name = "getAccount", type = "GetAccountHandler"): string {
  return [
    "// by me",
    `import type { ${type} } from "../../../generated/ledger/handlers.ts";`,
    'import type { Contexts } from "../contexts.ts";',
    'import { clock } from "../../clock.ts";',
    "",
    `${doc}${doc === "" ? "" : "\n"}export const ${name}: ${type}<Contexts> = ${body};`,
    "",
    "export const other = 1; // getAccount",
    "",
  ].join("\n");
}

const oldEntry: HandlerEntry = {
  file: "account-service/get-account.ts",
  export: "getAccount",
  type: "GetAccountHandler",
  doc: docDigest(oldDoc),
  stub: "",
};

/** The method is called FindAccount now; so is what the generated module calls after it. */
const renames: Renames = {
  nameOf: (module, name) =>
    module === "generated/ledger/handlers.ts" && name === "GetAccountHandler"
      ? "FindAccountHandler"
      : undefined,
  placeOf: () => undefined,
};

interface Changes {
  readonly written?: HandlerEntry;
  readonly wanted?: StubParts;
  readonly to?: string;
}

function merging(text: string | Buffer, changes: Changes = {}): HandlerMerge {
  const from = "src/handlers/account-service/get-account.ts";
  const wanted = changes.wanted ?? { export: "getAccount", type: "GetAccountHandler", doc: newDoc };
  return {
    bytes: Buffer.from(text),
    from,
    to: changes.to ?? from,
    method: { written: changes.written ?? oldEntry, wanted },
    ...(wanted.type === "FindAccountHandler" ? { renames } : {}),
  };
}

async function mergedText(merge: HandlerMerge): Promise<string> {
  const merged = await mergeHandler(merge);
  return merged.kind === "bytes" ? merged.bytes.toString() : merged.reason;
}

const found = { export: "findAccount", type: "FindAccountHandler", doc: newDoc };
const undocumentedFound = { export: "findAccount", type: "FindAccountHandler" };

const { doc: _doc, ...undocumented } = oldEntry;
const ownDoc = handlerFile("/** Gives an account. Mine! */");
const apart = handlerFile(`${oldDoc}\n\n// note`);
const crlf = (text: string): string => text.replaceAll("\n", "\r\n");

describe("a handler whose method is described anew", () => {
  test.each<[string, string, Changes, string]>([
    [
      "gets the new doc comment in place of the one that was written",
      handlerFile(oldDoc),
      {},
      handlerFile(newDoc),
    ],
    ["keeps a doc comment of its author", ownDoc, {}, ownDoc],
    ["stays without the one that its author deleted", handlerFile(""), {}, handlerFile("")],
    ["gets one where there was none before", handlerFile(""), { written: undocumented }, handlerFile(newDoc)],
    [
      "loses one where the spec says nothing any more",
      handlerFile(oldDoc),
      { wanted: { export: "getAccount", type: "GetAccountHandler" } },
      handlerFile(""),
    ],
    ["keeps one that stands apart: it is somebody else's", apart, {}, apart],
    ["keeps CRLF line ends", crlf(handlerFile(oldDoc)), {}, crlf(handlerFile(newDoc))],
    ["keeps a byte order mark", `\uFEFF${handlerFile(oldDoc)}`, {}, `\uFEFF${handlerFile(newDoc)}`],
    [
      "stays as it is if it does not parse",
      handlerFile(oldDoc).replace("=> {", "=> {{"),
      {},
      "it does not parse as TypeScript",
    ],
    [
      "stays as it is if it nests deeply",
      `${handlerFile(oldDoc)}const sum = 0${" + 1".repeat(20_000)};\n`,
      {},
      "it is nested too deeply",
    ],
  ])("%s", async (_what, before, changes, after) => {
    expect(await mergedText(merging(before, changes))).toBe(after);
  });

  test("stays as it is if it is not UTF-8", async () => {
    const bytes = Buffer.concat([Buffer.from(handlerFile(oldDoc)), Buffer.from([0xff])]);
    expect(await mergeHandler(merging(bytes))).toEqual({ kind: "refused", reason: "it is not UTF-8" });
  });
});

describe("a renamed method", () => {
  const overloads = [
    'import type { GetAccountHandler as H } from "../../../generated/ledger/handlers.ts";',
    "export async function getAccount(payload: string): Promise<string>;",
    "export async function getAccount(...args: Parameters<H>): Promise<string>;",
    "export async function getAccount(...args: readonly unknown[]) { return `${args}`; }",
  ].join("\n");
  const recursive =
    "export async function getAccount(n) { return n > 0 ? getAccount(n - 1) : 0; } // mine\r\n";
  const inBody = handlerFile(oldDoc).replace(
    "return { x };",
    "return { x } as ReturnType<GetAccountHandler>;",
  );
  const clause = (text: string): string => `const body = 1;\nconst getAccount = body;\n${text}\n`;
  const behind = (imports: string, type: string, name = "get"): string =>
    `${imports}\nexport const ${name}Account: ${type}<Contexts> = async () => ({} as all.GetAccountHandler);\nexport type Other = ${type};\n`;
  const module = "../../../generated/ledger/handlers.ts";
  const namespace = `import type * as all from "${module}";`;

  test.each<[string, StubParts, string, string]>([
    [
      "renames function and type, and nothing that only looks like them",
      found,
      handlerFile(oldDoc),
      handlerFile(newDoc, "findAccount", "FindAccountHandler"),
    ],
    [
      "renames a function declaration with its overloads, and an aliased type",
      undocumentedFound,
      overloads,
      overloads
        .replace("GetAccountHandler", "FindAccountHandler")
        .replaceAll("function getAccount", "function findAccount"),
    ],
    [
      "keeps its old name inside where its file speaks of it by that",
      undocumentedFound,
      recursive,
      recursive.replace(" // mine", " // mine\r\nexport { getAccount as findAccount };"),
    ],
    [
      "keeps the name of its type where its body speaks of it",
      found,
      inBody,
      inBody
        .replace("{ GetAccountHandler }", "{ FindAccountHandler as GetAccountHandler }")
        .replace("const getAccount", "const findAccount")
        .replace(oldDoc, newDoc),
    ],
    [
      "is exported under its new name by a clause",
      undocumentedFound,
      clause("export { getAccount };"),
      clause("export { getAccount as findAccount };"),
    ],
    [
      "is exported under its new name by an alias",
      undocumentedFound,
      clause("export { body as getAccount, other };"),
      clause("export { body as findAccount, other };"),
    ],
    [
      "is exported under its new name from elsewhere",
      undocumentedFound,
      clause('export { getAccount } from "./shared.ts";'),
      clause('export { getAccount as findAccount } from "./shared.ts";'),
    ],
    [
      "renames a type behind its namespace, but for the body",
      undocumentedFound,
      behind(namespace, "all.GetAccountHandler"),
      behind(namespace, "all.FindAccountHandler", "find"),
    ],
    [
      "renames an imported type, but for the body",
      undocumentedFound,
      behind("", `import("${module}").GetAccountHandler`),
      behind("", `import("${module}").FindAccountHandler`, "find"),
    ],
    [
      "that its author renamed already is fine as it is",
      found,
      handlerFile(newDoc, "findAccount", "FindAccountHandler"),
      handlerFile(newDoc, "findAccount", "FindAccountHandler"),
    ],
    [
      "keeps its file where the new name is taken",
      found,
      `${handlerFile(oldDoc)}const findAccount = 2;\n`,
      "it has something else named `findAccount`",
    ],
    [
      "keeps its file where that exports no handler",
      found,
      "export const somethingElse = 1;\n",
      "no statement in it declares and exports `getAccount`",
    ],
  ])("%s", async (_what, wanted, before, after) => {
    expect(await mergedText(merging(before, { wanted }))).toBe(after);
  });

  test("moves relative imports along with the file", async () => {
    const to = "src/handlers/find-account.ts";
    const merged = await mergedText(merging(handlerFile(oldDoc), { wanted: found, to }));
    expect(merged).toContain('from "../../generated/ledger/handlers.ts"');
    expect(merged).toContain('from "./contexts.ts"');
    expect(merged).toContain('from "../clock.ts"');
    expect(merged).toContain(body);
  });

  test("leaves imports in its body alone, and says so", async () => {
    const text = 'export const getAccount = async () => import("./lazy.ts");\nawait import("./eager.ts");\n';
    const merged = await mergeHandler(merging(text, { to: "src/handlers/get-account.ts" }));
    expect(merged).toEqual({
      kind: "bytes",
      bytes: Buffer.from(text.replace("./eager.ts", "./account-service/eager.ts")),
      stranded: ["./lazy.ts"],
    });
  });
});

describe("a file beside the handlers", () => {
  const helper = [
    'import type { GetAccountHandler, Other } from "../../../generated/ledger/handlers.ts";',
    'export { getAccount } from "./get-account.js";',
    "export type H = GetAccountHandler;",
    "",
  ].join("\n");

  test("imports what was renamed and moved, and is otherwise as it was", async () => {
    const merged = await mergedText({
      bytes: Buffer.from(helper),
      from: "src/handlers/account-service/helper.ts",
      to: "src/handlers/account-service/helper.ts",
      renames: {
        nameOf: (module, name) =>
          name === "getAccount" && module.endsWith("/get-account.ts")
            ? "findAccount"
            : renames.nameOf(module, name),
        placeOf: (module) =>
          module.endsWith("/get-account.ts") ? "src/handlers/find-account.ts" : undefined,
      },
    });
    expect(merged).toBe(
      helper
        .replace("{ GetAccountHandler,", "{ FindAccountHandler as GetAccountHandler,")
        .replace("{ getAccount }", "{ findAccount as getAccount }")
        .replace("./get-account.js", "../find-account.js"),
    );
  });
});

describe("a stub", () => {
  test("tells its function, type and doc comment", () => {
    expect(stubParts(handlerFile(newDoc))).toEqual({
      export: "getAccount",
      type: "GetAccountHandler",
      doc: newDoc,
    });
  });

  test("tells the exported name of a type that it imports under another", () => {
    const text =
      'import type { PromiseHandler as PromiseHandler_ } from "./a.ts";\nexport const promise: PromiseHandler_<Contexts> = async () => {};\n';
    expect(stubParts(text)).toEqual({ export: "promise", type: "PromiseHandler" });
  });

  test("of no method has no parts", () => {
    expect(stubParts("export interface Contexts {}\n")).toBeUndefined();
  });
});

const wantedStub = "export const findNote: FindNoteHandler<Contexts> = async () => {\n};\n";
const oldStub = "export const getNote: GetNoteHandler<Contexts> = async () => {\n};\n";
const work = "export const getNote = async () => mine;\n";

const known = entryOf("known.ts", oldStub);
const guessed = entryOf("guessed.ts", "");

describe("the home of a method that was renamed", () => {
  test("is where its name says that work lies, rather than where a stub was written", () => {
    expect(homeOf({ former: [known, guessed] }, { "known.ts": oldStub, "guessed.ts": work })).toBe(
      "guessed.ts",
    );
  });

  test("is what is known, where both hold work", () => {
    expect(homeOf({ former: [known, guessed] }, { "known.ts": work, "guessed.ts": work })).toBe("known.ts");
  });

  test("is the stub that was written for it, where there is nothing else", () => {
    expect(homeOf({ former: [known] }, { "known.ts": oldStub })).toBe("known.ts");
  });

  test("takes no stub from elsewhere where it has one", () => {
    const files = { "known.ts": oldStub, "find-note.ts": wantedStub };
    expect(homeOf({ former: [known] }, files)).toBe("find-note.ts");
    expect(homeOf({ own: entryOf("find-note.ts", wantedStub), former: [known] }, files)).toBe("find-note.ts");
  });

  test("takes work over a stub, and not over work", () => {
    expect(homeOf({ former: [guessed] }, { "guessed.ts": work, "find-note.ts": wantedStub })).toBe(
      "guessed.ts",
    );
    expect(homeOf({ former: [guessed] }, { "guessed.ts": work, "find-note.ts": work })).toBe("find-note.ts");
  });
});

/** Where the handler of a method that belongs into `find-note.ts` is found. */
function homeOf(
  lies: Pick<Candidate, "own" | "former">,
  texts: Readonly<Record<string, string>>,
): string | undefined {
  const wanted = {
    method: "FindNote",
    stub: {
      path: "handlers/find-note.ts",
      ownership: "stub",
      text: wantedStub,
      digest: digestOf(wantedStub),
    },
    parts: { export: "findNote", type: "FindNoteHandler" },
    entry: entryOf("find-note.ts", wantedStub),
  } as const;
  const files = new Map(
    Object.entries(texts).map(([path, text]) => [`handlers/${path}`, Buffer.from(text)] as const),
  );
  return findHandlerPaths([{ wanted, ...lies }], files, "handlers")[0]?.from.slice("handlers/".length);
}

function entryOf(file: string, stub: string): HandlerEntry {
  return { file, export: "getNote", type: "GetNoteHandler", stub: stub === "" ? "" : digestOf(stub) };
}

const optional = { presence: { kind: "optional" } } as const;
const payload: PayloadModel = {
  kind: "single",
  shape: object([
    field("id", { kind: "string" }),
    field("title", { kind: "string" }, optional),
    field("data-2", { kind: "string" }, optional),
  ]),
};
const opening = "export const getNote: GetNoteHandler<Contexts> = async";

test.each([
  ["ignores both", `${opening} ({ id }) => id;`, ["title", "data-2"]],
  ["takes one out", `${opening} ({ id, title }) => id + title;`, ["data-2"]],
  ["reads them", `${opening} (payload) => payload.title + payload["data-2"];`, []],
  ["reads one", `${opening} (payload, context) => context.find(payload.title);`, ["data-2"]],
  ["takes one out of it", `${opening} (payload) => {\n  const { title } = payload;\n};`, ["data-2"]],
  ["takes the rest out", `${opening} ({ id, ...rest }) => save(rest);`, []],
  ["passes it on", `${opening} (payload, context) => auditPage(context, payload);`, []],
  ["spreads it", `${opening} (asked) => page({ ...asked, state: "DEAD" });`, []],
  ["gives it back", `${opening} (payload) => payload;`, []],
  [
    "passes it to a function of its own",
    `${opening} (payload) => read(payload, 1);\nfunction read({ title }: P) {}`,
    ["data-2"],
  ],
  [
    "is a function",
    `export async function getNote(payload: P) {\n  return payload.id;\n}`,
    ["title", "data-2"],
  ],
  ["says why not", `${opening} ({ id }) => id; // title and data-2 are for display`, []],
  ["names them in the doc", `/** By title and data-2. */\n${opening} ({ id }) => id;`, ["title", "data-2"]],
  ["is exported by another file", `export { getNote } from "./fetch-note.ts";`, []],
])("a body that %s", (_, text, unread) => {
  expect(unreadFields(text, "getNote", payload, libraryModel())).toEqual(unread);
});

const place = object([
  field("city", { kind: "string" }),
  field("county", { kind: "string" }, optional),
  field("inner", object([field("floor", { kind: "string" }, optional)])),
]);
const withPlace: PayloadModel = {
  kind: "single",
  shape: object([field("id", { kind: "string" }), field("place", place)]),
};

test.each([
  ["reads other members of it", `${opening} ({ place }) => place.city + place.inner;`, ["place.county"]],
  ["reads them of the payload", `${opening} (payload) => payload.place.city;`, ["place.county"]],
  [
    "takes others out of it",
    `${opening} (payload) => {\n  const { city } = payload.place;\n};`,
    ["place.county"],
  ],
  ["goes deeper", `${opening} ({ place }) => [place.county, place.inner?.door];`, ["place.inner.floor"]],
  ["says why it reads nothing of it", `${opening} ({ id }) => id; // place is for display`, []],
  [
    "calls it otherwise",
    `${opening} (payload) => {\n  const { id, place: at } = payload;\n  save(at);\n};`,
    [],
  ],
  ["takes it by another name", `${opening} ({ place: at }) => save(at);`, []],
  ["passes it on", `${opening} ({ place }) => save(place);`, []],
  ["passes it on from the payload", `${opening} (payload) => save(payload.place);`, []],
  ["puts it into another object", `${opening} ({ id, place }) => ({ id, place });`, []],
  ["takes the rest out of it", `${opening} ({ place }) => {\n  const { city, ...rest } = place;\n};`, []],
  ["says why not", `${opening} ({ place }) => place.city; // county and floor are for display`, []],
])("a body that gets an object and %s", (_, text, unread) => {
  expect(unreadFields(text, "getNote", withPlace, libraryModel())).toEqual(unread);
});
