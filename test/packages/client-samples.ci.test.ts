import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { createProject, repository, type Project } from "../e2e-generator/project.ts";

const run = promisify(execFile);

const standard = `
interface:
  name: shop
  title: Shop
  revision: 2.0.0
  doc: Sells things.
  wire: { protocol: json-rpc-2.0, transports: [http, websocket] }
  schemes: { user: { kind: api-key, header: X-Api-Key } }
  security: [{ user: [] }]
types:
  Item:
    doc: A thing.
    fields:
      - { name: id, type: uuid, doc: Which. }
      - { name: price, type: money, doc: What it costs. }
      - { name: made, type: integer, minimum: 3, doc: When. }
methods:
  items.get:
    doc: Gives a thing.
    effect: read
    payload: { fields: [{ name: id, type: uuid, doc: Which. }, { name: kind, type: string, pattern: "^[A-Z]{3}$", doc: Which kind. }] }
    result: Item
  items.list:
    doc: Lists things.
    effect: read
    paging: { page: page, size: size, items: items }
    payload: { fields: [{ name: page, type: integer, minimum: 1, optional: true, doc: The page. }, { name: size, type: integer, minimum: 1, optional: true, doc: How many. }] }
    result: { fields: [{ name: items, type: array of Item, doc: The things. }] }
  items.newest:
    doc: Lists the newest things.
    effect: read
    paging: { cursor: after, next: next, size: size, items: items, name: newest }
    payload: { fields: [{ name: after, type: string, optional: true, doc: Where the page begins. }, { name: size, type: integer, minimum: 1, optional: true, doc: How many. }] }
    result: { fields: [{ name: items, type: array of Item, doc: The things. }, { name: next, type: string|null, doc: Where the next page begins. }] }
`;

let project: Project | undefined;
let mock: ChildProcess | undefined;
afterEach(() => {
  mock?.kill();
  project?.dispose();
});

/** Generates and packs the client of a project, and puts it where the project's programs find it. */
async function packedIn(made: Project, client: string): Promise<string> {
  const modules = join(made.root, "node_modules");
  mkdirSync(modules, { recursive: true });
  for (const name of ["@types", "zod"])
    symlinkSync(join(repository, "node_modules", name), join(modules, name));
  for (const args of [["generate"], ["pack"]])
    expect(await made.run(args)).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining("error") });
  cpSync(join(made.root, "dist", client), join(modules, client), { recursive: true });
  return made.read(`node_modules/${client}/README.md`);
}

/** The samples of a page as one program, in their order: imports once, and each later sample in a block of its own. */
function programOf(page: string, given: string, real: Readonly<Record<string, string>>): string {
  const samples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  const imported = new Map<string, Set<string>>();
  const bodies = samples.map((code) =>
    code
      .replaceAll(
        /^import (type )?\{ ([^}]+) \} from ("[^"]+");\n/gm,
        (_, type = "", names: string, from: string) => {
          for (const name of names.split(", ").map((each) => `${type}${each}`))
            imported.set(from, (imported.get(from) ?? new Set()).add(name));
          return "";
        },
      )
      .replace("export async function", "async function"),
  );
  const imports = [...imported].map(([from, names]) => `import { ${[...names].join(", ")} } from ${from};`);
  const [start = "", ...others] = bodies;
  const whole = [...imports, given, start, ...others.map((body) => `{\n${body}}`)].join("\n");
  return Object.entries(real).reduce((text, [shown, value]) => text.replaceAll(shown, value), whole);
}

async function startMock(made: Project, ...options: readonly string[]): Promise<string> {
  const main = join(repository, "generator/cli/main.ts");
  mock = spawn(process.execPath, [main, "mock", "--port", "0", ...options], { cwd: made.root });
  if (mock.stdout === null) throw new Error("no output");
  const [line] = await once(createInterface({ input: mock.stdout }), "line");
  return /http:\/\/[^/]+/.exec(String(line))?.[0] ?? "";
}

/** Compiles the program and runs it. */
async function tried(made: Project, program: string): Promise<string> {
  made.write("samples.ts", program);
  const options = ["--module", "nodenext", "--target", "es2023", "--strict", "--noEmit", "--types", "node"];
  const tsc = [
    join(repository, "node_modules/typescript/bin/tsc"),
    ...options,
    "samples.ts",
    "--ignoreConfig",
  ];
  await run(process.execPath, tsc, { cwd: made.root }).catch((error: unknown) => {
    throw new Error(String(Object(error).stdout));
  });
  const { stdout } = await run(process.execPath, ["samples.ts"], { cwd: made.root });
  return stdout;
}

test("the samples of a standard client's page compile and run, as its package is installed", async () => {
  project = createProject();
  project.write("ledger-rpc.yaml", "specs: [{ spec: spec, out: generated, handlers: handlers }]\n");
  project.write("package.json", '{ "type": "module" }\n');
  project.write("spec/shop.yaml", standard);
  const page = await packedIn(project, "shop-client");
  const required =
    "console.log(Object.keys(require('shop-client')), typeof require('shop-client').createShopClient)";
  const { stdout } = await run(process.execPath, ["--input-type=commonjs", "-e", required], {
    cwd: project.root,
  });
  expect(stdout).toMatch(/createShopClient[^]* function$/m);
  expect(globSync("node_modules/shop-client/*.d.cts", { cwd: project.root })).not.toEqual([]);
  const origin = await startMock(project, "--open");
  const program = programOf(page, "", {
    "https://api.example.com": origin,
    "wss://api.example.com": origin.replace("http", "ws"),
  });
  expect(program.match(/^\{$/gm)?.length).toBeGreaterThan(5);
  const turned =
    "let count = 0;\nfor await (const item of client.newest.all({ pageSize: 2 })) if (item.id) count += 1;\n";
  const printed = await tried(project, program + turned + "console.log(`newest: ${count}`);\n");
  expect(printed).toContain("price");
  expect(printed).toMatch(/newest: [1-9]/);
});

test("the samples of a signed client's page compile and run, though no operation has an example", async () => {
  project = createProject(join(repository, "test/cases/generate/base"));
  project.write("package.json", '{ "type": "module" }\n');
  const page = await packedIn(project, "notes-client");
  const origin = await startMock(project, "--access", "access.json");
  const access: Readonly<Record<string, string>> = JSON.parse(project.read("access.json"));
  project.write("private-key.pem", access["privateKeyPem"] ?? "");
  const given = `import { createPrivateKey, createSign } from "node:crypto";
const baseUrl = "https://api.example.com";
const credential = { userName: "your-user", apiKey: "your-api-key" };
const keyId = "your-key-id";
`;
  const later = `const options = { baseUrl, credential, signer: { keyId, privateKey: pem } };
const jwk = createPrivateKey(pem).export({ format: "jwk" });
const der = createPrivateKey(pem).export({ type: "pkcs8", format: "der" });
const cryptoKey = await crypto.subtle.importKey("pkcs8", der, { name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
const askTheHsm = async (bytes: Uint8Array) => createSign("sha256").update(bytes).sign(pem);
`;
  const program = programOf(page, given, {
    "https://api.example.com": origin,
    "your-user": access["userName"] ?? "",
    "your-api-key": access["apiKey"] ?? "",
    "your-key-id": access["keyId"] ?? "",
  }).replace("\n{\n", `\n${later}{\n`);
  expect(program.match(/^\{$/gm)?.length).toBeGreaterThan(6);
  // Nothing in it is an amount of money.
  expect(page).not.toContain("## Money");
  expect(await tried(project, program)).toMatch(/^NoteService\.GetNote 1 200 done \d+$/m);
});
