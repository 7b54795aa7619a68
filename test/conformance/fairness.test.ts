import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dummyOf } from "../../conformance/request/resolve-value.ts";
import { askingForNoChange } from "../../conformance/scenario/objects.ts";
import { checkEnvelope } from "../../conformance/response/envelope.ts";
import { readResponse, resultOf } from "../../conformance/response/read-response.ts";
import { declaredPart } from "../../conformance/response/result-findings.ts";
import type { LoadedSuite, Suite } from "../../conformance/index.ts";
import { conform } from "./patient.ts";
import { edited, payloadProblems, type Reading } from "../../conformance/values/index.ts";
import { claimsOf, requiredLacking, usesLacking } from "../../conformance/session/capabilities.ts";
import { shapeResolver } from "../../conformance/suite/methods.ts";
import { ledgerSuite } from "./ledger-suite.ts";
import { startLibrary } from "./library-service.ts";
import { suiteOf } from "./library-suite.ts";

const library = readFileSync(join(import.meta.dirname, "library.yaml"), "utf8");

/** The library with something in place of something else. */
function changedLibrary(from: string, to: string): LoadedSuite {
  const yaml = library.replace(from, () => to);
  if (yaml === library) throw new Error(`library.yaml has no ${from}`);
  return suiteOf(yaml);
}

function readingOf({ types }: Suite): Reading {
  return {
    direction: "request",
    resolve(shape) {
      if (shape.kind !== "ref") return shape;
      const target = types[shape.type];
      if (target === undefined || target.kind === "ref") throw new Error(`no type ${shape.type}`);
      return target;
    },
  };
}

test("where a group of fields is wrong too, no case asks for the field", () => {
  const { suite, cases } = changedLibrary(
    "payload:\n      fields: [{ name: Title, type: string, doc: Title. }, { name: shelf, type: Shelf, doc: Shelf. }]",
    `payload:
      exactlyOneOf: [[Title, shelf]]
      fields:
        - { name: Title, type: string, maxLength: 9, optional: true, doc: Title. }
        - { name: shelf, type: Shelf, optional: true, doc: Shelf. }`,
  );
  const reading = readingOf(suite);
  const method = suite.methods.find(({ name }) => name === "BookService.AddBook");
  if (method === undefined) throw new Error("no AddBook");
  const wrongInBoth = cases.filter(({ method: name, request, expect: asked }) => {
    if (name !== method.name || asked.kind !== "error") return false;
    const payload = edited(request.payload ?? method.bases[request.base ?? "minimal"], request.edits);
    const kinds = payloadProblems(method.payload, payload, reading).map(({ kind }) => kind);
    return kinds.includes("group") && new Set(kinds).size > 1;
  });
  expect(wrongInBoth.length).toBeGreaterThan(0);
  expect(
    wrongInBoth.filter((each) => each.expect.kind === "error" && each.expect.field !== undefined),
  ).toEqual([]);
});

test("a field that comes under its second name alone is read under its first", () => {
  const { suite } = ledgerSuite();
  const reading = { direction: "response", resolve: shapeResolver(suite) } as const;
  const read = (name: string, result: unknown) => {
    const method = suite.methods.find((each) => each.name === name);
    return method && declaredPart(method.result, result, reading);
  };
  expect(read("AccountService.GetBeneficiary", { legalRepId: "R", own: 1 })).toEqual({
    legalRepId: "R",
    legalrepId: "R",
  });
  const both = { accounts: [{ Number: "2", number: "1" }] };
  expect(read("AccountService.ListAccounts", both)).toEqual(both);
});

test("a create makes what the first identifying field of its result names, and nothing else", () => {
  const withPlace = suiteOf(
    library
      .replace(
        "result: { fields: [{ name: id, type: string, identifies: bookId, doc: Identifier. }] }",
        `result:
      fields:
        - { name: id, type: string, identifies: bookId, doc: Identifier. }
        - { name: place, type: string, identifies: placeId, doc: Where the library put it. }`,
      )
      .replace(
        "resources:\n",
        'resources:\n  place: { doc: A place., section: "1", samples: { placeId: Its identifier. } }\n',
      ),
  );
  expect(withPlace.suite.resources.map(({ name, created }) => [name, created?.method])).toEqual([
    ["book", "BookService.AddBook"],
    ["place", undefined],
  ]);
});

