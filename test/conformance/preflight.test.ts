import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import type { Suite } from "../../conformance/index.ts";
import { NoAnswer, type WireAnswer } from "../../conformance/request/transport.ts";
import { operatorPreflight, preflight } from "../../conformance/runner/preflight.ts";
import { createEnvironment } from "../../conformance/scenario/environment.ts";
import { claimsOf } from "../../conformance/session/capabilities.ts";
import { createContext } from "../../conformance/session/context.ts";
import { librarySuite } from "./library-suite.ts";

const { suite } = librarySuite;
const longMs = 600_000;
const access = {
  userName: "u",
  apiKey: "0123456789abcdef",
  keyId: "k",
  privateKeyPem: generateKeyPairSync("ec", { namedCurve: "P-256" })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString(),
  samples: { bookId: "b" },
};

type Answer = readonly [status: number, json: object | string] | "nothing";
type Service = (method: string, payload: unknown, id: string) => Answer;

/** A run's context whose service is a function. */
function contextOf(service: Service, of: Suite = suite) {
  const [probe] = of.methods;
  if (probe === undefined) throw new Error("no operation");
  const send = async (wire: { readonly body: Buffer }): Promise<WireAnswer> => {
    const { method, id, params } = JSON.parse(wire.body.toString());
    const answer = service(String(method), params?.payload, id);
    if (answer === "nothing") throw new NoAnswer("silence");
    const [status, json] = answer;
    const body = Buffer.from(typeof json === "string" ? json : JSON.stringify(json));
    return { status, headers: { "content-type": "application/json" }, body, ms: 0 };
  };
  return createContext({
    suite: of,
    access,
    baseUrl: "http://service.example",
    level: "document",
    settings: { httpStatus: "ok" },
    transport: { send, close: () => undefined },
    nonce: "n",
    probe,
    claims: claimsOf({ lacks: [] }, of),
  });
}

const badInput = (id: string): Answer => [200, { id, error: { code: "BAD_INPUT", message: "Wrong" } }];
const isUnknown = (method: string): boolean => !suite.methods.some(({ name }) => name === method);
const book = { id: "b", title: "T", shelf: "NORTH" };

test("a service that answers one request alone is reached", async () => {
  const found = await preflight(
    contextOf((method, _payload, id) => (isUnknown(method) ? badInput(id) : "nothing")),
  );
  expect(found.missing.size).toBe(0);
  await expect(preflight(contextOf(() => "nothing"))).rejects.toThrow("silence");
});

test("operations without a read that answer alike, each as it has to, are those of the interface", async () => {
  const only = { ...suite, methods: suite.methods.filter(({ name }) => name === "BookService.AddBook") };
  const found = await preflight(contextOf((_method, _payload, id) => badInput(id), only));
  expect(found).toEqual({ missing: new Map() });
});

test("an operation that asks who calls as an unknown one does is not missing", async () => {
  const denied: Answer = [401, "Denied"];
  const { missing, abortReason } = await preflight(
    contextOf((method, payload, id) => {
      if (isUnknown(method) || method === "BookService.AddBook") return denied;
      return Object.keys(Object(payload)).length > 0
        ? [200, { id, result: { book }, jsonrpc: "2.0" }]
        : badInput(id);
    }),
  );
  expect({ missing: [...missing.keys()], abortReason }).toEqual({ missing: [], abortReason: undefined });
});

test("callers who are refused by a status alone are told so, whatever the bodies say", async () => {
  let count = 0;
  for (const status of [401, 403]) {
    const { abortReason } = await preflight(contextOf(() => [status, `No ${(count += 1)}`]));
    expect(abortReason?.title).toBe("the caller is let in");
  }
  const { abortReason } = await preflight(contextOf(() => [402, `No ${(count += 1)}`]));
  expect(abortReason).toBeUndefined();
});

test("an operator's interface that answers its operation as an unknown one is not that interface", async () => {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.end(JSON.stringify({ error: { code: known, message: "" } })));
  });
  let known = "NOTHING_HERE";
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const operatorUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const made = { steps: [{ kind: "operatorCall", method: "MakeShelf", payload: {} }], gives: {} } as const;
  const context = contextOf(() => "nothing", {
    ...suite,
    resources: [{ name: "shelf", samples: [], made }],
  });
  const { environment, close } = createEnvironment({
    context,
    access: { ...access, operator: access },
    operatorUrl,
    receiver: undefined,
    mailFolder: undefined,
    timeoutMs: longMs,
    eventTimeoutMs: longMs,
    connectionsMax: 1,
  });
  try {
    await expect(operatorPreflight(environment)).rejects.toThrow("it does not have MakeShelf");
    known = "BAD_INPUT";
    await expect(operatorPreflight(environment)).resolves.toBeUndefined();
  } finally {
    await close();
    server.close();
  }
});
