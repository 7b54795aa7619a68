import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isTemporary, mayHaveHappened, failureText } from "../../web/shared/failure.ts";
import { elementsOf, installSmallDom, SmallElement } from "./small-dom.ts";
import { until } from "../until.ts";

let body: SmallElement;

beforeAll(() => {
  // What a page repeats ends with its window, not with a test.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  body = installSmallDom();
});
// Other files run in the same process: a client that finds a document takes it for a browser's.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A module of the pages: its types are those of browsers. */
async function pageModule<Module>(path: string): Promise<Module> {
  return import(new URL(`../../web/${path}`, import.meta.url).href);
}

interface Page {
  show(context: object): void;
}

const ended = AbortSignal.abort();
const enums: Readonly<Record<string, readonly string[]>> = {
  DeliveryState: ["PENDING", "DEAD"],
  MailState: ["SENT", "FAILED"],
  AuditSubject: ["customer"],
};
const schema = { of: (name: string) => ({ enum: enums[name] ?? [] }) };

/** Shows a page, and what it asks the service for, which gives this answer; or none. */
function open(page: Page, args: readonly string[], answer: Promise<object>) {
  const asked: unknown[] = [];
  const client = new Proxy(
    {},
    {
      get: (_target, method) => (payload: unknown) => {
        asked.push([method, payload]);
        return answer;
      },
    },
  );
  const main = new SmallElement("main");
  const session = { client, schema, userName: "ana", scopes: ["*"], suggest: () => () => undefined };
  page.show({ session, main, args, signal: ended, refresh: () => undefined });
  return { asked, main };
}

const bankPages = new Set(["accounts", "customers", "transactions"]);

test.for([
  ["deliveries", [], ["listDeliveries", { pageSize: 50 }]],
  ["deliveries", ["in", "DEAD"], ["listDeliveries", { pageSize: 50, state: "DEAD" }]],
  ["deliveries", ["in", "NOPE"], ["listDeliveries", { pageSize: 50 }]],
  ["deliveries", ["of", "s1"], ["listDeliveries", { pageSize: 50, subscriptionId: "s1" }]],
  ["deliveries", ["d1"], ["getDelivery", { deliveryId: "d1" }]],
  ["mails", [], ["listMails", { pageSize: 50 }]],
  ["mails", ["in", "FAILED"], ["listMails", { pageSize: 50, state: "FAILED" }]],
  ["mails", ["m1"], ["getMail", { mailId: "m1" }]],
  ["accounts", [], ["listAccounts", { pageNumber: 1, pageSize: 25 }]],
  ["accounts", ["page", "3", "x = 1"], ["listAccounts", { pageNumber: 3, pageSize: 25, filter: "x = 1" }]],
  ["accounts", ["77"], ["getAccount", { accountNumber: "77" }]],
  ["customers", [], ["listCustomers", { pageSize: 50 }]],
  ["users", [], ["listUsers", { pageSize: 50 }]],
  ["users", ["ana"], ["getUser", { userName: "ana" }]],
  ["transactions", ["r1"], ["getTransaction", { ReferenceId: "r1" }]],
  [
    "transactions",
    ["search", "from=2026-01-02&to=2026-01-02"],
    [
      "searchTransactions",
      {
        pageSize: 50,
        from: new Date("2026-01-02T00:00").toISOString(),
        to: new Date("2026-01-03T00:00").toISOString(),
      },
    ],
  ],
  ["subscriptions", [], ["listSubscriptions", { pageSize: 50 }]],
  ["subscriptions", ["s1"], ["getSubscription", { subscriptionId: "s1" }]],
  [
    "audit",
    ["customer", "c1"],
    ["listAudit", { pageSize: 50, order: "NEWEST", subject: "customer", subjectId: "c1" }],
  ],
] as const)("the console's page %s with %j asks for %j first", async ([page, args, call]) => {
  const module = await pageModule<Readonly<Record<string, Page>>>(
    `${bankPages.has(page) ? "operator" : "console"}/pages/${page}.ts`,
  );
  const { asked } = open(module[`${page}Page`] ?? expect.fail(page), args, new Promise(() => undefined));
  expect(asked[0]).toEqual(call);
});

