import { once } from "node:events";
import type { Server } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { conform } from "../../conformance/index.ts";
import { readAccess } from "../../conformance/request/access.ts";
import { emitter as client } from "../../generator/emit/client/index.ts";
import { emitter as errors } from "../../generator/emit/errors/index.ts";
import { emitter as shapes } from "../../generator/emit/shapes/index.ts";
import { emitter as fakes } from "../../generator/emit/fakes/index.ts";
import { createMock, newMockAccess } from "../../generator/mock/index.ts";
import { loadServiceModel, type ServiceModel } from "../../generator/model/index.ts";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { createDecode } from "../../runtime/pipeline/decode/index.ts";
import { faultsOf } from "../../runtime/pipeline/fault.ts";
import { encodeError, printResult } from "../../runtime/pipeline/encode/index.ts";
import { RpcError } from "../../runtime/contract/index.ts";
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

/** What coming revisions of signed documents say: each construct, through what is generated of it. */
const model = next(numbered);
const idPattern = "^[A-Z]{3}-[0-9]{12,18}$";
const patterned = next((text) =>
  text.replace(
    /^interface:\n/m,
    `interface:\n  wire: { protocol: signed-envelope, requestId: { pattern: "${idPattern}" } }\n`,
  ),
);
const access = readAccess(JSON.stringify(newMockAccess(model)), "access.json");
let project: Project;

beforeAll(async () => {
  project = await createProject(
    [client, errors, fakes].flatMap((emitter) => emitter.emit(model, libraryLayout)),
  );
});
afterAll(async () => {
  await project.remove();
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
  const body = encodeError(new RpcError("NOT_FOUND_BOOK"), table.NOT_FOUND_BOOK, "1");
  expect(JSON.parse(body)).toMatchObject({ error: { code: 7003, data: { rpcCode: -32010 } } });
  const text = encodeError(new RpcError("UNAUTHORIZED"), table.UNAUTHORIZED, "1");
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
    const ids = new Set(Array.from({ length: 500 }, () => String(newId())));
    expect([...ids].filter((id) => !/^[A-Z]{3}-[0-9]{18}$/.test(id))).toEqual([]);
    expect(ids.size).toBe(500);
  } finally {
    await of.remove();
  }
});

test("the runtime refuses ids that do not fit the pattern, and echoes none of them", () => {
  const interfaceDescriptor = { ...ledgerInterface, requestId: idPattern };
  const decode = createDecode({
    interfaceDescriptor,
    fault: faultsOf(interfaceDescriptor),
    rejectUnknown: false,
  });
  const idOf = (id: string) => {
    const decoding: { id: string | null } = { id: null };
    decode(Buffer.from(JSON.stringify({ id, method: "x", params: { api: {}, payload: {} } })), decoding);
    return decoding.id;
  };
  expect(idOf("ABC-123456789012")).toBe("ABC-123456789012");
  for (const other of ["1", "abc-123456789012", "ABC-12345678901", " ABC-123456789012", "ABC-123456789012\n"])
    expect(() => idOf(other), other).toThrow("BAD_INPUT");
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
  const of = await createProject([...shapes.emit(modelOf("test/cases/next-document/spec"), libraryLayout)]);
  try {
    const { northPayersGetResultShape, northVehiclesGetResultShape } = await import(
      join(of.root, libraryLayout.out, "shapes.ts")
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
    expect(northPayersGetResultShape.fields.at(-1)).toEqual({ name: "limit", money: true });
  } finally {
    await of.remove();
  }
});

/** Findings of a suite about a mock of `served`. */
async function blamed(served: ServiceModel, tried = model): Promise<readonly string[]> {
  const server = createMock(served, {
    access,
    errors: new Map(),
    faults: new Map(),
    latencyMs: { least: 0, most: 0 },
    seed: 7,
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const baseUrl = `http://127.0.0.1:${portOf(server)}`;
  const { outcomes } = await conform({ ...suiteFrom(tried), access, baseUrl, seed: 1 });
  server.close();
  server.closeAllConnections();
  return outcomes
    .filter(({ status }) => status === "failed" || status === "broken")
    .map(({ id, findings }) => `${id} ${findings.map(({ check, found }) => `${check} ${found}`).join()}`);
}

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === "object" ? address?.port : undefined;
}

async function generated(path: string) {
  return await import(join(project.root, libraryLayout.out, path));
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
