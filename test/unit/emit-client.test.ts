import { generateKeyPairSync, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emitter } from "../../generator/emit/client/index.ts";
import { formatted, libraryLayout, libraryModel } from "./emit-library-model.ts";
import { compile, createProject, type Project } from "./emit-project.ts";

const drafts = emitter.emit(libraryModel(), libraryLayout);
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

let project: Project;
beforeAll(async () => {
  project = await createProject(drafts);
});
afterAll(() => project.remove());

describe("The client", () => {
  it("compiles for Node, and for browsers that know nothing of Node", async () => {
    expect(await compile(project.root, ["generated"])).toBe("");
    expect(await compile(project.root, ["generated"], { lib: ["es2024", "dom"], types: [] })).toBe("");
  }, 60_000);

  it("imports nothing outside its folder", () => {
    for (const draft of drafts) {
      for (const [, specifier] of draft.text.matchAll(/ from "([^"]+)"/g)) {
        expect(specifier, draft.path).toMatch(/^\.\/[a-z-]+\.ts$/);
      }
    }
  });

  it("is printed as prettier would print it", async () => {
    for (const draft of drafts) expect(await formatted(draft), draft.path).toBe(draft.text);
  });

  it("declares the second spelling of an answered field, deprecated", () => {
    const types = drafts.find((draft) => draft.path.endsWith("types.ts"))?.text;
    expect(types).toMatch(/@deprecated Read `loanedTo`\.\s+\*\/\s+readonly LoanedTo\?: string;/);
    expect(types).toContain("export type Price = number;");
  });
});

