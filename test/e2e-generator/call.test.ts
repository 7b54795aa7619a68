import { createHmac, verify } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKeyPair } from "../../conformance/request/sign.ts";
import { credentialsOf } from "../../tools/call/credentials.ts";
import { createProject, repository, type Project, type Run } from "./project.ts";

/** What the service was sent last. */
let received: { readonly headers: IncomingMessage["headers"]; readonly body: string } | undefined;
let server: Server;
let url = "";
let project: Project;
/** A folder without a project. */
let empty: Project;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      received = { headers: request.headers, body };
      const [status, text] = answers[/"method":"(\w+)"/.exec(body)?.[1] ?? ""] ?? [404, "Not here"];
      response.writeHead(status, status === 307 ? { location: "/elsewhere" } : {}).end(text);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/rpc`;
  project = createProject(join(repository, "test/cases/generate/base"));
  empty = createProject();
});
afterAll(() => {
  server.close();
  project.dispose();
  empty.dispose();
});

const answers: Readonly<Record<string, readonly [number, string]>> = {
  get: [200, '{"jsonrpc":"2.0","id":1,"result":{"total":12345678901234567890.10,"items":[]}}'],
  nothing: [200, '{"jsonrpc":"2.0","id":1,"result":null}'],
  wrong: [
    200,
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params","data":{"at":"/a"}}}',
  ],
  Lst: [200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}'],
  touched: [204, ""],
  closed: [401, '{"jsonrpc":"2.0","id":1,"error":{"code":-32091,"message":"Unauthenticated"}}'],
  moved: [307, ""],
  both: [200, '{"id":1,"result":1,"error":{"code":1,"message":""}}'],
  page: [502, "<html>Bad gateway</html>"],
};

const standardSpec = `interface: { name: tasks, doc: Keeps tasks., wire: { protocol: json-rpc-2.0 } }
types:
  Task:
    doc: A task.
    fields:
      - { name: title, type: string, doc: What to do. }
      - { name: parts, type: array of Task, optional: true, doc: Its parts. }
  Disc:
    doc: A disc.
    fields:
      - { name: radius, type: number, doc: In metres. }
  Square:
    doc: A square.
    fields:
      - { name: side, type: number, doc: In metres. }
  Figure: { doc: A figure., oneOf: { discriminator: kind, cases: { disc: Disc, square: Square } } }
methods:
  put:
    doc: Puts a task.
    effect: set
    payload: { fields: [{ name: task, type: Task, doc: The task. }] }
    result: json
  draw:
    doc: Draws a figure.
    effect: read
    payload:
      fields:
        - { name: figure, type: Figure, doc: The figure. }
        - { name: byName, type: map of Task, optional: true, doc: Tasks by name. }
    result: json
