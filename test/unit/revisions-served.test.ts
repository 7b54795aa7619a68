import type { TranslatableEvent } from "../../runtime/pipeline/event-translator.ts";
import { notificationHead } from "../../runtime/events/signing/signed-notification.ts";
import type { Store } from "../../runtime/store/ports/index.ts";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { emitter as errors } from "../../generator/targets/errors/index.ts";
import { emitter as methods } from "../../generator/targets/methods/index.ts";
import { emitter as revisions } from "../../generator/targets/revisions/index.ts";
import { adapterPlans } from "../../generator/targets/revisions/hand-written.ts";
import { emitter as shapes } from "../../generator/targets/shapes/index.ts";
import { emitter as types } from "../../generator/targets/types/index.ts";
import { emitter as support } from "../../generator/targets/support/index.ts";
import { emitter as validators } from "../../generator/targets/validators/index.ts";
import { loadServiceModel } from "../../generator/model/index.ts";
import {
  RpcError,
  type SignedInterfaceDescriptor,
  type JsonObject,
  type ServedRevision,
} from "../../runtime/contract/index.ts";
import {
  createCallers,
  createEventTranslator,
  createPipeline,
  createVerifier,
  type AnyHandler,
  type PipelineRules,
} from "../../runtime/pipeline/index.ts";
import { signedEnvelope } from "../../runtime/auth/index.ts";
import {
  createMetrics,
  serveHttp,
  type HttpService,
  type Metrics,
} from "../../runtime/operations/http/index.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { idSource, sealer, systemClock } from "../../runtime/operations/system/index.ts";
import { cachedFolder } from "../cached-folder.ts";
import { startReceiver } from "../e2e/receiver.ts";
import { filesUnder, readerOf } from "./diagnostics-cases.ts";
import { openHarness } from "./delivery-harness.ts";
import { institutions, users, apiKeys, deviceKeys } from "../../runtime/store/tables/index.ts";

const shops = join(import.meta.dirname, "../cases/revisions");

/** The shop of `test/cases/revisions` in 1.1.0, which serves 1.0.0 too, over a real socket. */
const root = cachedFolder("served-");
const key = generateKeyPairSync("ec", { namedCurve: "P-256" });
const apiKey = "0123456789abcdef";
let shop: SignedInterfaceDescriptor;
let earlier: ServedRevision;
let store: Store;
let metrics: Metrics;
let service: HttpService;
let taken: { readonly method: string; readonly payload: JsonObject }[];
let refusing: RpcError | undefined;
let packed: object | null;

