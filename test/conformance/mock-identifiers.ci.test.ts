import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { conform } from "./patient.ts";
import { readAccess } from "../../conformance/request/access.ts";
import { readStandardAccess } from "../../conformance/request/standard-access.ts";
import { createMock, newMockAccess } from "../../tools/mock/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import { sourceText } from "../../generator/language/source/index.ts";
import { suiteFrom } from "./library-suite.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const types: Readonly<Record<string, string>> = {
  uuid: "type: uuid",
  pattern: 'type: string, pattern: "^INV-[0-9]{6}$"',
  integer: "type: integer, minimum: 1",
  short: "type: string, maxLength: 8",
  long: "type: string, minLength: 40",
};

/** The types that only a standard interface has. */
const standardTypes: Readonly<Record<string, string>> = {
  ...types,
  "big integer": "type: bigint, minimum: 1",
  nullable: 'type: "uuid|null"',
};

const field = (name: string, type: string): string =>
  `{ name: ${name}, doc: Id., ${type}, identifies: thingId }`;

const standard = (type: string): string => `
interface: { name: things, wire: { protocol: json-rpc-2.0 } }
errors: { NONE: { code: -32010, message: None } }
resources:
  thing: { doc: A thing., absent: NONE, samples: { thingId: Id. } }
methods:
  find: { effect: read, payload: { fields: [${field("id", type)}, { name: all, type: boolean, optional: true }] }, result: string, errors: { NONE: {} } }
  findSeveral: { effect: read, payload: { fields: [{ name: ids, type: Ids, doc: Ids., refersTo: thingId }] }, result: string, errors: { NONE: {} } }
  make: { effect: create, result: Thing }
  end: { effect: set, payload: { fields: [${field("id", type)}] }, result: Thing, errors: { NONE: {} } }
types:
  Id: { doc: Id., ${type} }
  Ids: { doc: Ids., type: array of Id }
  Thing: { fields: [${field("id", type)}] }
`;

const error = "doc: Error., condition: Error., action: Mend it.";

const signed = (type: string): string => `
interface:
  name: things
  title: Things
  revision: 1.0.0
  path: /rpc
  doc: Things.
  services: { Things: { doc: Things. } }
  auth:
    members:
      credential: { doc: Who., missing: BAD_CREDENTIAL }
      keyId: { doc: Key., missing: BAD_CREDENTIAL }
      signature: { doc: Signature., missing: BAD_CREDENTIAL }
  faults: { badInput: BAD_INPUT, unauthorized: BAD_CREDENTIAL, badCredential: BAD_CREDENTIAL, unknownKey: BAD_CREDENTIAL, invalidSignature: BAD_CREDENTIAL, conflict: FAULT, rateLimited: FAULT, unavailable: FAULT, internal: FAULT }
errors:
  BAD_INPUT: { ${error}, message: Wrong, httpStatus: 400, rpcCode: -1, everyMethod: true }
  BAD_CREDENTIAL: { ${error}, message: Who, httpStatus: 401, rpcCode: -2, everyMethod: true }
  FAULT: { ${error}, message: Fault, httpStatus: 500, rpcCode: -5, everyMethod: true }
  NONE: { ${error}, message: None, httpStatus: 404, rpcCode: -6 }
resources:
  thing: { doc: A thing., absent: NONE, samples: { thingId: Id. } }
methods:
  Things.Find: { effect: read, doc: Finds., auth: [credential, keyId, signature], payload: { fields: [${field("id", type)}] }, result: { fields: [${field("id", type)}] }, errors: { NONE: {} } }
`;

async function tried(yaml: string): Promise<readonly string[]> {
  const { value: model, diagnostics } = loadServiceModel("things", () => [sourceText("things/a.yaml", yaml)]);
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const loaded = suiteFrom(model);
  const text = JSON.stringify(newMockAccess(model));
  const { wire } = loaded.suite;
  const access = wire === undefined ? readAccess(text, "a.json") : readStandardAccess(text, "a.json", wire);
  const server = createMock(model, {
    access,
    errors: new Map(),
    faults: new Map(),
    latencyMs: { least: 0, most: 0 },
    seed: 7,
  });
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const { outcomes } = await conform({
    ...loaded,
    access,
    baseUrl,
    level: "strict",
    seed: 1,
  });
  expect(
    outcomes.filter(({ id, status }) => /\/payload\/[^/]+\/unknown$/.test(id) && status === "passed").length,
  ).toBe(wire === undefined ? 1 : 3);
  return outcomes
    .filter(
      ({ id, status }) => status !== "passed" && !(status === "skipped" && id.startsWith("exploration/")),
    )
    .map(({ id, status, reason, findings }) =>
      [id, status, reason, ...findings.map(({ expected, found }) => `${expected}; found ${found}`)].join(
        " | ",
      ),
    );
}

test.each(Object.entries(standardTypes))(
  "the mock of a standard interface conforms with identifiers: %s",
  async (_name, type) => {
    expect(await tried(standard(type))).toEqual([]);
  },
);

test.each(Object.entries(types))(
  "the mock of a signed interface conforms with identifiers: %s",
  async (_name, type) => {
    expect(await tried(signed(type))).toEqual([]);
  },
);
