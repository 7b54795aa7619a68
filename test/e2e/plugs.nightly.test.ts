import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyRepository } from "../repository-copy.ts";
import { startServer } from "./server.ts";

/**
 * Does what docs/internals/extending.md and docs/generator.md say in a copy of the repository: an emitter, an authentication
 * scheme, a store, and an interface that uses them. Its new files are in test/cases/plugs.
 */
let copy = "";
beforeAll(() => {
  copy = copyRepository("plugs-");
  cpSync(join(import.meta.dirname, "../cases/plugs"), copy, { recursive: true });
  // Under their own names they would be tests of this repository.
  for (const file of ["scheme-contract/api-key", "store-contract/scratch"])
    renameSync(join(copy, `test/${file}.ts`), join(copy, `test/${file}.test.ts`));
  const emitter = "generator/targets/csv/index.ts";
  textOfTheGuide("generator.md", `// ${emitter}\n`, emitter);
  for (const [file, line, replacement] of lines) replaceLine(file, line, replacement);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The lines that the plugs need in files that exist. */
const lines: readonly (readonly [file: string, line: string, replacement: string])[] = [
  [
    "runtime/store/index.ts",
    "const engines: readonly StoreEngine[] = [sqliteAdapter, postgresAdapter, memoryAdapter];",
    'import { scratchAdapter } from "./scratch/index.ts";\n' +
      "const engines: readonly StoreEngine[] = [sqliteAdapter, postgresAdapter, memoryAdapter, scratchAdapter];",
  ],
  [
    "ledger-rpc.yaml",
    "contract: runtime/contract/index.ts",
    "  - { spec: spec/branch, out: generated/branch, handlers: ledger/handlers/branch }\ncontract: runtime/contract/index.ts",
  ],
  [
    "ledger/application.ts",
    "const interfaces: readonly InterfaceRow[] = [ledger, operator, partner];",
    'import { branchInterface } from "../generated/branch/methods.ts";\n' +
      'import { branchHandlers, branchRevisions } from "./handlers/branch/index.ts";\n' +
      'import { apiKey } from "./api-key.ts";\n' +
      "const interfaces: readonly InterfaceRow[] = [ledger, operator, partner,\n" +
      "  { descriptor: branchInterface, handlers: { ...branchHandlers }, revisions: branchRevisions, auth: apiKey() }];",
  ],
  [
    "ARCHITECTURE.md",
    "  partner/          what users of the documented interface see and do alone",
    "  partner/          what users of the documented interface see and do alone\n  branch/           of the trial",
  ],
  [
    "ARCHITECTURE.md",
    "  partner/          the same",
    "  partner/          the same\n  branch/           the same",
  ],
];

test("an emitter, a scheme, a store and an interface need a folder and a line each", async () => {
  const generated = await node(["generator/cli/main.ts", "generate"]);
  expect(generated).toContain("wrote generated/ledger/fields.csv");
  expect(generated).toContain("wrote ledger/handlers/branch/index.ts");
  cpSync(
    join(copy, "ledger/handlers/operator/contexts.ts"),
    join(copy, "ledger/handlers/branch/contexts.ts"),
  );
  expect(readFileSync(join(copy, "generated/ledger/fields.csv"), "utf8")).toContain(
    "\nAddress,city,string\n",
  );
  expect(await node(["generator/cli/main.ts", "check"])).toMatch(/branch: \d+ files up to date/);
  expect(await node(["node_modules/.bin/tsc", "-p", "."])).toBe("");
  await unitTests(["test/unit/settings-guide.test.ts"], { UPDATE_EXPECTED: "1" });
  await unitTests([
    "test/docs/architecture.test.ts",
    "test/scheme-contract/api-key.test.ts",
    "test/store-contract/scratch.test.ts",
    "test/unit/floors.test.ts",
    "test/unit/interfaces-table.test.ts",
    "test/unit/settings-guide.test.ts",
  ]);
});

test("a protocol needs a folder of the generator and one of the runtime, and no line elsewhere", async () => {
  cpSync(join(import.meta.dirname, "../cases/own-protocol"), copy, { recursive: true });
  const generated = await node(["generator/cli/main.ts", "generate", "--config", "notes.yaml"]);
  expect(generated).toContain("wrote notes/generated/methods.ts");
  expect(generated).not.toContain("notes/generated/client");
  expect(await node(["node_modules/.bin/tsc", "-p", "notes"])).toBe("");
  const bodies = [{ text: "Una" }, { text: "too much" }, { text: "" }];
  const calls = bodies.map((body) => JSON.stringify({ method: "add", ...body }));
  expect((await node(["notes/server.ts", ...calls])).split("\n")).toEqual([
    '200 {"id":1,"text":"Una"}',
    '409 {"type":"urn:problem:FULL","title":"The pad is full","status":409}',
    '400 {"type":"urn:problem:invalidParams","title":"invalidParams","status":400}',
    "",
  ]);
  const diff = ["diff", "notes/spec", "notes/spec", "--config", "notes.yaml"];
  expect(await node(["generator/cli/main.ts", ...diff])).toContain("No changes.");
  await expect(node(["generator/cli/main.ts", "mock", "--config", "notes.yaml"])).rejects.toThrow(
    "this needs the mock of the protocol problem, which its folder in tools/protocols does not have",
  );
});

test("a dialect of JSON-RPC needs a folder of the generator, and no line elsewhere", async () => {
  cpSync(join(import.meta.dirname, "../cases/own-dialect"), copy, { recursive: true });
  const main = (command: string, ...args: readonly string[]) =>
    node(["generator/cli/main.ts", command, "--config", "sums.yaml", ...args]);
  await main("generate");
  expect(await node(["node_modules/.bin/tsc", "-p", "sums"])).toBe("");
  const server = spawn(process.execPath, [join(copy, "sums/server.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(createInterface(server.stdout), "line");
    const baseUrl = `http://127.0.0.1:${String(Object(JSON.parse(String(line))).port)}`;
    const bodies = [
      { cmd: "add", args: { a: 1, b: 2 }, ref: 7 },
      { cmd: "add", args: { a: 1000, b: 2 }, ref: "x" },
      { jsonrpc: "2.0", method: "add", params: { a: 1, b: 2 }, id: 7 },
    ].map((body) => JSON.stringify(body));
    expect((await node(["sums/client.ts", `${baseUrl}/sums`, ...bodies])).split("\n")).toEqual([
      '{"ok":3,"ref":7}',
      '{"fail":{"code":409,"message":"The sum is too large"},"ref":"x"}',
      expect.stringContaining('"fail":{"code":-32600'),
      "3",
      "The sum is too large",
      "3",
      "The sum is too large",
      "",
    ]);
    expect(await main("conform", "--base-url", baseUrl)).toContain("conforms at level decisions");
    expect(await main("call", "add", '{"a":1,"b":2}', "--url", `${baseUrl}/sums`)).toBe("3\n");
  } finally {
    server.kill();
  }
  const mock = "node generator/cli/main.ts mock --stdio --config sums.yaml";
  expect(await main("conform", "--command", mock)).toContain("conforms at level decisions");
  expect(await main("call", "add", '{"a":1,"b":2}', "--command", mock)).toBe("3\n");
});

test("the interface is called under the new scheme, over the new store", async () => {
  const dataDir = join(copy, ".data");
  const server = await startServer(dataDir, { LEDGER_DATABASE_URL: "scratch:", BRANCH_PORT: "0" }, copy);
  try {
    const address = /"branchUrl":"([^"]+)"/;
    await expect.poll(() => server.printed()).toMatch(address);
    const url = `${address.exec(server.printed())?.[1] ?? ""}/branch/jsonrpc`;
    const issued = await node([
      "generator/cli/main.ts",
      "call",
      "IssueCredential",
      JSON.stringify({ userName: "tim", email: "tim@bank.example", interface: "branch" }),
      "--spec",
      "operator",
      "--access",
      join(dataDir, "access.json"),
    ]);
    const { credential } = JSON.parse(issued);
    const call = async (authorization: string): Promise<unknown> => {
      const body = JSON.stringify({ method: "GetUser", id: "1", params: { api: {}, payload: {} } });
      const headers = { "Content-Type": "application/json", authorization };
      return (await fetch(url, { method: "POST", headers, body })).json();
    };
    expect(await call(credential)).toHaveProperty("result", { userName: "091311229.tim" });
    expect(await call(`Basic ${Buffer.from("091311229.tim:wrong").toString("base64")}`)).toHaveProperty(
      "error.code",
      "BAD_CREDENTIAL",
    );
  } finally {
    await server.stop();
  }
});

/** The lines that a scheme of its own needs in the files of a standard interface. */
const ownSchemeLines: typeof lines = [
  [
    "desks/spec/interface.yaml",
    "  wire: { protocol: json-rpc-2.0, http: { path: /rpc } }",
    "  wire: { protocol: json-rpc-2.0, http: { path: /rpc } }\n" +
      "  schemes: { user: { kind: x-desk, opens: 0, closes: 24 } }\n" +
      "  security: [{ user: [] }]",
  ],
  [
    "desks/handlers/contexts.ts",
    "  readonly write: object;",
    "  readonly write: object;\n  readonly callers: { readonly user: { readonly id: string } };",
  ],
  [
    "desks/server.ts",
    "const server = createServer(rpcHandler(createService(desksInterface, desksHandlers)));",
    'import { user } from "./scheme.ts";\n' +
      "const server = createServer(rpcHandler(createService(desksInterface, desksHandlers, { auth: { user } })));",
  ],
];

test("a standard interface's own scheme needs a file, its spec, and a line where the service starts", async () => {
  cpSync(join(import.meta.dirname, "../cases/own-scheme"), copy, { recursive: true });
  const before = textsBelow("desks");
  textOfTheGuide("authentication.md", "import type { SchemeVerifier } from ", "desks/scheme.ts");
  for (const [file, line, replacement] of ownSchemeLines) replaceLine(file, line, replacement);
  const credentials = { user: { module: "scheme.ts" } };
  writeFileSync(join(copy, "desks/access.json"), JSON.stringify({ credentials }));

  await node(["generator/cli/main.ts", "generate", "--config", "desks.yaml"]);
  expect(await node(["node_modules/.bin/tsc", "-p", "desks"])).toBe("");
  const server = spawn(process.execPath, [join(copy, "desks/server.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(createInterface(server.stdout), "line");
    const baseUrl = `http://127.0.0.1:${String(Object(JSON.parse(String(line))).port)}`;
    expect(await node(["desks/client.ts", `${baseUrl}/rpc`, "north"])).toBe("ann\n");
    expect(await node(["desks/client.ts", `${baseUrl}/rpc`, "nowhere"])).toBe("Unauthenticated\n");
    const conform = ["generator/cli/main.ts", "conform", "--config", "desks.yaml"];
    const report = await node([...conform, "--base-url", baseUrl, "--access", "desks/access.json"]);
    expect(report).toMatch(/ 0 failed, 2 skipped in .*\nconforms at level decisions\n/);
    const touched = [...textsBelow("desks")].filter(([path, text]) => before.get(path) !== text);
    const written = touched
      .map(([path]) => path)
      .filter((path) => !/^(?:generated|handlers\/index)/.test(path));
    expect(written.toSorted()).toEqual([
      "access.json",
      "handlers/contexts.ts",
      "scheme.ts",
      "server.ts",
      "spec/interface.yaml",
    ]);
  } finally {
    server.kill();
  }
});

/** Writes the program that a guide shows, from the line on that begins so. */
function textOfTheGuide(guide: string, beginning: string, file: string): void {
  const [, text] = readFileSync(join(copy, "docs", guide), "utf8").split(`\`\`\`ts\n${beginning}`);
  if (text === undefined) throw new Error(`docs/${guide} shows no ${beginning}`);
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  writeFileSync(join(copy, file), `${beginning}${text.slice(0, text.indexOf("```"))}`);
}

/** The texts of the files of a folder of the copy, by path. */
function textsBelow(folder: string): ReadonlyMap<string, string> {
  const files = globSync("**/*.*", { cwd: join(copy, folder) });
  return new Map(files.map((path) => [path, readFileSync(join(copy, folder, path), "utf8")]));
}

function replaceLine(file: string, line: string, replacement: string): void {
  const before = readFileSync(join(copy, file), "utf8");
  const after = before.replace(`${line}\n`, `${replacement}\n`);
  if (after === before) throw new Error(`${file} has no line ${line}`);
  writeFileSync(join(copy, file), after);
}

async function unitTests(files: readonly string[], env: Record<string, string> = {}): Promise<void> {
  await node(["node_modules/.bin/vitest", "run", "--project", "unit", ...files], env);
}

/** What a program of the copy printed; rejects with all of it where it fails. */
async function node(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const options = { cwd: copy, env: { ...process.env, ...env, NO_COLOR: "1" }, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(process.execPath, [...args], options).catch(
    (error: unknown) => {
      throw error instanceof Error && "stdout" in error
        ? new Error(`${error.message}\n${String(error.stdout)}`)
        : error;
    },
  );
  return stdout;
}