test.for(["console", "partner"])("the %s's subscriptions say all that waits", async (site) => {
  const { subscriptionsPage } = await pageModule<{ subscriptionsPage: Page }>(
    `${site}/pages/subscriptions.ts`,
  );
  const statistics = {
    delivered: 1,
    failedAttempts: 2,
    deadLetters: 3,
    pending: 10,
    waiting: 200,
    held: 4_000,
  };
  const subscription = { subscriptionId: "s1", name: "Desk", userName: "ana", callbackUrl: "u", statistics };
  const answer = { subscriptions: [{ ...subscription, enabled: true }] };
  const { main } = open(subscriptionsPage, [], Promise.resolve(answer));
  await until(() => elementsOf(main, "td").length > 0);
  const cells = elementsOf(main, "td").map(
    (cell) => [cell.attributes.get("data-title"), cell.textContent] as const,
  );
  expect(Object.fromEntries(cells)).toMatchObject({ Delivered: "1", Waiting: "4210", "Dead letters": "3" });
});

test.for([
  ["number", "12.50", 12.5],
  ["number", "12,5", "12,5"],
  ["number", "1e999", "1e999"],
  ["number", " ", " "],
  ["integer", "9007199254740991", 9_007_199_254_740_991],
  ["integer", "9007199254740993", "9007199254740993"],
  ["integer", "1.5", "1.5"],
  ["string", "007", "007"],
  ["string", "", undefined],
  ["boolean", "true", true],
  ["boolean", "false", false],
] as const)("a field for a %s reads %j as %j", async ([type, typed, value]) => {
  interface Form {
    scalarField(builder: object, field: object, schema: object, initial: undefined, pointer: string): Control;
  }
  interface Control {
    readonly element: SmallElement;
    read(): unknown;
  }
  const { scalarField } = await pageModule<Form>("shared/form-control.ts");
  const field = { name: "x", doc: "", required: true };
  const builder = { places: new Map(), changed: () => undefined };
  const { element, read } = scalarField(builder, field, { type }, undefined, "/x");
  const [input] = elementsOf(element, type === "boolean" ? "select" : "input");
  if (input !== undefined) input.value = typed;
  expect(read()).toBe(value);
});

test.each([
  ["businessNameLegal", "Business name legal"],
  ["addressLine2", "Address line 2"],
  ["callbackUrl", "Callback URL"],
  ["CustomerId", "Customer ID"],
  ["customerIds 2", "Customer IDs 2"],
  ["uSCorrespondentBankID", "US correspondent bank ID"],
  ["KeyId", "Key ID"],
  ["name", "Name"],
])("a field called %s is labelled %s", async (name, label) => {
  const { humanLabel } = await pageModule<{ humanLabel(field: object): string }>("shared/labels.ts");
  expect(humanLabel({ name })).toBe(label);
});

test("a form calls a field by the label of its own schema, and not by the title of its type", async () => {
  interface Schemas {
    fieldsOf(document: object, schema: object, value: object): { name: string; label?: string }[];
  }
  const { fieldsOf } = await pageModule<Schemas>("shared/schema.ts");
  const { humanLabel } = await pageModule<{ humanLabel(field: object): string }>("shared/labels.ts");
  const typed = { type: "string", title: "A number of seconds" };
  const document = { of: () => typed, resolved: (schema: object) => ("$ref" in schema ? typed : schema) };
  const properties = {
    overlapSeconds: { $ref: "#/$defs/Seconds", title: "Overlap in seconds" },
    idleSeconds: { $ref: "#/$defs/Seconds" },
  };
  const fields = fieldsOf(document, { type: "object", properties }, {});
  expect(fields.map(humanLabel)).toEqual(["Overlap in seconds", "Idle seconds"]);
});

test("a batch is sent while the service takes so many calls", async () => {
  interface Batches {
    createBatch(max: number): Batch;
  }
  interface Batch {
    addButton(take: (add: (call: object) => void) => void): SmallElement;
    view(send: () => void): SmallElement;
  }
  const { createBatch } = await pageModule<Batches>("try/batch.ts");
  const batch = createBatch(2);
  const add = batch.addButton((addCall) => addCall({ operation: { name: "get" }, payload: {} }));
  const view = batch.view(() => undefined);
  const maySend: boolean[] = [];
  for (let calls = 1; calls <= 3; calls += 1) {
    add.dispatchEvent(new Event("click"));
    maySend.push(view.textContent.includes("Send the batch"));
  }
  expect(maySend).toEqual([true, true, false]);
});

