import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runIn, succeedIn } from "../packages/installed-project.ts";
import { createProject, repository, type Project } from "./project.ts";

/** Generators of others, and what their output imports. They read what we export: nothing of them is in this repository. */
const tools = [
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "@hey-api/openapi-ts@0.99.0",
  "oazapfts@7.5.0",
  "typescript@5.9.3",
  "@open-rpc/generator@1.22.3",
  "@open-rpc/client-js@1.7.1",
  "@open-rpc/meta-schema@1.14.9",
  "@types/lodash@4.14.202",
  "lodash@4.17.21",
];
const options = {
  target: "es2023",
  module: "esnext",
  moduleResolution: "bundler",
  lib: ["es2023", "dom", "dom.iterable"],
  types: [],
  strict: true,
  esModuleInterop: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

let project: Project;
let mock: ChildProcess | undefined;
let url = "";
let installProblem = "";

beforeAll(async () => {
  project = createProject();
  project.write("package.json", '{ "private": true, "type": "module" }');
  project.write("ledger-rpc.yaml", "specs: [{ spec: spec, out: generated, handlers: handlers }]\n");
  cpSync(join(repository, "test/conformance/standard/tasks.yaml"), join(project.root, "spec/tasks.yaml"));
  expect((await project.run(["generate"])).exitCode).toBe(0);
  const install = ["npm", "install", "--prefer-offline", "--no-audit", "--ignore-scripts"];
  const { exitCode, stderr } = await runIn(project.root, [...install, ...tools]);
  installProblem = exitCode === 0 ? "" : `the generators cannot be installed here: ${stderr.slice(0, 200)}`;
  const main = join(repository, "generator/cli/main.ts");
  mock = spawn(process.execPath, [main, "mock", "--port", "0", "--open"], { cwd: project.root });
  mock.stderr?.resume();
  const lines = createInterface({ input: mock.stdout ?? process.stdin });
  const [line] = await once(lines, "line");
  [url = ""] = /http:\/\/[^/ ]+/.exec(String(line)) ?? [];
});
afterAll(() => {
  mock?.kill();
  project.dispose();
});

const body = `{ jsonrpc: "2.0", method: "subtract", params: { minuend: 42, subtrahend: 23 }, id: 1 }`;
const ledger = join(repository, "generated/ledger/openapi.json");

/** The command that generates, and a program over its output that prints the result of a call. */
const generators = [
  {
    name: "openapi-typescript with openapi-fetch",
    commands: [
      ["npx", "openapi-typescript", "generated/openapi.json", "-o", "fetch/tasks.ts"],
      ["npx", "openapi-typescript", ledger, "-o", "fetch/ledger.ts"],
    ],
    folder: "fetch",
    program: `import createClient from "openapi-fetch";
import type { paths } from "./tasks.ts";
import type { paths as ledger } from "./ledger.ts";
export type Ledger = ledger;
const client = createClient<paths>({ baseUrl: URL_OF_SERVICE });
const { data } = await client.POST("/rpc#subtract", { body: ${body} });
if (data !== undefined && "result" in data) console.log(data.result);
`,
  },
  {
    name: "@hey-api/openapi-ts",
    commands: [
      ["npx", "openapi-ts", "-i", "./generated/openapi.json", "-o", "hey/tasks", "--silent"],
      ["npx", "openapi-ts", "-i", ledger, "-o", "hey/ledger", "--silent"],
    ],
    folder: "hey",
    program: `import { client } from "./tasks/client.gen.ts";
import { subtract } from "./tasks/sdk.gen.ts";
export * from "./ledger/sdk.gen.ts";
client.setConfig({ baseUrl: URL_OF_SERVICE });
const { data } = await subtract({ body: ${body} });
if (data !== undefined && "result" in data) console.log(data.result);
`,
  },
  {
    name: "oazapfts",
    commands: [["npx", "oazapfts", "generated/openapi.json", "oaz/tasks.ts"]],
    folder: "oaz",
    program: `import { defaults, subtract } from "./tasks.ts";
defaults.baseUrl = URL_OF_SERVICE;
const answer = await subtract(${body});
if (answer.status === 200 && "result" in answer.data) console.log(answer.data.result);
`,
  },
  {
    name: "@open-rpc/generator",
    commands: [
      "npx open-rpc-generator generate -t client -l typescript -n tasks -d generated/openrpc.json -o orpc".split(
        " ",
      ),
    ],
    folder: "orpc",
    program: `import Client from "./client/typescript/src/index.ts";
const { hostname: host, port } = new URL(URL_OF_SERVICE);
const client = new Client({ transport: { type: "http", host, port: Number(port), path: "/rpc", protocol: "http" } });
console.log(await client.subtract(42, 23));
`,
    // The client that it prints leaves one parameter without a type.
    compiler: { noImplicitAny: false },
  },
];

describe("clients that the generators of others make of our documents", () => {
  test.for(generators)("$name: compiled, and calls the service", async (generator, context) => {
    context.skip(installProblem !== "", installProblem);
    const { commands, folder, program } = generator;
    project.write(`${folder}/.keep`, "");
    for (const command of commands) await succeedIn(project.root, command);
    project.write(`${folder}/call.ts`, program.replaceAll("URL_OF_SERVICE", JSON.stringify(url)));
    const compilerOptions = { ...options, ...("compiler" in generator ? generator.compiler : {}) };
    writeFileSync(
      join(project.root, folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["call.ts"] }),
    );
    await succeedIn(project.root, ["npx", "tsc", "-p", folder]);
    const bundle = join(project.root, folder, "call.mjs");
    const rolldown = join(repository, "node_modules/.bin/rolldown");
    await succeedIn(project.root, [rolldown, `${folder}/call.ts`, "-o", bundle, "--platform", "node"]);
    const printed = await succeedIn(project.root, [process.execPath, "--no-deprecation", bundle]);
    expect(printed.trim()).toBe("19");
  });
});
