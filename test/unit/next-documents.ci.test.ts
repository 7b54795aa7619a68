import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { conform } from "../conformance/patient.ts";
import { readAccess, type Access } from "../../conformance/request/access.ts";
import { emitter as client } from "../../generator/targets/client/index.ts";
import { emitter as errors } from "../../generator/targets/errors/index.ts";
import { emitter as shapes } from "../../generator/targets/shapes/index.ts";
import { emitter as fakes } from "../../generator/targets/fakes/index.ts";
import { createMock, newMockAccess } from "../../tools/mock/index.ts";
import { jsonSchemas } from "../../generator/print/json-schema/json-schema.ts";
import { notificationSchema } from "../../generator/print/json-schema/notification-schema.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { createDecode } from "../../runtime/protocol/signed-envelope/decode.ts";
import { printError, printResponse, printResult } from "../../runtime/protocol/signed-envelope/protocol.ts";
import { notificationFindings } from "../../conformance/scenario/notification.ts";
import { shapeResolver } from "../../conformance/suite/methods.ts";
import { memberValues } from "../../generator/model/events.ts";
import { suiteFrom } from "../conformance/library-suite.ts";
import { baseProject, readerOf } from "./diagnostics-cases.ts";
import { libraryLayout } from "./emit-library-model.ts";
import { modelOf } from "../vectors/models.ts";
import { verdictsOn } from "../vectors/one-verdict.ts";
import { createProject, type Project } from "./emit-project.ts";

const flat = `
rules:
  request-id: { doc: "Requests have an id, which the answer echoes." }
methods:
  Subscribe: { doc: Begins., effect: set, flat: { selectedBy: [operation] }, payload: { fields: [{ name: operation, type: string, const: subscribe, doc: Which. }] }, result: Left, examples: [{ name: One, payload: { operation: subscribe }, result: { left: false } }] }
  Unsubscribe: { doc: Ends., effect: set, flat: { selectedBy: [operation] }, payload: { fields: [{ name: operation, type: string, const: unsubscribe, doc: Which. }] }, result: Left }
types:
  Left: { doc: Whether it ended., fields: [{ name: left, type: boolean, doc: Whether. }] }
`;

/** Constructs of coming revisions of signed documents, each through its generated code. */
const model = next(numbered);
const idPattern = "^[A-Z]{3}-[0-9]{12,18}$";
const patterned = next((text) =>
  text.replace(
    /^interface:\n/m,
    `interface:\n  wire: { protocol: signed-envelope, requestId: { pattern: "${idPattern}" } }\n`,
  ),
);
const access = readAccess(JSON.stringify(newMockAccess(model)), "access.json");
const tolls = modelOf("test/cases/next-document/spec");
let project: Project;
let tollsProject: Project;

beforeAll(async () => {
  project = await createProject(
    [client, errors, fakes].flatMap((emitter) => emitter.emit(model, libraryLayout)),
  );
  tollsProject = await createProject(
    [client, errors, fakes, shapes].flatMap((emitter) => emitter.emit(tolls, libraryLayout)),
  );
});
afterAll(async () => {
  await project.remove();
  await tollsProject.remove();
});

test("codes that are numbers reach callers of the generated client by their names", async () => {
  const { FakeLibrary } = await generated("client/testing.ts");
  const fake = new FakeLibrary();
  fake.refuse("BookService.GetBook", "NOT_FOUND_BOOK");
  const bodies: unknown[] = [];
  const { fetch: answer } = fake.options;
  const { LibraryClient, NotFoundBookError } = await generated("client/index.ts");
  const caller = new LibraryClient({
    ...fake.options,
    fetch: async (url: string, init: object) => {
      const response = await answer(url, init);
      bodies.push(await response.clone().json());
      return response;
    },
  });
  const thrown: unknown = await caller.book.get({ id: "9" }).catch((error: unknown) => error);
  expect(bodies).toMatchObject([{ error: { code: 7003, data: { rpcCode: -32010 } } }]);
  expect(thrown).toBeInstanceOf(NotFoundBookError);
  expect(thrown).toMatchObject({ code: "NOT_FOUND_BOOK", message: "Book not found" });
});