interface Request {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Send = (payload: object, options?: object) => Promise<object>;

interface Client {
  readonly shelfService: { readonly findBook: Send; readonly addBook: Send };
  readonly subscribe: Send;
}

describe("A call", () => {
  const server = createServer();
  const requests: Request[] = [];
  let answer = { status: 200, body: "{}" };
  let createClient: (options: object) => Client;
  let access = {};

  beforeAll(async () => {
    server.on("request", async (request, response) => {
      requests.push({ url: request.url, headers: request.headers, body: await text(request) });
      response.writeHead(answer.status, { "X-Request-Id": "log-7" }).end(answer.body);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    access = {
      baseUrl: `http://127.0.0.1:${port}/`,
      userName: "zoë",
      apiKey: "k:1",
      keyId: "key-1",
      privateKey: privateKeyPem,
    };
    const url = pathToFileURL(join(project.root, "generated/library/client/index.ts"));
    const module: { createCityLibraryClient: typeof createClient } = await import(url.href);
    createClient = module.createCityLibraryClient;
  });
  afterAll(() => server.close());

  async function sent(call: Promise<object>): Promise<Request> {
    await call;
    const request = requests.at(-1);
    if (request === undefined) throw new Error("nothing was received");
    return request;
  }

  it("signs the very bytes of the payload that it sends", async () => {
    answer = { status: 200, body: '{"id":"1","result":{"books":[]}}' };
    const { url, headers, body } = await sent(createClient(access).shelfService.findBook({ id: "ü/\u2028" }));
    const envelope: Envelope = JSON.parse(body);
    const { api } = envelope.params;
    const payload = body.slice(body.indexOf('"payload":') + 10, -2);
    expect(url).toBe("/rpc");
    expect(headers["x-interface-revision"]).toBe("2.1.0");
    expect(envelope.method).toBe("ShelfService.FindBook");
    expect(envelope.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(payload)).toEqual({ id: "ü/\u2028" });
    expect(isSigned(payload, api["signature"])).toBe(true);
    expect(isSigned(`${payload} `, api["signature"])).toBe(false);
    expect(Buffer.from(api["credential"]?.slice(6) ?? "", "base64").toString()).toBe("zoë:k:1");
    expect(api).toMatchObject({ keyId: "key-1", apiKey: "k:1" });
  });

  it("leaves the API key out of params.api where the method does not list it", async () => {
    answer = { status: 200, body: '{"result":{}}' };
    const { body } = await sent(createClient(access).shelfService.addBook({}, { requestId: "mine" }));
    const envelope: Envelope = JSON.parse(body);
    expect(Object.keys(envelope.params.api)).toEqual(["credential", "signature", "keyId"]);
    expect(envelope.id).toBe("mine");
  });

  it("signs a flat body by its headers", async () => {
    answer = { status: 200, body: '{"subscriptionId":"s"}' };
    const call = createClient(access).subscribe({ callbackUrl: "https://a.example" });
    const { headers, body } = await sent(call);
    const claim = /^keyId=key-1,algorithm=ecdsa-sha256,signature=(.+)$/.exec(String(headers["signature"]));
    expect(await call).toEqual({ subscriptionId: "s" });
    expect(body).toBe('{"callbackUrl":"https://a.example"}');
    expect(isSigned(body, claim?.[1])).toBe(true);
    expect(headers.authorization).toMatch(/^Basic /);
  });

  it("signs with a key of WebCrypto, or by asking a function", async () => {
    answer = { status: 200, body: '{"result":{}}' };
    const der = privateKey.export({ type: "pkcs8", format: "der" });
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const key = await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
    const first = await sent(createClient({ ...access, privateKey: key }).shelfService.addBook({}));
    const envelope: Envelope = JSON.parse(first.body);
    expect(isSigned("{}", envelope.params.api["signature"])).toBe(true);
    const asked = { ...access, privateKey: async (bytes: Uint8Array) => `over ${bytes.length}` };
    const second: Envelope = JSON.parse((await sent(createClient(asked).shelfService.addBook({}))).body);
    expect(second.params.api["signature"]).toBe("over 2");
  });

  it("refuses options that cannot work", () => {
    expect(() => createClient({ ...access, privateKey: undefined })).toThrow("privateKey is missing");
    expect(() => createClient({ ...access, userName: "a:b" })).toThrow("colon");
  });

  it("refuses a PEM of another kind before anything is sent", async () => {
    const before = requests.length;
    const pem = privateKey.export({ type: "sec1", format: "pem" });
    const call = createClient({ ...access, privateKey: pem }).shelfService.addBook({});
    await expect(call).rejects.toThrow(/PKCS#8/);
    expect(requests).toHaveLength(before);
  });

  it("rejects with what the service says, and with the HTTP status", async () => {
    const error = {
      code: "BAD_INPUT",
      message: "id is invalid or missing",
      data: { field: "/id", rpcCode: -32602 },
    };
    answer = { status: 400, body: JSON.stringify({ id: "1", error, jsonrpc: "2.0" }) };
    await expect(createClient(access).shelfService.findBook({})).rejects.toMatchObject({
      name: "RpcCallError",
      method: "ShelfService.FindBook",
      code: "BAD_INPUT",
      message: "id is invalid or missing",
      field: "/id",
      rpcCode: -32602,
      requestId: "log-7",
      httpStatus: 400,
    });
  });

  it("tells an answer that is none from an error of the service", async () => {
    answer = { status: 502, body: "<html>Bad gateway</html>" };
    const call = createClient(access).shelfService.findBook({});
    await expect(call).rejects.toMatchObject({ name: "RpcTransportError", httpStatus: 502 });
    const nobody = createClient({ ...access, baseUrl: "http://127.0.0.1:1" }).shelfService.findBook({});
    await expect(nobody).rejects.toMatchObject({ name: "RpcTransportError", httpStatus: undefined });
  });

  it("gives up when the caller does, or when the time has run out", async () => {
    const hanging = { ...access, fetch: hangingFetch };
    const reason = new Error("enough");
    const aborted = createClient(hanging).shelfService.findBook({}, { signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toBe(reason);
    const controller = new AbortController();
    const given = createClient(hanging).shelfService.findBook({}, { signal: controller.signal });
    controller.abort(reason);
    await expect(given).rejects.toBe(reason);
    const late = createClient({ ...hanging, timeoutMs: 1 }).shelfService.findBook({});
    await expect(late).rejects.toMatchObject({ name: "RpcTransportError", cause: { name: "TimeoutError" } });
  });
});

interface Envelope {
  readonly method: string;
  readonly id: string;
  readonly params: { readonly api: Readonly<Record<string, string>> };
}

function isSigned(signed: string, signature: string | undefined): boolean {
  const key = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  return verify("sha256", Buffer.from(signed), key, Buffer.from(signature ?? "", "base64"));
}

/** Answers never; rejects as soon as the signal says so. */
function hangingFetch(_url: string, { signal }: { readonly signal: AbortSignal }): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}
