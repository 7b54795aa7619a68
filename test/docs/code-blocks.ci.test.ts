import { execFile } from "node:child_process";
import { globSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import { runtimeEntries } from "../../bin/pack/folder.ts";
import { compileErrors } from "../e2e-generator/compile.ts";
import { createProject, linkRuntime, repository, type Project } from "../e2e-generator/project.ts";

/** A block of code as a page prints it. */
interface Block {
  /** `serving.md 2`: the second block of its language on the page. */
  readonly name: string;
  readonly language: string;
  readonly code: string;
}

const blocks: readonly Block[] = globSync("docs/*.md", { cwd: repository })
  .toSorted()
  .flatMap((file) => {
    const counts = new Map<string, number>();
    const text = readFileSync(join(repository, file), "utf8");
    return [...text.matchAll(/^( *)```(\w+)[^\n]*\n(.*?)^ *```/gms)].map(
      ([, indent = "", language = "", code = ""]) => {
        counts.set(language, (counts.get(language) ?? 0) + 1);
        const name = `${file.replace(/^docs./, "")} ${counts.get(language)}`;
        return { name, language, code: code.replaceAll(new RegExp(`^${indent}`, "gm"), "") };
      },
    );
  });
const blocksOf = (...languages: readonly string[]) =>
  blocks.filter(({ language }) => languages.includes(language));

/** Blocks that a test takes from the page by itself, and runs. */
const run: Readonly<Record<string, string>> = {
  "authentication.md": "test/docs/authentication.ci.test.ts",
  "generator.md 2": "test/e2e/plugs.nightly.test.ts",
  "handlers.md 1": "test/unit/handlers-docs.test.ts",
  "serving.md 1": "test/docs/serving.ci.test.ts",
  "serving.md 2": "test/docs/serving.ci.test.ts",
  "serving.md 3": "test/docs/serving.ci.test.ts",
  "serving.md 12": "test/docs/serving.ci.test.ts",
  "your-first-operation.md": "test/docs/first-operation.ts",
};

const tasks = `
import express from "express";
import { tasksInterface } from "./generated/methods.ts";
import { tasksHandlers } from "./src/handlers/index.ts";
import { createTasks } from "./src/tasks.ts";
import { rpc } from "ledger-rpc-runtime/express";
const app = express();
const tasks = createTasks();
`;

const overDatabase = `
import express from "express";
import { tasksInterface } from "./generated/methods.ts";
import type { tasksHandlers as ours } from "./src/handlers/index.ts";
type Handlers = { readonly [name in keyof typeof ours]: (payload: never, context: { readonly db: object }) => never };
declare const tasksHandlers: Handlers;
const app = express();
const db = {};
`;

/** Specs of their own, for pages whose programs are about another interface than the project's; out of YAML that they print. */
const wire = "wire: { protocol: json-rpc-2.0 }";
const specs = {
  schemes: blockNamed("authentication.md 1", "yaml").replace(
    "interface:\n",
    `interface:\n  name: schemes\n  ${wire}\n`,
  ),
  faults: `interface: { name: faults, ${wire} }
${blockNamed("protocols.md 4", "yaml")}types: { GoneTask: { fields: [{ name: id, type: string }] } }
methods: { list: { payload: { fields: [{ name: owner, type: string }] }, result: json, errors: { GONE: {}, LOST: {} } } }
`,
  calls: `interface: { name: calls, ${wire}, schemes: { user: { kind: bearer } }, security: [{ user: [] }] }
methods:
  list: { effect: read, payload: { fields: [{ name: state, type: string }] }, result: json }
  count: { effect: read, result: integer }
  add: { effect: create, payload: { fields: [{ name: title, type: string }] }, result: json }
  touched: { notify: only, payload: { fields: [{ name: id, type: string }] } }
`,
};

function blockNamed(wanted: string, language: string): string {
  return blocksOf(language).find(({ name }) => name === wanted)?.code ?? "";
}

/** The lines that a page leaves to its reader: what stands before a program, for the compiler. */
const before: Readonly<Record<string, string>> = {
  "authentication.md 1": `
import express from "express";
import { rpc } from "ledger-rpc-runtime/express";
import { apiKey } from "ledger-rpc-runtime/auth/api-key";
import { hmac } from "ledger-rpc-runtime/auth/hmac";
import { jwt } from "ledger-rpc-runtime/auth/jwt";
import { schemesInterface as tasksInterface } from "./pages/schemes/methods.ts";
const app = express();
const handlers = { add: async () => null, search: async () => null, ping: async () => null };
const caller = () => ({ id: "ann" });
const [user, machine, signed] = [jwt({ secret: "a secret", caller }), apiKey({ keys: [] }), hmac({ key: () => undefined })];
`,
  "authentication.md 2": "",
  "client.md 1": `
import { createCallsClient as createTasksClient } from "./pages/calls/client/index.ts";
declare function currentToken(): string;
`,
  "conformance.md 1": "",
  "events.md 1": `
declare const secret: string, rawBody: string, headers: Record<string, string>;
`,
  "events.md 2": `
declare const secret: string, rawBody: string, headers: Record<string, string>;
`,
  "generator.md 1": "",
  "getting-started.md 1": "",
  "getting-started.md 2": `
import type { CountHandler } from "./generated/handlers.ts";
import type { Contexts } from "./src/handlers/contexts.ts";
`,
  "handlers.md 2": `
import type { UpdateTransactionStatusHandler } from "repository/generated/operator/handlers.ts";
import type { Contexts } from "repository/ledger/handlers/operator/contexts.ts";
declare const context: Parameters<UpdateTransactionStatusHandler<Contexts>>[1];
`,
  "handlers.md 3": `
import { expect } from "vitest";
import { openBank } from "repository/test/unit/handlers-bank.ts";
import { openBusiness } from "repository/test/unit/handlers-people.ts";
`,
  "project.md 1": tasks,
  "protocols.md 1": `
import type { ListHandler } from "./pages/faults/handlers.ts";
declare const context: Parameters<ListHandler<{ read: object; write: object; callers: object }>>[1];
`,
  "protocols.md 2": overDatabase,
  "reference.md 1": `
import express from "express";
const app = express();
`,
  "serving.md 13": `${overDatabase}
import type { Store } from "ledger-rpc-runtime";
declare const store: Store;
const [handlers, auth] = [tasksHandlers, {}];
`,
  "serving.md 15": `
declare const close: () => Promise<unknown>, webSocket: { close(): Promise<unknown> };
`,
  "serving.md 14": `
import type { Repetitions, Store } from "ledger-rpc-runtime";
declare const db: { [name in "snapshot" | "transaction"]: <T>(run: (part: object) => T) => T };
declare const idOf: (identity: unknown) => string;
declare const find: Repetitions["find"], keep: Repetitions["keep"];
`,
  "serving.md 16": `${overDatabase}
import assert from "node:assert/strict";
const handlers = tasksHandlers;
`,
  "types.md 1": "",
};

/** Excerpts: lines out of a file that is not shown, or with an ellipsis for a body. */
const excerpts = ["revisions.md 1", ...[4, 5, 6, 7, 8, 9, 10, 11].map((number) => `serving.md ${number}`)];

describe("programs of the documents", () => {
  let project: Project;
  beforeAll(async () => {
    project = createProject();
    expect(await project.run(["init", "tasks"])).toMatchObject({ exitCode: 0 });
    linkRuntime(project, ["tasks"]);
    for (const name of ["@types", "vitest", "standardwebhooks"])
      symlinkSync(join(repository, "node_modules", name), join(project.root, "tasks/node_modules", name));
    // What the reader adds to the project, and the specs that the pages show.
    const added = blockNamed("getting-started.md 1", "yaml").replaceAll(/^(?=.)/gm, "  ");
    project.write("tasks/spec/tasks.yaml", project.read("tasks/spec/tasks.yaml") + added);
    for (const [name, text] of Object.entries(specs)) project.write(`tasks/spec-${name}/all.yaml`, text);
    const entries = Object.keys(specs).map(
      (name) => `  - { spec: spec-${name}, out: pages/${name}, handlers: pages-handlers/${name} }\n`,
    );
    const config = project.read("tasks/ledger-rpc.yaml");
    project.write("tasks/ledger-rpc.yaml", config.replace("specs:\n", `specs:\n${entries.join("")}`));
    expect(await project.run(["generate"], {}, "tasks")).toMatchObject({ exitCode: 0, stderr: "" });
  });
  afterAll(() => project.dispose());

  test("each is run or compiled by a test, or is an excerpt", () => {
    const unknown = blocksOf("ts").filter(
      ({ name }) =>
        !(name in before) &&
        !excerpts.includes(name) &&
        !Object.keys(run).some((each) => each === name || each === name.split(" ")[0]),
    );
    expect(unknown).toEqual([]);
    for (const [block, file] of Object.entries(run))
      expect(readFileSync(join(repository, file), "utf8"), file).toContain(block.split(" ")[0]);
  });

  test("those that a reader completes compile", async () => {
    const compiled = blocksOf("ts").filter(({ name }) => name in before);
    for (const { name, code } of compiled)
      project.write(`tasks/${name.replace(/\.md /, "-")}.ts`, `${before[name]}\n${code}\nexport {};\n`);
    const paths = {
      ...Object.fromEntries(
        Object.entries(runtimeEntries()).map(([name, file]) => [
          name.replace(/^\./, "ledger-rpc-runtime"),
          [join(repository, file)],
        ]),
      ),
      "ledger-rpc/emitter": [join(repository, "generator/targets/emitter.ts")],
      "ledger-client/*": [join(repository, "generated/ledger/client/*.ts")],
      "ledger-conformance": [join(repository, "conformance/package/index.ts")],
      "repository/*": [join(repository, "*")],
    };
    const ambient = ["runtime/contract/raw-json.d.ts", "generator/language/patterns/recheck.d.ts"];
    const include = ["*.ts", ...ambient.map((path) => join(repository, path))];
    const options = { paths, noUnusedLocals: false, rewriteRelativeImportExtensions: false };
    expect(await compileErrors(join(project.root, "tasks"), include, options)).toBe("");
  });
});

describe("YAML of the documents", () => {
  test.each(blocksOf("yaml").map((block) => [block.name, block] as const))(
    "%s is YAML",
    (_name, { code }) => {
      expect(parseDocument(code).errors).toEqual([]);
    },
  );

  const schema = JSON.parse(readFileSync(join(repository, "spec/schema/spec.schema.json"), "utf8"));
  const ajv = new Ajv({ allErrors: true, strict: false });
  const validate = ajv.compile(schema);
  const parts = Object.keys(schema.properties);
  const fragments = blocksOf("yaml").filter(({ code }) => {
    const value: unknown = parseDocument(code).toJS();
    return (
      typeof value === "object" && value !== null && Object.keys(value).every((key) => parts.includes(key))
    );
  });
  test.each(fragments.map((block) => [block.name, block] as const))(
    "%s is a part of a spec",
    (_name, { code }) => {
      validate(parseDocument(code).toJS());
      const wrong = (validate.errors ?? []).filter(({ keyword }) => keyword !== "required");
      expect(wrong).toEqual([]);
    },
  );
});

test.each(blocksOf("json").map((block) => [block.name, block] as const))("%s is JSON", (_name, { code }) => {
  expect(() => JSON.parse(code)).not.toThrow();
});

test.each(blocksOf("sh").map((block) => [block.name, block] as const))(
  "a shell reads %s",
  async (_name, { code }) => {
    await promisify(execFile)("bash", ["-n", "-c", code]);
  },
);
