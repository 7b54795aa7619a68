import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { runtimeEntries } from "../../bin/pack/folder.ts";
import { compileErrors } from "../e2e-generator/compile.ts";
import { createProject, linkRuntime, repository } from "../e2e-generator/project.ts";
import { startIn } from "../packages/installed-project.ts";

/** Follows docs/serving.md in a project of its own: what the page prints is what is written and run. */
const page = readFileSync(join(repository, "docs/serving.md"), "utf8");
const printed = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, code = ""]) => code);
const folder = createProject();
afterAll(() => folder.dispose());

async function generate(): Promise<void> {
  const { exitCode, stderr } = await folder.run(["generate"], {}, "payments");
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
}

/** What the compiler says of the whole project. */
function compileErrorsIn(root: string): Promise<string> {
  const types = join(root, "node_modules/@types");
  if (!existsSync(types)) symlinkSync(join(repository, "node_modules/@types"), types);
  const entries = Object.entries(runtimeEntries());
  const paths = Object.fromEntries(
    entries.map(([name, file]) => [name.replace(/^\./, "ledger-rpc-runtime"), [join(repository, file)]]),
  );
  const include = ["src", "*.ts", join(repository, "runtime/contract/raw-json.d.ts")];
  return compileErrors(root, include, {
    paths,
    noUnusedLocals: false,
    rewriteRelativeImportExtensions: false,
  });
}

