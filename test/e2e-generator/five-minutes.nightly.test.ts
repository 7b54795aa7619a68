import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packTarballs, runIn, startIn, succeedIn, type Tarballs } from "../packages/installed-project.ts";

let tarballs: Tarballs;
const root = mkdtempSync(join(tmpdir(), "ledger-five-minutes-"));
beforeAll(() => (tarballs = packTarballs()));
afterAll(() => {
  tarballs.remove();
  rmSync(root, { recursive: true });
});

/** The way of docs/getting-started.md. */
test("from tarballs and an empty folder to a service that answers", async () => {
  const from = join("..", basename(tarballs.folder));
  const npx = ["npx", "--yes", "--package", tarballs.generator, "ledger-rpc"];
  const made = await succeedIn(root, [...npx, "init", "tasks", "--from", from]);
  expect(made).toContain("Next:\n  cd tasks\n  npm install\n  npm test\n  npm start &");
  const project = join(root, "tasks");
  await succeedIn(project, ["npm", "install", "--prefer-offline"]);
  expect(await succeedIn(project, ["npm", "test"])).toMatch(/pass 3$/m);
  await called(project);
  writeFileSync(join(project, "openrpc.json"), JSON.stringify(pets));
  const report = await succeedIn(project, [
    "npx",
    "ledger-rpc",
    "import",
    "openrpc.json",
    "--params",
    "by-position",
  ]);
  expect(report).toContain("methods: 1 of 1 taken (1 exact, 0 assumed, 0 weakened), 0 refused");
  await succeedIn(project, ["npx", "ledger-rpc", "generate"]);
  await succeedIn(project, ["npx", "tsc"]);
  await succeedIn(project, ["npm", "run", "check"]);
});

/** A description that a team already has. */
const pets = {
  openrpc: "1.3.2",
  info: { title: "Pets", version: "1.0.0" },
  methods: [
    {
      name: "list_pets",
      params: [{ name: "limit", schema: { type: "integer", minimum: 1 } }],
      result: { name: "pets", schema: { type: "array", items: { $ref: "#/components/schemas/Pet" } } },
    },
  ],
  components: {
    schemas: {
      Pet: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "string" }, tag: { type: ["string", "null"] } },
      },
    },
  },
};

/** Starts the service and calls it from another shell. */
async function called(project: string): Promise<void> {
  const service = await startIn(project);
  try {
    const call = (...args: readonly string[]) =>
      runIn(project, ["npx", "ledger-rpc", "call", ...args], { PORT: service.port });
    const milk = { id: 1, title: "Buy milk", state: "open" };
    expect(JSON.parse((await call("add", '["Buy milk"]')).stdout)).toEqual(milk);
    expect(JSON.parse((await call("list", "[null]")).stdout)).toEqual([milk]);
    expect(await call("lst")).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "error -32601: Method not found\nhint: did you mean list?\n",
    });
    const baseUrl = `http://127.0.0.1:${service.port}`;
    writeFileSync(join(project, "try.ts"), clientProgram(`${baseUrl}/rpc`));
    expect(JSON.parse(await succeedIn(project, ["node", "try.ts"]))).toEqual([milk, { ...milk, id: 2 }]);
    const conformed = await succeedIn(project, ["npx", "ledger-rpc", "conform", "--base-url", baseUrl]);
    expect(conformed).toMatch(/\d{3} passed, 0 failed/);
  } finally {
    await service.stop();
  }
}

/** A program of the project that calls its service by the generated client. */
function clientProgram(url: string): string {
  return `import { createTasksClient } from "./generated/client/index.ts";
const client = createTasksClient({ url: "${url}" });
await client.add({ title: "Buy milk" });
console.log(JSON.stringify(await client.list({})));
`;
}

test.for([
  ["bearer", 2],
  ["service", 3],
] as const)("a project of the template %s tests and compiles", async ([template, tests]) => {
  const from = join("..", basename(tarballs.folder));
  const npx = ["npx", "--yes", "--package", tarballs.generator, "ledger-rpc"];
  await succeedIn(root, [...npx, "init", `a-${template}`, "--template", template, "--from", from]);
  const project = join(root, `a-${template}`);
  await succeedIn(project, ["npm", "install", "--prefer-offline"]);
  expect(await succeedIn(project, ["npm", "test"])).toMatch(new RegExp(`pass ${tests}$`, "m"));
  await succeedIn(project, ["npm", "run", "check"]);
  await conforms(project, template === "service" ? ".data/access.json" : "access.json");
});

/** Its service conforms, by the caller whom it writes down where it starts. */
async function conforms(project: string, access: string): Promise<void> {
  const service = await startIn(project);
  try {
    const conform = ["npx", "ledger-rpc", "conform", "--access", access, "--base-url"];
    const { exitCode, stdout } = await runIn(project, [...conform, `http://127.0.0.1:${service.port}`]);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+ passed, 0 failed in/m),
    });
  } finally {
    await service.stop();
  }
}

test("an edit of the spec is in the service after one command", async () => {
  const project = join(root, "tasks");
  const spec = join(project, "spec/tasks.yaml");
  const text = readFileSync(spec, "utf8");
  writeFileSync(
    spec,
    `${text}  remove:\n    doc: Removes a task.\n    payload: { fields: [{ name: id, type: integer, doc: Its number. }] }\n    result: Task\n`,
  );
  expect(await succeedIn(project, ["npm", "run", "generate"])).toContain("wrote src/handlers/remove.ts");
  await succeedIn(project, ["npx", "tsc"]);
  expect((await runIn(project, ["npm", "run", "check"])).exitCode).toBe(0);
});