beforeAll(async () => {
  cpSync(join(import.meta.dirname, "../../runtime/contract"), join(root, "runtime/contract"), {
    recursive: true,
  });
  writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
  const generated = await generate("shop", filesUnder(shops));
  [shop, earlier] = [generated.current, generated.served[0] ?? earlier];
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeEach(async () => {
  taken = [];
  refusing = undefined;
  store = createMemoryStore();
  await store.write(async (tx) => {
    const createdAt = Date.now();
    await tx.insert(institutions, { id: "bank", name: "Bank" });
    for (const [userName, scope] of [
      ["una", "*"],
      ["old", "OrderService.DropOrder"],
      ["new", "OrderService.CancelOrder"],
    ] as const) {
      const email = `${userName}@example.com`;
      await tx.insert(users, {
        userName,
        institutionId: "bank",
        realm: "ledger",
        email,
        scopes: [scope],
        otpFailures: 0,
        createdAt,
      });
      const hash = createHash("sha256").update(apiKey).digest("hex");
      await tx.insert(apiKeys, { id: userName, userName, hash, createdAt });
      const publicKeyPem = key.publicKey.export({ type: "spki", format: "pem" }).toString();
      await tx.insert(deviceKeys, {
        keyId: `key of ${userName}`,
        userName,
        status: "ACTIVE",
        publicKeyPem,
        createdAt,
      });
    }
  });
});

/** The way from 1.0.0 to 1.1.0 where both are changed so. */
function planWith(change: (text: string) => string) {
  const files = new Map([...filesUnder(shops)].map(([path, text]) => [path, change(text)]));
  const { value } = loadServiceModel("shop", readerOf(files));
  return value === undefined ? undefined : adapterPlans(value)[0];
}

describe("a service of two revisions", () => {
  beforeEach(() => serve());
  afterEachTest();

  test("answers in the revision that is asked for, the oldest where none is", async () => {
    const order = { order: "7" };
    for (const revision of ["1.0.0", undefined]) {
      const answer = await call("OrderService.DropOrder", order, { revision });
      expect([answer.revision, answer.json.result]).toEqual(["1.0.0", { dropped: true }]);
    }
    const answer = await call("OrderService.CancelOrder", order, { revision: "1.1.0" });
    expect([answer.revision, answer.json.result]).toEqual(["1.1.0", { cancelled: true, refund: 12.5 }]);
    expect(taken.map(({ method }) => method)).toEqual(Array(3).fill("OrderService.CancelOrder"));
    const unknown = await call("OrderService.DropOrder", order, { revision: "1.1.0" });
    expect(unknown.json.error).toMatchObject({ code: "DENIED", data: { reason: "unknown-method" } });
  });

  test("answers what the oldest does not have in the oldest that has it, where no revision is asked for", async () => {
    const answer = await call("OrderService.CancelOrder", { order: "7" }, {});
    expect([answer.revision, answer.json.result]).toEqual(["1.1.0", { cancelled: true, refund: 12.5 }]);
    const nowhere = await call("OrderService.Nothing", { order: "7" }, {});
    expect([nowhere.revision, nowhere.json.error]).toMatchObject([
      "1.0.0",
      { code: "DENIED", data: { reason: "unknown-method" } },
    ]);
  });

  test("says which revisions there are to whoever asks for another", async () => {
    const answer = await call("OrderService.DropOrder", { order: "7" }, { revision: "1.0.7", id: "a-7" });
    expect([answer.status, answer.revision, answer.json]).toEqual([
      400,
      "1.1.0",
      {
        id: "a-7",
        error: {
          code: "BAD_INPUT",
          message: "X-Interface-Revision is wrong",
          data: { reason: "unknown-revision", revisions: ["1.0.0", "1.1.0"], rpcCode: -32600 },
        },
        jsonrpc: "2.0",
      },
    ]);
    expect(taken).toEqual([]);
  });

  test("gives handlers the payload of the current revision, and callers the result of theirs", async () => {
    const payload = {
      buyer: "Ada",
      SHIPTO: { street: "1 Main Street", fax: "12" },
      items: [{ sku: "A", price: 1.1, weight: 2.5, colour: "GREY" }],
      note: "Thanks",
      nothing: "known",
    };
    const { json } = await call("OrderService.PlaceOrder", payload, {});
    expect(taken[0]?.payload).toEqual({
      buyer: "Ada",
      shipTo: { line1: "1 Main Street" },
      items: [{ sku: "A", price: 1.1, weight: 2.5, colour: "SILVER" }],
      note: "Thanks",
    });
    const items = [{ sku: "A", price: 1.1, weight: 2.5, colour: "GREY", size: { width: 3 } }];
    expect(json.result).toEqual({ order: "7", total: 12.5, items, Items: items });
  });

  test("says what the current revision refuses of the field as its caller has named it", async () => {
    const order = { buyer: "Ada", items: [], note: "Thanks" };
    const { json } = await call("OrderService.PlaceOrder", { ...order, shipTo: { street: "Help!" } }, {});
    expect(json.error).toMatchObject({
      code: "BAD_INPUT",
      message: "street is wrong",
      data: { field: "/shipTo/street", reason: "pattern" },
    });
    const drone = await call(
      "OrderService.PlaceOrder",
      { ...order, shipTo: { street: "1" }, speed: "DRONE" },
      {},
    );
    expect(drone.json.error).toMatchObject({ code: "BAD_INPUT", data: { field: "/speed", reason: "enum" } });
    const wrong = await call("OrderService.PlaceOrder", { ...order, shipTo: { line1: "1" } }, {});
    expect(wrong.json.error).toMatchObject({ data: { field: "/shipTo/street", reason: "missing" } });
    expect(taken).toEqual([]);
  });

  test("converts the cases of a union, and what may be null, each by its own type", async () => {
    const read = async (revision: string): Promise<unknown> =>
      (await call("StockService.ReadPacking", { name: "x" }, { revision })).json.result;
    packed = null;
    expect(await read("1.0.0")).toEqual({
      outer: null,
      inner: [
        { kind: "crate", slots: 3 },
        { kind: "bag", colour: "GREY" },
        { kind: "bag", colour: null },
      ],
    });
    packed = { kind: "crate", capacity: 9 };
    expect(await read("1.0.0")).toMatchObject({ outer: { kind: "crate", slots: 9 } });
    expect(await read("1.1.0")).toMatchObject({ outer: { kind: "crate", capacity: 9 } });
  });

  test("asks people for a union whose cases no member tells apart", () => {
    const plan = planWith((text) => text.replace("type: Packing|null", "type: Crate|Bag"));
    expect(plan?.handWritten.map(({ name }) => name)).toContain("downReadPackingResultOuter");
  });

  test("answers a page without items as each revision does", async () => {
    refusing = new RpcError("NO_ITEMS");
    const list = (revision: string) => call("StockService.ListItems", { page: 7 }, { revision });
    expect((await list("1.0.0")).json).toMatchObject({ result: { items: [] } });
    expect((await list("1.1.0")).json).toMatchObject({ error: { code: "NO_ITEMS" } });
  });

  test("asks people for what else the result of a page without items has", () => {
    const count = "doc: The things. }, { name: count, type: integer, doc: How many. }";
    const plan = planWith((text) => text.replace("doc: The things. }", count));
    expect(plan?.handWritten.find(({ name }) => name === "emptyListItems")).toMatchObject({
      gives: "earlier.ListItemsResult",
      changes: [{ rule: "empty-page-changed" }],
    });
  });

  test("knows errors by the codes of each revision", async () => {
    const payload = { buyer: "Ada", shipTo: { street: "1" }, items: [], note: "x" };
    refusing = new RpcError("OUT_OF_STOCK", { field: "/shipTo/line1" });
    const sold = await call("OrderService.PlaceOrder", payload, {});
    expect(sold.json.error).toMatchObject({
      code: "SOLD_OUT",
      message: "Sold out",
      data: { field: "/shipTo/street" },
    });
    refusing = new RpcError("NOT_FOUND_ORDER");
    const missing = await call("OrderService.DropOrder", { order: "7" }, {});
    expect(missing.json.error).toMatchObject({ code: "BAD_INPUT", data: { reason: "not-found-order" } });
    const present = await call("OrderService.CancelOrder", { order: "7" }, { revision: "1.1.0" });
    expect(present.json.error).toMatchObject({ code: "NOT_FOUND_ORDER", message: "No such order" });
    refusing = new RpcError("SOLD_OUT");
    const undeclared = await call("OrderService.PlaceOrder", payload, {});
    expect(undeclared.json.error).toMatchObject({ code: "BUSY" });
  });

  test("takes a call that is repeated in another revision for the same, and answers it in the words of whoever asks", async () => {
    const ask = async (revision: string, id: string): Promise<unknown> =>
      (await call("StockService.Reserve", { sku: "A" }, { revision, id })).json.result;
    const [silver, grey] = ["SILVER", "GREY"].map((colour) => ({ reservation: "1", colour, price: 1.5 }));
    expect(await ask("1.1.0", "r-1")).toEqual(silver);
    expect(await ask("1.0.0", "r-1")).toEqual(grey);
    expect(await ask("1.1.0", "r-1")).toEqual(silver);
    expect(taken.length).toBe(1);
    expect(await ask("1.0.0", "r-2")).toEqual({ ...grey, reservation: "2" });
    expect(await ask("1.1.0", "r-2")).toEqual({ ...silver, reservation: "2" });
    expect(taken.length).toBe(2);
  });

  test("converts each form of a payload, and leaves it to the current revision to say which it is", async () => {
    const card = { order: "7", amount: 1.5 };
    const { json } = await call("OrderService.Pay", { ...card, holder: "Ada" }, {});
    expect([json.result, taken[0]?.payload]).toEqual([{ colour: "GREY" }, { ...card, owner: "Ada" }]);
    await call("OrderService.Pay", { ...card, from: { street: "1" } }, {});
    expect(taken[1]?.payload).toEqual({ ...card, from: { line1: "1" } });
    const refused = await call("OrderService.Pay", { ...card, from: { street: "!" } }, {});
    expect(refused.json.error.code).toBe("BAD_INPUT");
    expect(taken.length).toBe(2);
  });

  test("serves flat operations in both", async () => {
    for (const [revision, colour, size] of [
      ["1.0.0", "GREY", { width: 3 }],
      ["1.1.0", "SILVER", { breadth: 3 }],
    ] as const) {
      const answer = await flat({ sku: "A" }, revision);
      expect([answer.revision, answer.json]).toEqual([
        revision,
        { sku: "A", price: 1.1, weight: 2.5, colour, size },
      ]);
    }
  });

  test("allows a renamed operation under both of its names", async () => {
    for (const userName of ["old", "new"]) {
      const former = await call("OrderService.DropOrder", { order: "7" }, { userName });
      expect(former.json.result).toEqual({ dropped: true });
      const other = await call("FindNothing", { order: "7" }, { userName });
      expect(other.json.error.code).toBe("DENIED");
    }
    const present = await call(
      "OrderService.CancelOrder",
      { order: "7" },
      { userName: "old", revision: "1.1.0" },
    );
    expect(present.json.error.code).toBe("DENIED");
  });

  test("counts who speaks which", async () => {
    await call("OrderService.DropOrder", { order: "7" }, {});
    await call("OrderService.CancelOrder", { order: "7" }, { revision: "1.1.0" });
    await call("OrderService.CancelOrder", { order: "7" }, { revision: "7.7.7" });
    const lines = (await metrics.text())
      .split("\n")
      .filter((line) => line.startsWith("ledger_rpc_revision_requests_total"));
    expect(lines).toEqual([
      'ledger_rpc_revision_requests_total{interface="shop",revision="1.0.0"} 1',
      'ledger_rpc_revision_requests_total{interface="shop",revision="1.1.0"} 1',
    ]);
  });
});

test("an operation that is no more is answered by what people have written in its place", async () => {
  const handler: AnyHandler = async (payload) => ({ dropped: JSON.stringify(payload) === '{"order":"7"}' });
  const former = { ...earlier, methods: { ...earlier.methods, "OrderService.DropOrder": { handler } } };
  await serve({}, [former]);
  try {
    const answer = await call("OrderService.DropOrder", { order: "7" }, {});
    expect([answer.revision, answer.json.result]).toEqual(["1.0.0", { dropped: true }]);
    expect(taken).toEqual([]);
  } finally {
    await service.close(0);
  }
});

test("an earlier revision is called where it always was", async () => {
  const interfaceDescriptor = { ...earlier.interfaceDescriptor, path: "/rpc/v1" };
  await serve({}, [{ ...earlier, interfaceDescriptor }]);
  try {
    for (const [path, status] of [
      ["/rpc/v1", 200],
      ["/jsonrpc", 200],
      ["/rpc/v2", 404],
    ] as const) {
      const answer = await call("OrderService.DropOrder", { order: "7" }, { path });
      expect([path, answer.status]).toEqual([path, status]);
    }
  } finally {
    await service.close(0);
  }
});

test("parts that were not generated together are not served", async () => {
  const { "OrderService.DropOrder": _gone, ...others } = earlier.methods;
  await expect(serve({}, [{ ...earlier, methods: others }])).rejects.toThrow(
    "shop 1.0.0 has no way for OrderService.DropOrder: run generate",
  );
});

describe("limits and single revisions", () => {
  afterEachTest();

  test("requests are refused by HTTP in the words of the caller's revision", async () => {
    const { errors } = earlier.interfaceDescriptor;
    const { BAD_INPUT } = errors;
    if (BAD_INPUT === undefined) throw new Error("the shop has BAD_INPUT");
    const former = { ...errors, BAD_INPUT: { ...BAD_INPUT, message: "{field} of 1.0.0" } };
    await serve({}, [
      { ...earlier, interfaceDescriptor: { ...earlier.interfaceDescriptor, errors: former } },
    ]);
    const asked = [
      ["/jsonrpc", { method: "GET" }, 405],
      ["/jsonrpc", { method: "POST", body: "{}", headers: { "Content-Type": "text/plain" } }, 415],
      ["/jsonrpc", { method: "POST", body: Buffer.alloc(1_100_000, " ") }, 413],
      ["/nowhere", { method: "POST", body: "{}" }, 404],
    ] as const;
    for (const [path, init, status] of asked) {
      for (const [revision, spoken] of [
        ["1.0.0", "1.0.0"],
        [undefined, "1.0.0"],
        ["1.1.0", "1.1.0"],
        ["9.9.9", "1.1.0"],
      ] as const) {
        const own = revision === undefined ? {} : { "X-Interface-Revision": revision };
        const headers = {
          "Content-Type": "application/json",
          ...("headers" in init && init.headers),
          ...own,
        };
        const response = await fetch(`${service.url}${path}`, { ...init, headers });
        expect([response.status, response.headers.get("x-interface-revision")]).toEqual([status, spoken]);
        const { error }: { error: { message: string } } = JSON.parse(await response.text());
        expect(error.message, `${status} of ${spoken}`).toMatch(spoken === "1.0.0" ? /of 1.0.0/ : /wrong/);
      }
    }
  });

  test("a caller who speaks two revisions has one bucket", async () => {
    await serve({ rateLimit: { perSecond: 0.001, burst: 2 } });
    const codes = [];
    for (const revision of ["1.0.0", "1.1.0", "1.0.0"]) {
      codes.push((await call("StockService.Reserve", { sku: "A" }, { revision })).json.error?.code);
    }
    expect(codes).toEqual([undefined, undefined, "BUSY"]);
  });

  test("a service of one revision answers everyone with it, whatever they ask for", async () => {
    await serve({}, []);
    for (const revision of [undefined, "1.0.0", "1.1.0", "9.9.9"]) {
      const answer = await call("OrderService.CancelOrder", { order: "7" }, { revision });
      expect([answer.status, answer.revision, answer.json.result]).toEqual([
        200,
        "1.1.0",
        { cancelled: true, refund: 12.5 },
      ]);
    }
    expect(await metrics.text()).not.toContain("ledger_rpc_revision_requests_total{");
  });
});

test("a notification has the further members of the revision that it is in, with their digits", () => {
  const members = [
    { name: "amount", repeats: "total" },
    { name: "version", const: 2 },
    { name: "hint", repeats: "absent" },
    { name: "other", const: 1, when: { field: "order", values: ["8", true] } },
    { name: "seventh", const: true, when: { field: "order", values: ["6", "7"] } },
  ];
  const translator = createEventTranslator([earlier], { ...shop, eventMembers: { "Order.NEW": members } });
  const payloadJson = '{"order":"7","total":12.50,"shipTo":{"line1":"1 Main Street","country":"IS"}}';
  const event: TranslatableEvent = { name: "Order.NEW", payloadJson, revision: "1.1.0" };
  expect(translator.translate(event, "1.1.0").membersJson).toBe('"amount":12.50,"version":2,"seventh":true');
  expect(translator.translate(event, "1.0.0")).not.toHaveProperty("membersJson");
  const onlyAbsent = { ...shop, eventMembers: { "Order.NEW": members.slice(2, 4) } };
  expect(createEventTranslator([earlier], onlyAbsent).translate(event, "1.1.0")).toBe(event);
});

test("a notification has the source and the name of the payload that the interface says", () => {
  const said = {
    ...shop,
    eventMembers: { "Order.NEW": [{ name: "source", const: "SHOP" }] },
    eventPayloadNames: { "Order.NEW": "data" },
  };
  const event = {
    id: "e-1",
    name: "Order.NEW",
    source: "ledger",
    createdAt: 0,
    payloadJson: '{"order":"7","total":12.50,"shipTo":{"line1":"1 Main Street","country":"IS"}}',
    revision: "1.1.0",
  };
  const delivery = { subscriptionId: "s", topics: ["1"], sequence: 1 };
  const translator = createEventTranslator([earlier], said);
  const headIn = (revision: string) => notificationHead(translator.translate(event, revision), delivery);
  expect(headIn("1.1.0")).toMatch(/^\{"source":"SHOP",.*"sequence":1,"data":$/);
  expect(headIn("1.0.0")).toMatch(/^\{"source":"ledger",.*"sequence":1,"payload":$/);
});

test("events are told in the words of the revision that their subscription was made in", async () => {
  const translator = createEventTranslator([earlier], shop);
  const receiver = await startReceiver();
  const harness = await openHarness({ translator });
  try {
    const events = ["Order.NEW", "Order.CANCELLED"];
    await harness.subscribe(receiver.url, {
      events: ["Order.NEW", "Order.GONE"],
      revision: "1.0.0",
      name: "old",
    });
    await harness.subscribe(receiver.url, { events, revision: "1.1.0", name: "new" });
    await harness.subscribe(receiver.url, { events: ["Order.GONE"], name: "oldest" });
    const payloadJson = '{"order":"7","total":12.50,"shipTo":{"line1":"1 Main Street","country":"IS"}}';
    await harness.publish({ name: "Order.NEW", payloadJson, revision: "1.1.0" });
    const told = await receiver.until(2);
    expect(told.map(({ body }) => /"payload":(\{.*\}),"signature"/.exec(body)?.[1]).toSorted()).toEqual([
      payloadJson,
      '{"order":"7","total":12.50,"shipTo":{"street":"1 Main Street"}}',
    ]);
    await harness.publish({ name: "Order.CANCELLED", payloadJson: '{"order":"7"}', revision: "1.1.0" });
    const all = await receiver.until(5);
    expect(
      all
        .slice(2)
        .map(({ json }) => json.eventName)
        .toSorted(),
    ).toEqual(["Order.CANCELLED", "Order.GONE", "Order.GONE"]);
    // What was recorded before the present revision is told as it was.
    await harness.publish({ name: "Order.NEW", payloadJson: '{"order":"8"}', revision: "1.0.0" });
    expect((await receiver.until(7)).slice(5).map(({ json }) => json.payload)).toEqual([
      { order: "8" },
      { order: "8" },
    ]);
    expect(harness.failures).toEqual([]);
  } finally {
    await harness.close();
    await receiver.close();
  }
});

test("a call goes from revision to revision, and what comes of it goes back", async () => {
  const files = new Map(filesUnder(shops));
  const middle = files.get("shop-1.0.0/shop.yaml") ?? "";
  files.set(
    "shop-0.9.0/shop.yaml",
    middle.replace("revision: 1.0.0", "revision: 0.9.0").replace("name: street", "name: road"),
  );
  files.set("shop-1.0.0/shop.yaml", middle.replace("name: street,", "name: street, renamedFrom: road,"));
  const current = files.get("shop/shop.yaml") ?? "";
  files.set(
    "shop/shop.yaml",
    current.replace("  serves:\n", "  serves:\n    - { revision: 0.9.0, spec: ../shop-0.9.0 }\n"),
  );
  const { served } = await generate("chain", files);
  expect(served.map(({ interfaceDescriptor }) => interfaceDescriptor.revision)).toEqual(["0.9.0", "1.0.0"]);
  await serve({}, served);
  try {
    const order = { buyer: "Ada", items: [], note: "Thanks" };
    const placed = await call("OrderService.PlaceOrder", { ...order, shipTo: { road: "1" } }, {});
    expect([placed.revision, placed.json.result.items[0].colour]).toEqual(["0.9.0", "GREY"]);
    expect(taken[0]?.payload).toEqual({ ...order, shipTo: { line1: "1" } });
    const refused = await call("OrderService.PlaceOrder", { ...order, shipTo: { road: "!" } }, {});
    expect(refused.json.error.data).toMatchObject({ field: "/shipTo/road", reason: "pattern" });
    const translator = createEventTranslator(served, shop);
    const event = {
      name: "Order.NEW",
      payloadJson: '{"order":"7","total":1.0,"shipTo":{"line1":"1"}}',
      revision: "1.1.0",
    };
    expect(translator.translate(event, "0.9.0").payloadJson).toBe(
      '{"order":"7","total":1.0,"shipTo":{"road":"1"}}',
    );
    expect(translator.translate(event, "1.0.0").payloadJson).toBe(
      '{"order":"7","total":1.0,"shipTo":{"street":"1"}}',
    );
  } finally {
    await service.close(0);
  }
});

interface Answered {
  readonly status: number;
  readonly revision: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any;
}

/** What is generated for a shop, imported. */
async function generate(
  name: string,
  files: ReadonlyMap<string, string>,
): Promise<{ readonly current: SignedInterfaceDescriptor; readonly served: readonly ServedRevision[] }> {
  const { value: model, diagnostics } = loadServiceModel("shop", readerOf(files));
  if (model === undefined) throw new Error(JSON.stringify(diagnostics.map(({ message }) => message)));
  const layout = {
    out: `generated/${name}`,
    handlers: `handlers/${name}`,
    contract: "runtime/contract/index.ts",
  };
  for (const emitter of [types, errors, methods, shapes, support, validators, revisions]) {
    for (const { path, text } of emitter.emit(model, layout)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  }
  const load = async (path: string): Promise<unknown> =>
    import(pathToFileURL(join(root, layout.out, path)).href);
  const current = memberOf(await load("methods.ts"), "shopInterface");
  if (!isDescriptor(current)) throw new Error("the shop was not generated");
  const served: ServedRevision[] = [];
  for (const { model: former } of model.serves ?? []) {
    const made = memberOf(await load(`revisions/${former.revision}/adapter.ts`), "revision");
    const revision: unknown = typeof made === "function" ? made({}) : made;
    if (!isRevision(revision)) throw new Error(`revision ${former.revision} was not generated`);
    served.push(revision);
  }
  return { current, served };
}

async function serve(
  rules: PipelineRules = {},
  served: readonly ServedRevision[] = [earlier],
): Promise<void> {
  const clock = systemClock;
  const item = {
    sku: "A",
    price: lexeme("1.1"),
    weight: lexeme("2.5"),
    colour: "SILVER",
    size: { breadth: 3 },
  };
  const results: Readonly<Record<string, () => object>> = {
    "OrderService.PlaceOrder": () => ({ order: "7", total: lexeme("12.5"), items: [item] }),
    "OrderService.CancelOrder": () => ({ cancelled: true, refund: lexeme("12.5") }),
    "OrderService.Pay": () => ({ colour: "SILVER" }),
    "StockService.ReadCategory": () => ({ name: "x", children: [], colour: "SILVER" }),
    "StockService.ListItems": () => ({ items: [item] }),
    "StockService.ReadPacking": () => ({
      outer: packed,
      inner: [
        { kind: "crate", capacity: 3 },
        { kind: "bag", colour: "SILVER" },
        { kind: "bag", colour: null },
      ],
    }),
    "StockService.Reserve": () => ({
      reservation: String(taken.length),
      colour: "SILVER",
      price: lexeme("1.5"),
    }),
    FindItem: () => item,
  };
  const handlers = Object.fromEntries(
    Object.entries(results).map(([method, result]): [string, AnyHandler] => [
      method,
      async (payload) => {
        taken.push({ method, payload: JSON.parse(JSON.stringify(payload)) });
        if (refusing !== undefined) throw refusing;
        return result();
      },
    ]),
  );
  const pipeline = createPipeline({
    interfaceDescriptor: shop,
    handlers,
    revisions: served,
    realm: "ledger",
    ports: {
      store,
      clock,
      ids: idSource(clock),
      sealer: sealer(Buffer.alloc(32, 1)),
      policy: {
        interfaces: ["ledger"],
        subscriptionsPerUserMax: 1_000,
        httpCallbacks: false,
      },
    },
    auth: signedEnvelope(),
    callers: createCallers({ store, clock }),
    verifier: createVerifier(),
    log: { error: () => undefined },
    eventSource: "shop",
    rules,
  });
  metrics = createMetrics();
  const logger = pino({ level: "silent" });
  service = await serveHttp({
    host: "127.0.0.1",
    port: 0,
    pipeline,
    logger,
    metrics,
    ready: async () => undefined,
  });
}

function afterEachTest(): void {
  afterEach(() => service.close(0));
}

function lexeme(text: string) {
  return { lexeme: text, toJSON: () => Number(text) };
}

interface Asked {
  readonly revision?: string | undefined;
  readonly id?: string;
  readonly userName?: string;
  readonly path?: string;
}

async function call(
  method: string,
  payload: object,
  { revision, id = "1", userName = "una", path }: Asked,
): Promise<Answered> {
  const text = JSON.stringify(payload);
  const api = {
    credential: credentialOf(userName),
    keyId: `key of ${userName}`,
    signature: signatureOf(text),
  };
  return await post(
    `{"id":"${id}","method":"${method}","params":{"api":${JSON.stringify(api)},"payload":${text}}}`,
    revision,
    {},
    path,
  );
}

async function flat(payload: object, revision: string): Promise<Answered> {
  const text = JSON.stringify(payload);
  return await post(text, revision, {
    Authorization: credentialOf("una"),
    Signature: `keyId=key of una,algorithm=ecdsa-sha256,signature=${signatureOf(text)}`,
  });
}

async function post(
  body: string,
  revision?: string,
  more: Readonly<Record<string, string>> = {},
  path = "/jsonrpc",
): Promise<Answered> {
  const headers = {
    "Content-Type": "application/json",
    ...(revision === undefined ? {} : { "X-Interface-Revision": revision }),
    ...more,
  };
  const response = await fetch(`${service.url}${path}`, { method: "POST", headers, body });
  return {
    status: response.status,
    revision: response.headers.get("x-interface-revision"),
    json: await response.json(),
  };
}

function credentialOf(userName: string): string {
  return `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
}

function signatureOf(text: string): string {
  return sign("sha256", Buffer.from(text), key.privateKey).toString("base64");
}

function memberOf(module: unknown, name: string): unknown {
  return Reflect.get(Object(module), name);
}

function isDescriptor(value: unknown): value is SignedInterfaceDescriptor {
  return typeof value === "object" && value !== null && "faults" in value;
}

function isRevision(value: unknown): value is ServedRevision {
  return typeof value === "object" && value !== null && "events" in value && "methods" in value;
}