describe("a request whose id only a decision allows", () => {
  const { suite, cases } = ledgerSuite();
  const blank = cases.find(({ id }) => id === "(endpoint)/envelope/id/blank");
  const [method] = suite.methods;
  if (blank === undefined || method === undefined) throw new Error("the suite has no such case");
  const levelsOf = (json: object) =>
    checkEnvelope(
      blank.expect,
      method,
      { httpMethod: "POST", path: "/rpc", headers: {}, body: Buffer.alloc(0), payload: {}, id: " " },
      readResponse({
        status: 200,
        headers: { "content-type": "application/json", "x-interface-revision": suite.revision },
        body: Buffer.from(JSON.stringify(json)),
        ms: 0,
      }),
      { suite, settings: { httpStatus: "ok" }, reading: { ...readingOf(suite), direction: "response" } },
    )
      .filter(({ check }) => check === "id" || check === "result")
      .map(({ check, level }) => `${check} ${level}`);

  test("is held to the echo of its id by the document, where it is taken", () => {
    expect(blank.level).toBe("document");
    expect(levelsOf({ id: "", result: {}, jsonrpc: "2.0" })).toEqual(["id document"]);
  });

  test("may be answered with an error as far as the document says", () => {
    const error = { code: "BAD_INPUT", message: "Bad id", data: { rpcCode: -1 } };
    expect(levelsOf({ id: null, error, jsonrpc: "2.0" })).toEqual(["result decisions", "id decisions"]);
  });
});

describe("an error that is null beside a result", () => {
  const { suite } = ledgerSuite();
  const method = suite.methods.find(({ name }) => name === "CustomerService.CreateLegalRepLogin");
  if (method === undefined) throw new Error("the ledger has the operation");
  const answer = (json: object) =>
    readResponse({
      status: 200,
      headers: { "content-type": "application/json", "x-interface-revision": suite.revision },
      body: Buffer.from(JSON.stringify(json)),
      ms: 0,
    });

  test("is no error, and told in words at strict alone", () => {
    const result = { ID: "rep", message: "Sent" };
    const given = answer({ id: "x", result, error: null });
    expect(resultOf(given, method)).toEqual(result);
    const findings = checkEnvelope(
      { kind: "result" },
      method,
      { httpMethod: "POST", path: "/rpc", headers: {}, body: Buffer.alloc(0), payload: {}, id: "x" },
      given,
      { suite, settings: { httpStatus: "ok" }, reading: { ...readingOf(suite), direction: "response" } },
    );
    expect(findings.map(({ level, expected, found }) => [level, expected, found])).toEqual([
      ["strict", "no member error beside a result", "error: null"],
    ]);
    expect(resultOf(answer({ id: "x", error: { code: "INTERNAL" } }), method)).toBeUndefined();
  });
});