const failureOf = (fields: object, errorName = "Error") =>
  Object.assign(new Error("it failed"), { name: errorName, ...fields });

test.for([
  [{ code: "UNAVAILABLE" }, true, false],
  [{ code: "RATE_LIMITED" }, true, false],
  [{ code: "CONFLICT", status: 503 }, false, false],
  [{ status: 429 }, true, false],
  [{ status: 500 }, true, false],
  [{ status: 404 }, false, false],
  [{ name: "NetworkError" }, true, true],
  [{ name: "TimeoutError" }, true, true],
  [{ name: "UnreadableResponseError", status: 200 }, false, true],
] as const)("of the failure %j: may pass %j, may have happened %j", ([fields, passes, happened]) => {
  const failure = failureOf(fields, "name" in fields ? fields.name : undefined);
  expect([isTemporary(failure), mayHaveHappened(failure)]).toEqual([passes, happened]);
});

test.for([
  [{ code: "INVALID_SIGNATURE" }, "The service does not take your key any more: it failed."],
  [{ code: "CONFLICT", data: { reason: "too-many-keys" } }, "it failed (too-many-keys)"],
  [
    { code: "BAD_INPUT", data: { column: 10, message: "no such field" } },
    "it failed at column 10: no such field",
  ],
  [{ code: "RATE_LIMITED", retryAfter: 3 }, "it failed; try again in 3 s"],
] as const)("of the failure %j a page says %j", ([fields, words]) => {
  expect(failureText(failureOf(fields))).toBe(words);
});

test("a form that is sent again is the same request where its answer was lost, and else another one", async () => {
  interface Buttons {
    operationButton(session: object, name: string, options: object): SmallElement;
  }
  const { operationButton } = await pageModule<Buttons>("shared/operation-button.ts");
  const ids: string[] = [];
  const failures = [
    failureOf({}, "NetworkError"),
    failureOf({ code: "UNAVAILABLE" }),
    failureOf({}, "TimeoutError"),
  ];
  const client = {
    call: async (_name: string, _payload: object, { id }: { readonly id: string }) => {
      ids.push(id);
      throw failures[ids.length - 1] ?? failureOf({ code: "CONFLICT" });
    },
  };
  const schema = { of: () => ({}), resolved: (given: object) => given };
  const validators = new URL("../../generated/operator/validators/payloads.js", import.meta.url);
  const session = { client, schema, validators };
  const fixed = { subscriptionId: "01KAFZK5D7F9H1M3P5R7T9V1X3" };
  operationButton(session, "DeleteSubscription", { label: "Delete", fixed }).dispatchEvent(
    new Event("click"),
  );
  await until(() => elementsOf(body, "form").length > 0);
  const [form] = elementsOf(body, "form");
  for (let times = 1; times <= 4; times += 1) {
    form?.dispatchEvent(new Event("submit", { cancelable: true }));
    // Until the failure is shown, the button is disabled.
    await until(() => ids.length === times && elementsOf(body, "button").every(({ disabled }) => !disabled));
  }
  const [lost, again, refused, lostAgain] = ids;
  expect(again).toBe(lost);
  expect(refused).not.toBe(again);
  expect(lostAgain).toBe(refused);
});

test.for([
  [24, true],
  [25, false],
] as const)("of a page of %i accounts it is said that it is the last: %j", async ([count, isLast]) => {
  const { accountsPage } = await pageModule<{ accountsPage: Page }>("operator/pages/accounts.ts");
  const accounts = Array.from({ length: count }, (_, index) => ({ number: String(index), status: "ACTIVE" }));
  const { main } = open(accountsPage, [], Promise.resolve({ accounts }));
  await until(() => elementsOf(main, "td").length > 0);
  const next = elementsOf(main, "button").find(({ textContent }) => textContent === "Next");
  expect(next?.attributes.has("disabled")).toBe(isLast);
});