`;

describe("ledger-rpc call", () => {
  test("prints a result digit by digit, and sends params as they were written", async () => {
    expect(await call("get", '[1.10, {"a": 12345678901234567890}]')).toEqual({
      exitCode: 0,
      stdout: '{\n  "total": 12345678901234567890.10,\n  "items": []\n}\n',
      stderr: "",
    });
    expect(received?.body).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"get","params":[1.10, {"a": 12345678901234567890}]}',
    );
    expect(await call("nothing")).toEqual({ exitCode: 0, stdout: "null\n", stderr: "" });
    expect(received?.body).toBe('{"jsonrpc":"2.0","id":1,"method":"nothing"}');
  });

  test("prints an error of the service on the standard error", async () => {
    expect(await call("wrong", "{}")).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: 'error -32602: Invalid params\n{\n  "at": "/a"\n}\n',
    });
  });

  test("sends a notification, which nothing answers", async () => {
    expect(await call("touched", "[]", "--notify")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(received?.body).toBe('{"jsonrpc":"2.0","method":"touched","params":[]}');
  });

  test.for([
    ["page", "but HTTP 502 Bad Gateway: <html>Bad gateway</html>"],
    ["both", 'but HTTP 200 OK: {"id":1,"result":1,"error":{"code":1,"message":""}}'],
    ["moved", "but HTTP 307 Temporary Redirect"],
    ["unknown", "but HTTP 404 Not Found: Not here"],
  ])("says what came instead of an answer: %s", async ([method = "", text = ""]) => {
    const reason = `error: ${url} gave no response of JSON-RPC, ${text}\n`;
    expect(await call(method)).toEqual({ exitCode: 1, stdout: "", stderr: reason });
  });

  test("says that a spec of the config cannot be read, and sends all the same to an address that is given", async () => {
    const own = createProject();
    own.write("ledger-rpc.yaml", "specs: [{ spec: spec }]\n");
    own.write("spec/tasks.yaml", standardSpec.replace("type: number", "type: nmber"));
    const { stdout, stderr, exitCode } = await own.run(["call", "nothing", "--url", url]);
    expect({ stdout, exitCode }).toEqual({ stdout: "null\n", exitCode: 0 });
    expect(stderr).toBe(
      "warning: the spec spec has errors, so method and params are not checked (ledger-rpc check)\n",
    );
    own.dispose();
  });

  test("says that nothing listens", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const address = closed.address();
    const there = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
    await new Promise((resolve) => closed.close(resolve));
    const { exitCode, stderr } = await empty.run(["call", "get", "--url", there]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `error: nothing listens at ${there}: start the service, or say where it is with --url\n`,
    });
  });

  test.for([
    [["get", "5"], "the params are no JSON array or object: 5\nQuote them for the shell: '[\"a\", 1]'"],
    [["get", "[1"], "the params are no JSON array or object: [1\nQuote them for the shell: '[\"a\", 1]'"],
    [
      ["get", "--url", "localhost:1"],
      "localhost:1 is no address of a service, such as http://127.0.0.1:3000/rpc or ws://127.0.0.1:3000/rpc",
    ],
    [
      ["get"],
      "no ledger-rpc.yaml here or in a folder above: `ledger-rpc init <name>` makes a project with one; for a spec that is here, create one that says `specs: [{ spec: spec/tasks }]`, or name one with --config, or say where the service is with --url",
    ],
  ] as const)("refuses what makes no sense: %s", async ([args, message]) => {
    const { exitCode, stderr } = await empty.run(["call", ...args]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `error: ${message}\n` });
  });

  test("says how signed interfaces are called", async () => {
    const { exitCode, stderr } = await project.run(["call", "notes.get"]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^error: notes is an interface of signed envelopes: say who calls, by --access <file>/,
    );
  });

  test("signs the payload as it was given, for the caller of an access file", async () => {
    const { privateKeyPem, publicKeyPem } = newKeyPair();
    const caller = { userName: "ann", apiKey: "k3y", keyId: "k1", privateKeyPem };
    project.write("access.json", JSON.stringify(caller));
    const { exitCode, stdout, stderr } = await project.run([
      "call",
      "Notes.get",
      '{ "amount": 1.10 }',
      "--access",
      "access.json",
      "--url",
      url,
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining("404") });
    expect(stdout).toBe("");
    const payload = '{ "amount": 1.10 }';
    expect(received?.headers["x-interface-revision"]).toBe("1.0.0");
    expect(received?.body).toContain(`"method":"Notes.get"`);
    expect(received?.body.endsWith(`"payload":${payload}}}`)).toBe(true);
    const { params } = JSON.parse(received?.body ?? "");
    expect(params.api).toMatchObject({ keyId: "k1", credential: "Basic YW5uOmszeQ==" });
    const signature = Buffer.from(params.api.signature, "base64");
    expect(verify("sha256", Buffer.from(payload), publicKeyPem, signature)).toBe(true);
    project.write("access.json", JSON.stringify({ ...caller, baseUrl: new URL(url).origin }));
    const byFile = await project.run(["call", "Notes.get", '{ "amount": 1.20 }', "--access", "access.json"]);
    expect(byFile.stderr).toContain("404");
    expect(received?.body).toContain(`"payload":{ "amount": 1.20 }`);
    const { stderr: missing } = await project.run(["call", "Notes.get", "{}", "--access", "none.json"]);
    expect(missing).toContain("there is no access file");
  });

  test("refuses members that the spec does not know, by name, and sends nothing", async () => {
    const { privateKeyPem } = newKeyPair();
    const own = createProject(join(repository, "test/cases/generate/base"));
    own.write(
      "access.json",
      JSON.stringify({ userName: "ann", apiKey: "k3y", keyId: "k1", privateKeyPem, baseUrl: "http://x" }),
    );
    received = undefined;
    const send = (payload: string, ...options: readonly string[]) =>
      own.run(["call", "NoteService.AddNote", payload, "--access", "access.json", "--url", url, ...options]);
    expect(await send('{"txet": "Milk", "Text": "Milk", "colour": 1}')).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        "error: the spec knows no txet: did you mean text?\n" +
        "the spec knows no colour: there is text\n" +
        "Nothing was sent: --allow-unknown sends it all the same\n",
    });
    expect(received).toBeUndefined();
    await send('{"TEXT": "Milk"}');
    expect(received).toMatchObject({ body: expect.stringContaining('"payload":{"TEXT": "Milk"}') });
    await send('{"txet": "Milk"}', "--allow-unknown");
    expect(received).toMatchObject({ body: expect.stringContaining('"payload":{"txet": "Milk"}') });
    own.dispose();
  });

  test.each([
    ["put", '{"task": {"titel": "Milk"}}', "task.titel: did you mean title?"],
    ["put", '[{"title": "Milk", "Title": "Milk"}]', "0.Title: did you mean title?"],
    [
      "put",
      '{"task": {"title": "Milk", "parts": [{}, {"titel": ""}]}}',
      "task.parts.1.titel: did you mean title?",
    ],
    ["draw", '{"figure": {"kind": "disc", "side": 1}}', "figure.side: there is kind, radius"],
    [
      "draw",
      '{"figure": {"kind": "disc", "radius": 1}, "byName": {"a": {"titel": ""}}}',
      "byName.a.titel: did you mean title?",
    ],
  ])("knows the members of a standard interface: %s %s", async (method, params, message) => {
    const own = createProject();
    own.write("ledger-rpc.yaml", "specs: [{ spec: spec, out: generated, handlers: handlers }]\n");
    own.write("spec/tasks.yaml", standardSpec);
    const { exitCode, stderr } = await own.run(["call", method, params, "--url", url]);
    own.dispose();
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: `error: the spec knows no ${message}\nNothing was sent: --allow-unknown sends it all the same\n`,
    });
  });

  test("proves who calls by the schemes that a method asks for", async () => {
    const own = createProject();
    own.write("ledger-rpc.yaml", "specs: [{ spec: spec, out: generated, handlers: handlers }]\n");
    own.write(
      "spec/tasks.yaml",
      `interface:
  name: tasks
  doc: Keeps tasks.
  wire: { protocol: json-rpc-2.0 }
  schemes:
    machine: { kind: api-key, header: X-Machine }
    signed: { kind: hmac, header: X-Signature, covers: [timestamp, body] }
    user: { kind: jwt, algorithms: [ES256] }
  security: [{ machine: [], signed: [] }, { user: [] }]
