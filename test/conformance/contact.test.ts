import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createPlainServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { runConform, type ConformOptions } from "../../conformance/index.ts";

const folder = mkdtempSync(join(tmpdir(), "contact-"));
const suite = join(folder, "suite");
const access = join(folder, "access.json");
const servers: Server[] = [];
const plain = { bold: same, dim: same, red: same, green: same, yellow: same };
/** Servers that answer or close do so long before; silent ones stay silent. */
const [longMs, shortMs] = [600_000, 1];
const caller = {
  userName: "demo",
  apiKey: "b566324b4416f7ebc7aa9c57075d16a6",
  keyId: "k",
  privateKeyPem: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  }),
};

function same(text: string): string {
  return text;
}

/** The ledger's suite with the cases of some operations: each run reads it anew. */
beforeAll(() => {
  const whole = join(import.meta.dirname, "../../generated/ledger/conformance");
  mkdirSync(suite);
  const {
    methods,
    scenarios: _scenarios,
    ...rest
  } = JSON.parse(readFileSync(join(whole, "suite.json"), "utf8"));
  const some = /^(?:\(endpoint\)|AccountService\.(?:GetAccount|ListAccounts))$/;
  const kept = methods.filter(({ name }: { name: string }) => some.test(name));
  writeFileSync(join(suite, "suite.json"), JSON.stringify({ ...rest, methods: kept, scenarios: [] }));
  const lines = readFileSync(join(whole, "cases.jsonl"), "utf8").trim().split("\n");
  const cases = lines.filter((line) => some.test(JSON.parse(line).method ?? "(endpoint)"));
  writeFileSync(join(suite, "cases.jsonl"), cases.join("\n"));
});

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the suite against an address, and gives its exit code and all that it printed. */
async function tried(baseUrl: string, more: Partial<ConformOptions> = {}, samples: object = {}) {
  writeFileSync(access, JSON.stringify({ ...caller, samples }));
  const printed: string[] = [];
  const line = (text: string): number => printed.push(text);
  const code = await runConform(
    suite,
    {
      access,
      baseUrl,
      level: "decisions",
      failures: 20,
      timeout: longMs,
      eventTimeout: longMs,
      concurrency: 16,
      errors: "ok",
      callbackPort: 0,
      explore: 0,
      ...more,
    },
    { print: line, note: line, progress: () => {}, isLive: false, color: plain },
  );
  return { code, text: printed.join("\n") };
}

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function answering(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(listener))}`;
}

const always = (status: number, body: string, headers = {}): Promise<string> =>
  answering((request, response) => {
    request.resume().on("end", () => response.writeHead(status, headers).end(body));
  });

describe("what cannot be tried is told in one message", () => {
  test.each<[string, () => Promise<string>, string]>([
    ["nothing listens", async () => "http://127.0.0.1:1", "nothing listens there: is the service running"],
    ["no address", async () => "ledger", "--base-url has to be an address such as https://ledger.example"],
    [
      "no TLS",
      async () => (await always(200, "{}")).replace("http:", "https:"),
      "it does not speak TLS there: is it http",
    ],
    [
      "no HTTP",
      async () =>
        `http://127.0.0.1:${await listening(createPlainServer((socket) => socket.end("SSH-2.0\r\n")))}`,
      "what answers there does not speak HTTP",
    ],
    ["the same answer to everything", () => always(200, "{}"), "different requests: HTTP 200 with {}"],
    ["every caller refused", () => always(401, "Unauthorized"), "every operation answers HTTP 401"],
    ["every caller forbidden", () => always(403, "Forbidden"), "every operation answers HTTP 403"],
    ["a page", () => always(404, "<h1>No</h1>"), "the address is that of the service, without /jsonrpc"],
    [
      "a page of several lines",
      () => always(404, "<!DOCTYPE html>\n<html>\n<body>\n<pre>Cannot POST /rpc</pre>\n</body>\n</html>\n"),
      "different requests: HTTP 404 with a page that says: Cannot POST /rpc; the address",
    ],
    [
      "another address",
      () => always(301, "", { location: "https://other.example/jsonrpc" }),
      "it redirects to https://other.example/jsonrpc",
    ],
    [
      "a wrong API key",
      () => always(200, '{"id":null,"error":{"code":"BAD_CREDENTIAL","message":"Invalid Credential"}}'),
      "look at userName and apiKey of the access file",
    ],
    [
      "a wrong private key",
      () => always(200, '{"id":null,"error":{"code":"INVALID_SIGNATURE","message":"Invalid Signature"}}'),
      "look at privateKeyPem and signatureEncoding of the access file",
    ],
  ])("%s", async (_, service, message) => {
    const { code, text } = await tried(await service());
    expect(code).toBe(2);
    expect(text).toContain(message);
    expect(text.match(/^FAILED|^error/gm) ?? []).toHaveLength(1);
    expect(text).not.toContain("    at ");
  });

  test("the address of the endpoint is that of its service", async () => {
    const paths = new Set<string | undefined>();
    const url = await answering((request, response) => {
      paths.add(request.url);
      request.resume().on("end", () => response.end("{}"));
    });
    expect((await tried(`${url}/bank/jsonrpc/`)).text).toContain(`at ${url}/bank, `);
    expect([...paths]).toEqual(["/bank/jsonrpc"]);
  });

  test("a page, of which only the words are shown", async () => {
    const { text } = await tried(await always(404, "<html>\n<p>No</p>\n</html>"));
    expect(text).toContain("    < HTTP 404\n    < a page that says: No\n");
  });

  test("silence", async () => {
    const { code, text } = await tried(await answering(() => {}), { timeout: shortMs });
    expect({ code, text }).toEqual({ code: 2, text: expect.stringContaining("no answer within 1 ms") });
  });

  test("a sample that no case asks for", async () => {
    const { code, text } = await tried("http://127.0.0.1:1", {}, { acountId: "a" });
    expect(code).toBe(2);
    expect(text).toContain("samples that no case asks for: acountId; there are accountId, accountNumber");
  });

  test("a baseline that is not there", async () => {
    const { code, text } = await tried("http://127.0.0.1:1", { baseline: join(folder, "none.json") });
    expect(code).toBe(2);
    expect(text).toContain("--update-baseline writes it");
  });
});

test("a service that stops answering is not asked a thousand times more", async () => {
  let requests = 0;
  const url = await answering((request, response) => {
    request.resume().on("end", () => {
      requests += 1;
      // Without an answer at once, so that nothing waits for the end of a time.
      if (requests > 40) request.socket.destroy();
      else response.end(JSON.stringify({ id: "1", error: { code: `E${requests}`, message: "" } }));
    });
  });
  const { code, text } = await tried(url, { failures: 0 });
  expect(code).toBe(1);
  expect(text).toMatch(/gave no answer \d+ times: the rest/);
  expect(requests).toBeLessThan(300);
});

test("a service that closes connections whenever it likes is none that does not answer", async () => {
  let answers = 0;
  const answeredOnce = new WeakSet<Socket>();
  const url = await answering((request, response) => {
    // The second request meets a connection that is being closed.
    if (answeredOnce.has(request.socket)) return void request.socket.destroy();
    answeredOnce.add(request.socket);
    request.resume().on("end", () => {
      answers += 1;
      response.end(JSON.stringify({ id: "1", error: { code: `E${answers}`, message: "" } }));
    });
  });
  const { text } = await tried(url, { failures: 1000, operation: ["AccountService.GetAccount"] });
  expect(text).toMatch(/\d\d failed/);
  expect(text).not.toMatch(/hang up|ECONNRESET|EPIPE|gave no answer/);
});