describe("what neither document nor decisions say of an error", () => {
  const { suite } = ledgerSuite();
  const method = suite.methods.find(({ name }) => name === "CustomerService.UpdateLegalRepStatus");
  if (method === undefined) throw new Error("the ledger has the operation");
  const levelsOf = (code: string, message: string, rpcCode: number, wanted: object = {}) =>
    checkEnvelope(
      { kind: "error", codes: [code], ...wanted },
      method,
      { httpMethod: "POST", path: "/rpc", headers: {}, body: Buffer.alloc(0), payload: {}, id: "x" },
      readResponse({
        status: 200,
        headers: { "content-type": "application/json", "x-interface-revision": suite.revision },
        body: Buffer.from(
          JSON.stringify({ id: "x", error: { code, message, data: { rpcCode } }, jsonrpc: "2.0" }),
        ),
        ms: 0,
      }),
      { suite, settings: { httpStatus: "ok" }, reading: { ...readingOf(suite), direction: "response" } },
    ).map(({ check, level, ofEveryAnswer }) => [check, level, ofEveryAnswer]);

  test("is a nuisance, reported once: the number that goes with a code, and its text", () => {
    expect(levelsOf("NOT_FOUND_LEGAL_REP", "No such representative", -32000)).toEqual([
      ["error-message", "strict", true],
      ["rpc-code", "strict", true],
    ]);
  });

  test.each([
    "SQLITE_BUSY: database is locked",
    "UNIQUE constraint failed: users.name",
    "SELECT id FROM users",
    "TypeError: x is not a function",
    "lost\n    at handler",
    "/srv/node_modules/express",
  ])("may not show the program or its database: %j", (message) => {
    expect(levelsOf("NOT_FOUND_LEGAL_REP", message, -6).map(([check]) => check)).toContain("leak");
  });

  test("is not the text that section 7 shows, nor the number that a decision names", () => {
    expect(levelsOf("INVALID_SIGNATURE", "Wrong", -32002)).toEqual([["error-message", "decisions", true]]);
    expect(levelsOf("UNAUTHORIZED", "Access Denied", -32001, { rpcCode: -32601 })).toEqual([
      ["rpc-code", "decisions", undefined],
    ]);
  });
});

test.each([
  ["CreateSubscription/payload/groupId.0/empty", ["NOT_FOUND_ACCOUNT", "BAD_INPUT"]],
  ["CustomerService.UpdateCustomer/payload/address.country/blank", undefined],
  ["CustomerService.AddAccount/payload business/custodialType/blank", undefined],
])("%s may be answered as a bank likes that checks what it is sent", (id, codes) => {
  const { cases } = ledgerSuite();
  expect(cases.find((each) => each.id === id)?.expect).toEqual(
    codes === undefined ? { kind: "answered" } : { kind: "error", codes },
  );
});

test("an address that stands for none is one: what is wrong with another field is found behind it", () => {
  const { suite } = ledgerSuite();
  const payload = suite.methods.find(({ name }) => name === "CreateSubscription")?.payload;
  if (payload === undefined) throw new Error("the ledger has the operation");
  const wrong = {
    name: "x",
    callbackUrl: dummyOf("callbackUrl"),
    events: [],
    groupId: [dummyOf("accountNumber")],
  };
  expect(payloadProblems(payload, wrong, readingOf(suite)).map(({ at }) => at)).toEqual(["/events"]);
});

test("a step that filters is not taken where the service says that it has no filters", () => {
  const { suite } = ledgerSuite();
  const method = suite.methods.find(({ name }) => name === "AccountService.ListAccounts");
  if (method === undefined) throw new Error("the ledger has the operation");
  const without = claimsOf({ lacks: ["filter-syntax"] }, suite);
  expect(usesLacking({ filter: "number = 1" }, method, without)).toBe(true);
  expect(usesLacking({ filter: "number = 1" }, method, claimsOf({ lacks: [] }, suite))).toBe(false);
  expect(usesLacking({ filter: "", PageSize: 5 }, method, without)).toBe(false);
});

test("an account of a type of custody is not opened where the service says that it lacks those of the cases", () => {
  const { suite } = ledgerSuite();
  const method = suite.methods.find(({ name }) => name === "CustomerService.AddAccount");
  if (method === undefined) throw new Error("the ledger has the operation");
  const without = claimsOf({ lacks: ["custodial-fields"] }, suite);
  const custodial = { accountType: "CUSTODIAL", custodialType: "FBO" };
  expect(requiredLacking(custodial, method, without)).toBe("custodial-fields");
  expect(requiredLacking({ ...custodial, accountType: "CHECKING" }, method, without)).toBeUndefined();
  expect(requiredLacking(custodial, method, claimsOf({ lacks: [] }, suite))).toBeUndefined();
});