test("a number that the client does not know is a code of its digits", async () => {
  const { parseBody } = await generated("client/interface.ts");
  expect(parseBody('{"error":{"code":9999}}')).toEqual({ error: { code: "9999" } });
  expect(parseBody('{"error":{"code":"7003"}}')).toEqual({ error: { code: "7003" } });
  expect(parseBody('{"error":{"code":"7002"}}')).toEqual({ error: { code: "UNAUTHORIZED" } });
  expect(parseBody('{"error":{"code":7002}}')).toEqual({ error: { code: "7002" } });
  expect(parseBody('{"error":null}')).toEqual({ error: null });
  expect(parseBody("7003")).toBe(7003);
});

test("a fake service tells flat bodies apart by what their fields hold", async () => {
  const { FakeLibrary } = await generated("client/testing.ts");
  const fake = new FakeLibrary();
  fake.answer("Unsubscribe", () => ({ left: true }));
  expect(await fake.client.subscribe({ operation: "subscribe" })).toEqual({ left: false });
  expect(await fake.client.unsubscribe({ operation: "unsubscribe" })).toEqual({ left: true });
  expect(fake.calls.map(({ method }: { method: string }) => method)).toEqual(["Subscribe", "Unsubscribe"]);
});

test("the runtime sends the number", async () => {
  const { errors: table } = await generated("errors.ts");
  const body = printError('"1"', "NOT_FOUND_BOOK", table.NOT_FOUND_BOOK, {});
  expect(JSON.parse(body)).toMatchObject({ error: { code: 7003, data: { rpcCode: -32010 } } });
  const text = printError('"1"', "UNAUTHORIZED", table.UNAUTHORIZED, {});
  expect(JSON.parse(text)).toMatchObject({ error: { code: "7002" } });
});

test("the conformance suite reads numbers, and takes a name in their place for wrong", async () => {
  expect(await blamed(model)).toEqual([]);
  const names = await blamed(next((text) => text));
  // Once, with the first of them: it rests on how all errors look.
  expect(names).toEqual([`(endpoint)/answers/error-code error-code "UNAUTHORIZED"`]);
});

test("clients make ids of the pattern that a spec has for them", async () => {
  const of = await createProject([...client.emit(patterned, libraryLayout)]);
  try {
    const { newId } = await import(join(of.root, libraryLayout.out, "client/interface.ts"));
    const ids = new Set(Array.from({ length: 500 }, () => String(newId({ name: "x" }))));
    expect([...ids].filter((id) => !/^[A-Z]{3}-[0-9]{18}$/.test(id))).toEqual([]);
    expect(ids.size).toBe(500);
  } finally {
    await of.remove();
  }
});

test("the runtime refuses ids that do not fit the pattern, and echoes none of them", () => {
  const interfaceDescriptor = { ...ledgerInterface, requestId: idPattern };
  const decode = createDecode({ interfaceDescriptor, rejectUnknown: false });
  const decoded = (id: string) =>
    decode(Buffer.from(JSON.stringify({ id, method: "x", params: { api: {}, payload: {} } })));
  expect(decoded("ABC-123456789012")).toMatchObject({ kind: "enveloped", id: "ABC-123456789012" });
  for (const other of ["1", "abc-123456789012", "ABC-12345678901", " ABC-123456789012", "ABC-123456789012\n"])
    expect(decoded(other), other).toMatchObject({ kind: "refused", id: null });
});