methods:
  get: { doc: Gives a task., effect: read, result: json }
`,
    );
    const run = (credentials: object): Promise<Run> => {
      own.write("access.json", JSON.stringify({ credentials }));
      return own.run(["call", "get", "--access", "access.json", "--url", url]);
    };
    const secret = "a shared secret of 32 bytes or more";
    const signed = { keyId: "k1", secret };
    expect((await run({ machine: { key: "k3y" }, signed })).exitCode).toBe(0);
    const { headers, body } = received ?? expect.fail();
    const [, at = "", seal = ""] = /^t=(\d+),k=k1,v1=([0-9a-f]+)$/.exec(String(headers["x-signature"])) ?? [];
    expect(seal).toBe(createHmac("sha256", secret).update(`${at}\n${body}`).digest("hex"));
    expect(headers["x-machine"]).toBe("k3y");
    expect((await run({ signed })).stderr).toContain(
      "get asks for machine and signed, or user: the access file has signed",
    );
    expect((await run({ user: { subject: "ann" } })).stderr).toContain(
      "needs the issuer's secret or privateKeyPem",
    );
    own.dispose();
  });

  test("sends an API key in the header that the spec names, and says what to give where a service wants one", async () => {
    const own = createProject();
    own.write("ledger-rpc.yaml", "specs: [{ spec: spec, out: generated, handlers: handlers }]\n");
    own.write(
      "spec/tasks.yaml",
      `interface:
  name: tasks
  doc: Keeps tasks.
  wire: { protocol: json-rpc-2.0 }
  schemes: { machine: { kind: api-key, header: X-Machine } }
  security: [{ machine: [] }]
methods:
  get: { doc: Gives a task., effect: read, result: json }
  closed: { doc: Takes no key., effect: read, result: json }
`,
    );
    const byKey = { LEDGER_RPC_API_KEY: "k3y" };
    const { exitCode, stderr } = await own.run(["call", "get", "--url", url], byKey);
    expect(received?.headers["x-machine"]).toBe("k3y");
    const { stderr: refused } = await own.run(["call", "closed", "--url", url], byKey);
    const { stderr: anonymous } = await own.run(["call", "closed", "--url", url]);
    own.dispose();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(refused).toBe("error -32091: Unauthenticated\n");
    expect(anonymous).toContain(`${refused}hint: nothing said who calls: give --access <file>, or set `);
  });

  test("takes the credentials of the environment", async () => {
    const environment = { LEDGER_RPC_TOKEN: "t0ken", LEDGER_RPC_API_KEY: "k3y" };
    const { exitCode, stderr } = await empty.run(["call", "get", "--url", url], environment);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(received?.headers).toMatchObject({ authorization: "Bearer t0ken", "x-api-key": "k3y" });
    expect(
      credentialsOf({ LEDGER_RPC_BASIC: "ann:a:b", LEDGER_RPC_HEADERS: "X-One: 1 \nx-two:2\n" }, ""),
    ).toEqual({
      headers: { authorization: "Basic YW5uOmE6Yg==", "x-one": "1", "x-two": "2" },
      from: ["LEDGER_RPC_BASIC", "LEDGER_RPC_HEADERS"],
    });
  });

  test.for([
    [{ LEDGER_RPC_TOKEN: "a", LEDGER_RPC_BASIC: "b:c" }, "are both set"],
    [{ LEDGER_RPC_BASIC: "ann" }, "has no colon"],
    [{ LEDGER_RPC_HEADERS: "X One: 1" }, "has a line that is no header"],
    [
      { LEDGER_RPC_TOKEN: "s3cret\r\nX-Other: 1" },
      "the value for the header authorization holds a character",
    ],
  ] as const)("refuses credentials that cannot be sent: %s", ([environment, reason]) => {
    const found = credentialsOf(environment, "x-api-key");
    expect(found).toContain(reason);
    expect(found).not.toContain("s3cret");
  });
});

async function call(method: string, ...args: readonly string[]): Promise<Run> {
  return await empty.run(["call", method, ...args, "--url", url]);
}
