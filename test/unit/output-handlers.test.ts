import { describe, expect, test } from "vitest";
import { mergeHandler, type HandlerMerge } from "../../generator/output/handlers/merge-handler.ts";
import { docDigest, stubParts } from "../../generator/output/handlers/stub-parts.ts";

const oldDoc = "/** Gives an account. */";
const newDoc = "/**\n * Gives an account, with its balance.\n *\n * @see section 4.12\n */";
const body = 'async (payload, context) => {\n\tconst x = `}`; // keeps "odd"   spacing\n\treturn { x };\n}';

function handlerFile(doc: string, name = "getAccount", type = "GetAccountHandler"): string {
  return [
    "// by me",
    `import type { ${type} } from "../../../../generated/ledger/handlers.ts";`,
    'import type { Contexts } from "../contexts.ts";',
    'import { clock } from "../../clock.ts";',
    "",
    `${doc}${doc === "" ? "" : "\n"}export const ${name}: ${type}<Contexts> = ${body};`,
    "",
    "export const other = 1; // getAccount",
    "",
  ].join("\n");
}

function merging(text: string | Buffer, changes: Partial<HandlerMerge> = {}): HandlerMerge {
  return {
    bytes: Buffer.from(text),
    from: "handlers/account-service/get-account.ts",
    to: "handlers/account-service/get-account.ts",
    written: {
      file: "account-service/get-account.ts",
      export: "getAccount",
      type: "GetAccountHandler",
      doc: docDigest(oldDoc),
      stub: "",
    },
    wanted: { export: "getAccount", type: "GetAccountHandler", doc: newDoc },
    ...changes,
  };
}

async function mergedText(merge: HandlerMerge): Promise<string> {
  const merged = await mergeHandler(merge);
  return merged.kind === "text" ? merged.text : merged.kind;
}

const found = { export: "findAccount", type: "FindAccountHandler", doc: newDoc };

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
    const { doc: _, ...undocumented } = merging("").written;
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
    ["a file without the handler", "export const somethingElse = 1;\n", "it exports no `getAccount`"],
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

  test("renames a function declaration and an aliased type", async () => {
    const text = [
      'import type { GetAccountHandler as H } from "../../../generated/ledger/handlers.ts";',
      "export async function getAccount(...args: Parameters<H>) { return getAccount.length; }",
    ].join("\n");
    expect(
      await mergedText(merging(text, { wanted: { export: "findAccount", type: "FindAccountHandler" } })),
    ).toBe(
      text
        .replace("GetAccountHandler", "FindAccountHandler")
        .replace("function getAccount", "function findAccount"),
    );
  });

  test("moves relative imports along with the file", async () => {
    const to = "handlers/find-account.ts";
    const merged = await mergedText(merging(handlerFile(oldDoc), { wanted: found, to }));
    expect(merged).toContain('from "../../../generated/ledger/handlers.ts"');
    expect(merged).toContain('from "./contexts.ts"');
    expect(merged).toContain('from "../clock.ts"');
    expect(merged).toContain(body);
  });

  test("that its author renamed already is fine as it is", async () => {
    const text = handlerFile(oldDoc, "findAccount", "FindAccountHandler");
    expect(await mergedText(merging(text, { wanted: found }))).toBe(text);
  });

  test("keeps its file where the new name is taken", async () => {
    const text = `${handlerFile(oldDoc)}const findAccount = 2;\n`;
    const reason = "it has something else named `findAccount`";
    expect(await mergeHandler(merging(text, { wanted: found }))).toEqual({ kind: "refused", reason });
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