test("a request that may ask for some states only moves the machine of all of them", async () => {
  const loaded = suiteOf(
    library
      .replace("newStatus, type: BookStatus", "newStatus, type: AskedStatus")
      .replace(
        "  Book:\n    doc: A book.",
        "  AskedStatus:\n    doc: What may be asked for.\n    section: '1'\n    enum: [{ value: LENT, doc: Lent. }, { value: LOST, doc: Lost. }]\n  Book:\n    doc: A book.",
      ),
  );
  const service = await startLibrary();
  const { access, baseUrl } = service;
  try {
    const run = { ...loaded, access, baseUrl, seed: 1, only: ["exploration/"], explore: { runs: 20 } };
    const { outcomes } = await conform(run);
    expect(
      outcomes.filter(({ status }) => status === "failed").map(({ id, findings }) => [id, findings]),
    ).toEqual([]);
    expect(outcomes.find(({ id }) => id === "exploration/transitions")?.status).toBe("passed");
  } finally {
    service.close();
  }
});

test("a service says of a scenario that it lacks it", () => {
  const { suite } = ledgerSuite();
  const claims = claimsOf({ lacks: ["risk-of-overdrawn"] }, suite);
  expect(claims.lacking({ decisions: ["D-33"], scenario: "risk-of-overdrawn" })).toBe("risk-of-overdrawn");
  expect(claims.lacking({ decisions: ["D-33"], scenario: "risk-score" })).toBeUndefined();
});

test("a request that has to be refused changes nothing that others rely on, where it is let through", () => {
  const { suite, cases } = ledgerSuite();
  const [method, unsigned] = [
    suite.methods.find(({ name }) => name === "CustomerService.UpdateLegalRepStatus"),
    cases.find(({ id }) => id === "CustomerService.UpdateLegalRepStatus/authentication/apiKey/missing"),
  ];
  if (method === undefined || unsigned === undefined) throw new Error("the suite has no such case");
  expect(method.bases["minimal"]).toMatchObject({ Status: "INACTIVE" });
  expect(askingForNoChange(unsigned, method, suite).request.edits).toEqual([
    { op: "set", at: "/Status", value: "ACTIVE" },
  ]);
  const about = { ...unsigned, request: { edits: [{ op: "omit", at: "/Status" }] } } as const;
  expect(askingForNoChange(about, method, suite)).toBe(about);
});

describe("an operation of flat bodies with a field id", () => {
  const { suite } = suiteOf(library);
  const [first] = suite.methods;
  if (first?.result.kind !== "object") throw new Error("the library has operations");
  const flat = {
    ...first,
    transport: { kind: "flat", selectedBy: ["id"] },
    result: {
      ...first.result,
      fields: [...first.result.fields, ...first.result.fields.map((field) => ({ ...field, name: "source" }))],
    },
  } as const;
  const answer = (json: unknown) =>
    readResponse({
      status: 200,
      headers: { "content-type": "application/json", "x-interface-revision": suite.revision },
      body: Buffer.from(JSON.stringify(json)),
      ms: 0,
    });

  test("is not taken to succeed because an error of a shape of its own has an id", () => {
    expect(resultOf(answer({ fault: { code: "NO_BOOK" }, id: "x" }), flat)).toBeUndefined();
    expect(resultOf(answer({ id: "x", source: "y" }), flat)).toEqual({ id: "x", source: "y" });
  });

  test.each([null, "x"])("may be answered with an error whose id is %j", (id) => {
    const wire = {
      httpMethod: "POST",
      path: "/rpc",
      headers: {},
      body: Buffer.alloc(0),
      payload: { id: "x" },
    };
    const error = { code: "NO_BOOK", message: "No book", data: { rpcCode: -6 } };
    const findings = checkEnvelope(
      { kind: "error", codes: ["NO_BOOK"] },
      { ...flat, errors: [{ code: "NO_BOOK", message: "No book", decisions: [] }] },
      wire,
      answer({ id, error, jsonrpc: "2.0" }),
      { suite, settings: { httpStatus: "ok" }, reading: readingOf(suite) },
    );
    expect(findings).toEqual([]);
  });
});