test("the guide's method, table and program work as printed, on the database of before", async () => {
  const init = /ledger-rpc-0\.1\.0\.tgz (init .*) --from/.exec(page)?.[1] ?? "";
  expect(await folder.run(init.split(" "))).toMatchObject({ exitCode: 0 });
  linkRuntime(folder, ["payments"]);
  const root = join(folder.root, "payments");
  const call = async (method: string, payload: object) => {
    const words = ["call", method, JSON.stringify(payload), "--access", ".data/access.json"];
    const { stdout, stderr } = await folder.run(words, {}, "payments");
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const before = await startIn(root);
  const task = await call("AddTask", { title: "Buy milk" });
  await before.stop();

  const [handler = "", table = "", schema = "", later = ""] = printed("ts");
  const program = printed("ts").find((code) => code.includes("await createServer(")) ?? "";
  folder.write("payments/spec/rename.yaml", printed("yaml")[0] ?? "");
  await generate();
  folder.write("payments/src/handlers/rename-task.ts", handler);
  folder.write("payments/src/notes.ts", table);
  const application = folder.read("payments/src/application.ts");
  const withTable = application.replace(/^ *schema: .*$/m, schema);
  folder.write("payments/src/application.ts", `import { notes } from "./notes.ts";\n${withTable}`);
  folder.write("payments/program.ts", `${program}console.log(urls.size);\nawait close();\n`);
  expect(await compileErrorsIn(root)).toBe("");

  const after = await startIn(root);
  expect(await call("RenameTask", { id: task.id, title: "Buy oat milk" })).toEqual({
    ...task,
    title: "Buy oat milk",
  });
  const command = async (...args: readonly string[]) =>
    (await promisify(execFile)(process.execPath, ["src/main.ts", ...args], { cwd: root })).stdout;
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  folder.write("payments/ann.pub", publicKey.export({ type: "spki", format: "pem" }).toString());
  expect(await command("users", "add", "--user", "ann", "--public-key", "ann.pub")).toMatch(
    /^apiKey: +\w+$/m,
  );
  expect(await command("users", "revoke", "demo", "--yes")).toMatch(/^keysRevoked: +1$/m);
  const { users } = JSON.parse(await command("users", "list", "--json"));
  expect(users).toMatchObject([
    { userName: "ann", institutionId: "payments", activeKeys: 1 },
    { userName: "demo", institutionId: "payments", activeKeys: 0 },
  ]);
  await expect(call("ListTasks", {})).rejects.toThrow("BAD_CREDENTIAL");
  expect(await command("verify")).toMatch(/^Sound: /);
  await after.stop();
  const { stdout } = await promisify(execFile)(process.execPath, ["program.ts"], { cwd: root });
  expect(stdout.split("\n")).toContain("1");

  const column = /author: defaulting\(.*\)(?=`)/.exec(page)?.[0];
  const index = 'notes_by_author: ["institutionId", "author"]';
  const signed = table
    .replace("defineTable,", "defaulting, defineTable,")
    .replace("body: string;", "body: string;\n  readonly author: string;")
    .replace('body: text("body"),', `body: text("body"), ${column},`)
    .replace("indexes: {", `indexes: { ${index},`)
    .replace('body: "hidden"', 'body: "hidden", author: "value"');
  folder.write("payments/src/notes.ts", signed);
  const extended = folder.read("payments/src/application.ts").replace(/migrations: \[.*\],?(?= \})/, later);
  folder.write("payments/src/application.ts", extended);
  expect(await compileErrorsIn(root)).toBe("");
  expect(await command("migrate", "--plan")).toMatch(
    /-- \d+ note-authors\n.* ADD COLUMN author .*notes_by_author/s,
  );
  await (await startIn(root)).stop();
  expect(await command("verify")).toMatch(/^Sound: /);
});

test("operators have the interface of the package, and one that extends it, as printed", async () => {
  const project = createProject();
  try {
    await project.run(["init", "payments", "--template", "service"]);
    linkRuntime(project, ["payments"]);
    const [, admin = "", office = ""] = printed("yaml");
    const config = project.read("payments/ledger-rpc.yaml");
    const own = "  - { spec: spec-office, out: generated-office, targets: [handlers, methods, client] }\n";
    project.write("payments/ledger-rpc.yaml", config.replace("specs:\n", `${admin}${own}`));
    project.write("payments/spec-office/interface.yaml", office);
    project.write("payments/spec-office/close.yaml", closeDay);
    const { exitCode, stderr } = await project.run(["generate"], {}, "payments");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    project.write("payments/operators.ts", operators);
    const root = join(project.root, "payments");
    expect(await compileErrorsIn(root)).toBe("");
    const { stdout } = await promisify(execFile)(process.execPath, ["operators.ts"], { cwd: root });
    expect(JSON.parse(stdout)).toEqual({ admin: ["payments.ann"], office: ["payments.ann"], closed: true });
  } finally {
    project.dispose();
  }
});

const closeDay = `
methods:
  CloseDay:
    doc: Closes the day.
    effect: set
    auth: [credential, keyId, signature]
    payload: { fields: [] }
    result: { fields: [{ name: closed, type: boolean, doc: Whether it is closed. }] }
`;

/** The application with both interfaces, an operator in each, and what these see. */
const operators = `
import { generateKeyPairSync } from "node:crypto";
import { adminHandlers } from "ledger-rpc-runtime/administration";
import { createServer, type ReadContext, type WriteContext } from "ledger-rpc-runtime/server";
import { AdminClient } from "./generated-admin/client/index.ts";
import { OfficeClient } from "./generated-office/client/index.ts";
import type { OfficeHandlers } from "./generated-office/handlers.ts";
import { officeInterface } from "./generated-office/methods.ts";
import { application } from "./src/application.ts";

interface Contexts { readonly read: ReadContext; readonly write: WriteContext }
const handlers: OfficeHandlers<Contexts> = {
  ...adminHandlers("office"),
  CloseDay: async () => ({ closed: true }),
};
const office = { descriptor: officeInterface, handlers: { ...handlers }, isManagedByCommands: true } as const;
const whole = { ...application, interfaces: [...application.interfaces, office] };
const server = await createServer(whole, {
  "admin.interface": "on",
  "admin.port": 0,
  "database.url": "memory:",
  "log.level": "silent",
  "office.port": 0,
  "payments.port": 0,
});
const { urls, close } = await server.listen();
async function optionsOf(name: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKeyPem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const userName = "of-" + name;
  const { apiKey, keyId } = await server.addUser({ userName, interface: name, publicKeyPem });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const signer = { keyId, privateKey: key };
  return { baseUrl: urls.get(name) ?? "", credential: { userName, apiKey }, signer };
}
const olga = new AdminClient(await optionsOf("admin"));
const otto = new OfficeClient(await optionsOf("office"));
await olga.issueCredential({ userName: "ann" });
const [admin, seen] = [await olga.listUsers({}), await otto.listUsers({})];
const { closed } = await otto.closeDay({});
const names = ({ users }: typeof admin) => users.map(({ userName }) => userName);
console.log(JSON.stringify({ admin: names(admin), office: names(seen), closed }));
await close();
`;