test("one operation has ids of its own: clients make them, the runtime takes no others", async () => {
  const { newId } = await generated("client/interface.ts", tollsProject);
  const { northPassagesRecord, northPassagesGet } = await generated("client/operations.ts", tollsProject);
  const uuid = String(newId(northPassagesRecord.method));
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  expect(newId(northPassagesGet.method)).toMatch(/^[A-Z]{3}-[0-9]{18}$/);
  const transport = { kind: "enveloped", auth: [], jsonrpc: true } as const;
  const [some] = Object.values(ledgerInterface.methods);
  if (some === undefined) throw new Error("the ledger has no methods");
  const interfaceDescriptor = {
    ...ledgerInterface,
    requestId: idPattern,
    methods: { Own: { ...some, name: "Own", transport: { ...transport, requestId: "^[0-9a-f-]{36}$" } } },
  };
  const decode = createDecode({ interfaceDescriptor, rejectUnknown: false });
  const taken = (method: string, id: string): boolean => {
    const body = Buffer.from(JSON.stringify({ id, method, params: { api: {}, payload: {} } }));
    return decode(body).kind === "enveloped";
  };
  const usual = "ABC-123456789012";
  expect([taken("Own", uuid), taken("Own", usual), taken("Other", uuid), taken("Other", usual)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test("an answer with a result has error: null where the spec says so, and no client takes it for an error", async () => {
  const transport = { kind: "enveloped", auth: [], jsonrpc: true } as const;
  const [some] = Object.values(ledgerInterface.methods);
  if (some === undefined) throw new Error("the ledger has no methods");
  const text = printResponse({ ...some, transport: { ...transport, nullError: true } }, '"1"', "{}");
  expect(text).toBe('{"id":"1","result":{},"error":null,"jsonrpc":"2.0"}');
  const { FakeTolls } = await generated("client/testing.ts", tollsProject);
  const { TollsClient } = await generated("client/index.ts", tollsProject);
  const fake = new FakeTolls();
  const client = new TollsClient({
    ...fake.options,
    fetch: async (url: string, init: object) => {
      const body = await (await fake.options.fetch(url, init)).text();
      return new Response(body.replace(/}$/, ',"error":null}'));
    },
  });
  expect(await client.call("Bridges.North.Passages.Get", { number: "P-7" })).toMatchObject({ axles: 2 });
});

test("the conformance suite finds a service that leaves error: null out", async () => {
  const withNull = next((text) =>
    text.replace(/^interface:\n/m, "interface:\n  wire: { protocol: signed-envelope, nullError: true }\n"),
  );
  const plain = next((text) => text);
  expect(await blamed(withNull, withNull)).toEqual([]);
  const found = await blamed(plain, withNull);
  expect(found).toHaveLength(1);
  expect(found.join()).toContain("error-null");
});

test("the conformance suite calls with ids of the pattern, and finds a service that takes others", async () => {
  expect(await blamed(patterned, patterned)).toEqual([]);
  const lax = await blamed(
    next((text) => text),
    patterned,
  );
  expect(lax.map((line) => line.split(" ")[0]?.split("/").at(-1))).toEqual([
    "one-character-more",
    "one-character-less",
    "blank-before",
    "letter-after",
    "uuid",
  ]);
});

test("a group of fields within fields gets one verdict from validators, zod, Ajv and the reference check", async () => {
  const { judged, fitting, differences } = await verdictsOn(modelOf("test/cases/next-document/spec"));
  expect(differences).toEqual([]);
  expect({ judged: judged > 500, fitting: fitting > 50 }).toEqual({ judged: true, fitting: true });
});

test("a result that is one of several has the fields of all of them on the wire, and no other", async () => {
  const { northPayersGetResultShape, northVehiclesGetResultShape } = await generated(
    "shapes.ts",
    tollsProject,
  );
  const company = { kind: "company", title: "Haulage", vehicles: [{ seats: 4 }, { load: 7.5 }], limit: 1 };
  const wide = {
    ...company,
    secret: "x",
    vehicles: company.vehicles.map((each) => ({ ...each, secret: 1 })),
  };
  expect(JSON.parse(printResult(wide, northPayersGetResultShape))).toEqual(company);
  const person = { kind: "person", name: "Ann", born: null };
  expect(JSON.parse(printResult(person, northPayersGetResultShape))).toEqual(person);
  expect(printResult({ seats: 4, secret: 1 }, northVehiclesGetResultShape)).toBe('{"seats":4}');
  expect(northPayersGetResultShape.fields.at(-1)).toEqual({ name: "limit", exact: true });
});

test("a list whose pages have numbers as texts ends where a page is answered with the error for none", async () => {
  const { FakeTolls } = await generated("client/testing.ts", tollsProject);
  const { NoPassagesError, InternalError } = await generated("client/index.ts", tollsProject);
  const fake = new FakeTolls();
  const passages = Array.from({ length: 4 }, (_, at) => ({ number: at, axles: 2 }));
  fake.answer("Bridges.North.Passages.List", ({ Page, Size }: { Page: string; Size: string }) => {
    const page = passages.slice(Number(Page) * Number(Size), (Number(Page) + 1) * Number(Size));
    if (page.length === 0) throw new NoPassagesError("No passages");
    return { passages: page };
  });
  expect(await Array.fromAsync(fake.client.passages.all({ pageSize: 2 }))).toEqual(passages);
  const asked = fake.calls.map(({ payload }: { payload: unknown }) => payload);
  expect(asked).toEqual(["0", "1", "2"].map((Page) => ({ Page, Size: "2" })));
  fake.answer("Bridges.North.Passages.List", () => {
    throw new InternalError("Internal error");
  });
  await expect(Array.fromAsync(fake.client.passages.all())).rejects.toBeInstanceOf(InternalError);
});

test("a mock answers the page behind the last with the error that the list has for it", async () => {
  const { TollsClient } = await generated("client/index.ts", tollsProject);
  const known = readAccess(JSON.stringify(newMockAccess(tolls)), "access.json");
  const { userName, apiKey, keyId, privateKeyPem: privateKey } = known;
  const mock = await mockOf(tolls, known);
  const client = new TollsClient({
    baseUrl: mock.baseUrl,
    credential: { userName, apiKey },
    signer: { keyId, privateKey },
  });
  const passages = await Array.fromAsync(client.passages.all());
  await expect(client.call("Bridges.North.Passages.List", { Page: "1" })).rejects.toMatchObject({
    code: "NO_PASSAGES",
  });
  mock.close();
  expect(passages).toMatchObject([{ axles: 2 }, { axles: 2 }]);
});

test("members of a notification are there for some of what an event tells, and the suite finds others", () => {
  const event = tolls.events.find(({ name }) => name === "Toll is due");
  if (event === undefined) throw new Error("no such event");
  const late = { number: "P-7", late: true };
  const early = { ...late, late: false };
  expect(memberValues(event, late)).toEqual({ reminder: 1 });
  expect(memberValues(event, early)).toEqual({ passage: "P-7" });
  const { suite } = suiteFrom(tolls);
  const expected = {
    suite,
    reading: { direction: "response", resolve: shapeResolver(suite) } as const,
    target: "/",
    keys: undefined,
    secret: undefined,
  };
  const found = (members: object, payload: object) =>
    notificationFindings(
      {
        target: "/",
        headers: {},
        body: Buffer.from(JSON.stringify({ eventName: "Toll is due", ...members, payload })),
        atMs: 0,
      },
      expected,
    )
      .map((each) => each.expected)
      .filter((each) => /reminder|passage/.test(each));
  expect(found({ reminder: 1 }, late)).toEqual([]);
  expect(found({ passage: "P-7" }, early)).toEqual([]);
  expect(found({}, late)).toEqual(["reminder to be there where late is true"]);
  expect(found({ reminder: 1, passage: "P-7" }, early)).toEqual([
    "reminder not to be there where late is false",
  ]);
});

test("a notification has its payload and its source as its event says, in schema, suite and verifier", async () => {
  const event = tolls.events.find(({ name }) => name === "Passage recorded");
  if (event === undefined) throw new Error("no such event");
  const schema = notificationSchema(event, {}, jsonSchemas(tolls));
  expect(schema.properties).toMatchObject({ source: { const: "BRIDGES" }, data: {} });
  expect(schema.required).not.toContain("payload");
  expect(schema.required?.filter((name) => name === "source")).toEqual(["source"]);

  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const data = '{"number":"P-7","axles":2}';
  const secret = `whsec_${Buffer.from("secret").toString("base64")}`;
  const bodyOf = (name: string, source: string) =>
    `{"eventName":"Passage recorded","eventId":"e","source":"${source}","passage":"P-7","version":2,` +
    `"${name}":${data},"signature":"${sign("sha256", Buffer.from(data), keys.privateKey).toString("base64")}"}`;
  const { webhooks } = await generated("client/webhooks.ts", tollsProject);
  const jwk = { ...keys.publicKey.export({ format: "jwk" }), kid: "k", alg: "ES256", use: "sig" };
  const verifier = webhooks({ secret, keys: [jwk] });
  const verified = async (body: string): Promise<object> => {
    const seconds = String(Math.floor(Date.now() / 1000));
    const v1 = createHmac("sha256", "secret").update(`e.${seconds}.${body}`).digest("base64");
    const headers = { "webhook-id": "e", "webhook-timestamp": seconds, "webhook-signature": `v1,${v1}` };
    return await verifier.verify(body, headers);
  };
  expect(await verified(bodyOf("data", "BRIDGES"))).toMatchObject({ data: { axles: 2 } });
  await expect(verified(bodyOf("payload", "BRIDGES"))).rejects.toMatchObject({ fault: "body-unreadable" });

  const { suite } = suiteFrom(tolls);
  const reading = { direction: "response", resolve: shapeResolver(suite) } as const;
  const found = (name: string, source: string) =>
    notificationFindings(
      { target: "/", headers: {}, body: Buffer.from(bodyOf(name, source)), atMs: 0 },
      {
        suite,
        reading,
        target: "/",
        keys: { p256: [keys.publicKey], ed25519: [], arePrivate: false },
        secret,
      },
    )
      .map((each) => each.expected)
      .filter((each) => /data|source|signature over/.test(each));
  expect(found("data", "BRIDGES")).toEqual([]);
  expect(found("data", "elsewhere")).toEqual(['source to be "BRIDGES"']);
  expect(found("payload", "BRIDGES")).toContain("a member data");
});

/** Findings of a suite about a mock of `served`. */
async function blamed(served: ServiceModel, tried = model): Promise<readonly string[]> {
  const { baseUrl, close } = await mockOf(served, access);
  const { outcomes } = await conform({
    ...suiteFrom(tried),
    access,
    baseUrl,
    seed: 1,
  });
  close();
  return outcomes
    .filter(({ status }) => status === "failed" || status === "broken")
    .map(({ id, findings }) => `${id} ${findings.map(({ check, found }) => `${check} ${found}`).join()}`);
}

async function mockOf(served: ServiceModel, known: Access) {
  const server = createMock(served, {
    access: known,
    errors: new Map(),
    faults: new Map(),
    latencyMs: { least: 0, most: 0 },
    seed: 7,
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { baseUrl: `http://127.0.0.1:${portOf(server)}`, close };
}

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === "object" ? address?.port : undefined;
}

async function generated(path: string, { root } = project) {
  return await import(join(root, libraryLayout.out, path));
}

function next(edited: (text: string) => string): ServiceModel {
  const files = [...baseProject()].map(([path, text]) => [path, edited(text)] as const);
  files.push(["library/flat.yaml", flat]);
  const { value, diagnostics } = loadServiceModel("library", readerOf(new Map(files)));
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

/** Each error is sent as a number. */
/** Odd codes are numbers, even ones digits as text. */
function numbered(text: string): string {
  let code = 7000;
  return text.replaceAll(/^( +)rpcCode: .*$/gm, (line, blanks: string) => {
    code += 1;
    return `${line}\n${blanks}code: ${code % 2 === 0 ? `"${code}"` : code}`;
  });
}