test("what is read once for all is read again after a failure", async () => {
  const { once } = await pageModule<{ once<T>(read: () => Promise<T>): () => Promise<T> }>("shared/page.ts");
  let reads = 0;
  const read = once(async () => {
    reads += 1;
    if (reads === 1) throw new Error("gone");
    return reads;
  });
  await expect(read()).rejects.toThrow("gone");
  expect([await read(), await read(), reads]).toEqual([2, 2, 2]);
});

test.for([
  [1249.5, "USD", "USD\u00a01,249.50"],
  [-3, "JPY", "-JPY\u00a03"],
  ["123456789012345678.12", "USD", "USD\u00a0123,456,789,012,345,678.12"],
  ["-1234567.1255", "BHD", "-BHD\u00a01,234,567.1255"],
  [1e-7, "USD", "USD\u00a00.0000001"],
  [0, "", "0.00"],
  [12, "points", "12.00 points"],
] as const)("the amount %j in %j is shown as %j", async ([amount, currency, shown]) => {
  const { money } = await pageModule<{ money(amount: unknown, currency: string): string }>("shared/view.ts");
  expect(money(amount, currency)).toBe(shown);
});

test("a time has its zone, and says on hover what it is in UTC", async () => {
  const { time } = await pageModule<{ time(text: string): SmallElement }>("shared/view.ts");
  const shown = time("2026-02-03T10:20:30+02:00");
  expect(shown.attributes.get("title")).toBe("2026-02-03T08:20:30.000Z");
  expect(shown.textContent).toMatch(/2026.*:20:30.*(?:[A-Z]{3}|GMT[+-]\d+)/);
});

test("a chart has round lines behind it, and is read by arrow keys, to the last digit", async () => {
  interface Charts {
    timeChart(title: string, points: readonly object[]): SmallElement;
  }
  const { timeChart } = await pageModule<Charts>("shared/chart.ts");
  const texts = ["USD 0.00", "USD 9,007,199,254,740.993", "USD 9,007,199,254,740.994"];
  const points = texts.map((text, index) => ({ at: index * 86_400_000, value: index * 4_800, text }));
  const [picture] = elementsOf(timeChart("Balance", points), "svg");
  if (picture === undefined) expect.fail("there is no picture");
  const lines = elementsOf(picture, "g").slice(0, -1);
  expect(lines.map(({ textContent }) => textContent)).toEqual(["0", "5K", "10K"]);
  const read = (key: string): string | undefined => {
    picture.dispatchEvent(Object.assign(new Event("keydown"), { key }));
    return picture.attributes.get("aria-valuetext")?.replace(/, [^,]*$/, "");
  };
  expect(["Tab", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight", "End"].map(read)).toEqual(
    [2, 1, 0, 0, 1, 2].map((index) => texts[index]),
  );
});

test.for([
  [{ result: 1 }, { result: 1 }],
  [{ result: null, error: { code: 1 } }, { error: { code: 1 } }],
  [{ result: 1, error: null }, { result: 1 }],
  [
    { result: 1, error: { code: 1 } },
    { problem: "The answer has both a result and an error for get, so it is none." },
  ],
  [{}, { problem: "The answer has nothing for get." }],
  ["text", { problem: "The answer has nothing for get." }],
] as const)("the answer %j is the outcome %j", async ([answer, outcome]) => {
  interface Outcomes {
    outcomeOf(operation: object, answer: unknown, members: object): object;
  }
  const { outcomeOf } = await pageModule<Outcomes>("try/tried.ts");
  const operation = { name: "get" };
  const own = { result: "result", error: "error" };
  expect(outcomeOf(operation, answer, own)).toEqual({ operation, ...outcome });
  const framed: unknown = JSON.parse(
    JSON.stringify(answer).replace('"result"', '"ok"').replace('"error"', '"fail"'),
  );
  expect(outcomeOf(operation, framed, { result: "ok", error: "fail" })).toEqual({ operation, ...outcome });
});

test("a program for a shell holds any text as one word", async () => {
  const { quoted } = await pageModule<{ quoted(text: string): string }>("try/request-text.ts");
  const text = `it's "$HOME" \\ \`id\` !`;
  expect(execFileSync("sh", ["-c", `printf %s ${quoted(text)}`], { encoding: "utf8" })).toBe(text);
});
