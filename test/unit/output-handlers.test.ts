import { describe, expect, test } from "vitest";
import { mergeHandler, type HandlerMerge } from "../../generator/output/handlers/merge-handler.ts";
import type { Renames } from "../../generator/output/handlers/renames.ts";
import { docDigest, stubParts, type StubParts } from "../../generator/output/handlers/stub-parts.ts";
import type { HandlerEntry } from "../../generator/output/manifest.ts";

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

describe("the doc comment of a handler", () => {
  test("is replaced where it is still the one that was written", async () => {
    expect(await mergedText(merging(handlerFile(oldDoc)))).toBe(handlerFile(newDoc));
  });

  test("stays where its author changed it", async () => {
    const text = handlerFile("/** Gives an account. Mine! */");
    expect(await mergedText(merging(text))).toBe(text);
  });

  test("stays away where its author deleted it", async () => {
    const text = handlerFile("");
    expect(await mergedText(merging(text))).toBe(text);
  });

  test("is added where there was none to write before", async () => {
    const { doc: _, ...undocumented } = oldEntry;
    expect(await mergedText(merging(handlerFile(""), { written: undocumented }))).toBe(handlerFile(newDoc));
  });

  test("goes where the spec says nothing any more", async () => {
    const wanted = { export: "getAccount", type: "GetAccountHandler" };
    expect(await mergedText(merging(handlerFile(oldDoc), { wanted }))).toBe(handlerFile(""));
  });

  test("that stands apart from the function is somebody else's", async () => {
    const text = handlerFile(`${oldDoc}\n\n// note`);
    expect(await mergedText(merging(text))).toBe(text);
  });
});

describe("what a merge leaves alone", () => {
  test("CRLF line ends", async () => {
    const [before, after] = [oldDoc, newDoc].map((doc) => handlerFile(doc).replaceAll("\n", "\r\n"));
    expect(await mergedText(merging(before ?? ""))).toBe(after);
  });

  test("a byte order mark", async () => {
    const merged = await mergedText(merging(`\uFEFF${handlerFile(oldDoc)}`));
    expect(merged).toBe(`\uFEFF${handlerFile(newDoc)}`);
  });

  test.for([
    [
      "a file that does not parse",
      handlerFile(oldDoc).replace("=> {", "=> {{"),
      "it does not parse as TypeScript",
    ],
    [
      "a file of deep nesting",
      `${handlerFile(oldDoc)}const sum = 0${" + 1".repeat(20_000)};\n`,
      "it is nested too deeply",
    ],
    [
      "a file that is not UTF-8",
      Buffer.concat([Buffer.from(handlerFile(oldDoc)), Buffer.from([0xff])]),
      "it is not UTF-8",
    ],
  ] as const)("%s", async ([, text, reason]) => {
    expect(await mergeHandler(merging(text))).toEqual({ kind: "refused", reason });
  });
});

describe("a renamed method", () => {
  test("renames function and type, and nothing that only looks like them", async () => {
    const merged = await mergedText(merging(handlerFile(oldDoc), { wanted: found }));
    expect(merged).toBe(handlerFile(newDoc, "findAccount", "FindAccountHandler"));
  });

  test("renames a function declaration with its overloads, and an aliased type", async () => {
    const text = [
      'import type { GetAccountHandler as H } from "../../../generated/ledger/handlers.ts";',
      "export async function getAccount(payload: string): Promise<string>;",
      "export async function getAccount(...args: Parameters<H>): Promise<string>;",
      "export async function getAccount(...args: readonly unknown[]) { return `${args}`; }",
    ].join("\n");
    expect(await mergedText(merging(text, { wanted: undocumentedFound }))).toBe(
      text
        .replace("GetAccountHandler", "FindAccountHandler")
        .replaceAll("function getAccount", "function findAccount"),
    );
  });

  test("keeps its old name inside where its file speaks of it by that", async () => {
    const text = "export async function getAccount(n) { return n > 0 ? getAccount(n - 1) : 0; } // mine\r\n";
    expect(await mergedText(merging(text, { wanted: undocumentedFound }))).toBe(
      text.replace(" // mine", " // mine\r\nexport { getAccount as findAccount };"),
    );
  });

  test("keeps the name of its type where its body speaks of it", async () => {
    const text = handlerFile(oldDoc).replace(
      "return { x };",
      "return { x } as ReturnType<GetAccountHandler>;",
    );
    expect(await mergedText(merging(text, { wanted: found }))).toBe(
      text
        .replace("{ GetAccountHandler }", "{ FindAccountHandler as GetAccountHandler }")
        .replace("const getAccount", "const findAccount")
        .replace(oldDoc, newDoc),
    );
  });

  test.for([
    ["export { getAccount };", "export { getAccount as findAccount };"],
    ["export { body as getAccount, other };", "export { body as findAccount, other };"],
    ['export { getAccount } from "./shared.ts";', 'export { getAccount as findAccount } from "./shared.ts";'],
  ] as const)("is exported under its new name by %s", async ([before, after]) => {
    const text = `const body = 1;\nconst getAccount = body;\n${before}\n`;
    expect(await mergedText(merging(text, { wanted: undocumentedFound }))).toBe(text.replace(before, after));
  });

  test.for([
    ['import type * as all from "../../../generated/ledger/handlers.ts";', "all.GetAccountHandler"],
    ["", 'import("../../../generated/ledger/handlers.ts").GetAccountHandler'],
  ] as const)("renames what is named behind its module, but for the body: %s%s", async ([imports, type]) => {
    const body = `async () => ({} as all.GetAccountHandler)`;
    const text = `${imports}\nexport const getAccount: ${type}<Contexts> = ${body};\nexport type Other = ${type};\n`;
    const renamed = text.replaceAll(type, type.replace("GetAccount", "FindAccount"));
    expect(await mergedText(merging(text, { wanted: undocumentedFound }))).toBe(
      renamed
        .replace("const getAccount", "const findAccount")
        .replace("as all.FindAccountHandler)", "as all.GetAccountHandler)"),
    );
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

  test("that its author renamed already is fine as it is", async () => {
    const text = handlerFile(newDoc, "findAccount", "FindAccountHandler");
    expect(await mergedText(merging(text, { wanted: found }))).toBe(text);
  });

  test.for([
    [
      "the new name is taken",
      `${handlerFile(oldDoc)}const findAccount = 2;\n`,
      "it has something else named `findAccount`",
    ],
    [
      "it exports no handler",
      "export const somethingElse = 1;\n",
      "no statement in it declares and exports `getAccount`",
    ],
  ] as const)("keeps its file where %s", async ([, text, reason]) => {
    expect(await mergeHandler(merging(text, { wanted: found }))).toEqual({ kind: "refused", reason });
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
