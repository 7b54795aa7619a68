import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { webhooks } from "../../generated/ledger/client/webhooks.ts";
import { eventsOf } from "../../tools/listen/event-source.ts";
import { forward } from "../../tools/listen/listen.ts";
import { trigger, type TriggerOptions } from "../../tools/listen/trigger.ts";
import { processSurroundings, terminalIn } from "../../generator/cli/terminal.ts";
import { createMock, type EventLine } from "../../tools/mock/index.ts";
import { modelOf } from "../vectors/models.ts";

const model = modelOf("spec/ledger");
const servers: Server[] = [];
const listening = new AbortController();

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function served(server: Server): Promise<URL> {
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const address = server.address();
  return new URL(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
}

async function started(): Promise<{ origin: URL; next: () => Promise<EventLine> }> {
  const options = { errors: new Map(), faults: new Map(), latencyMs: { least: 0, most: 0 }, seed: 7 };
  const origin = await served(createMock(model, options));
  const events = (await eventsOf(origin, listening.signal)).events[Symbol.asyncIterator]();
  return { origin, next: async () => (await events.next()).value };
}

async function triggered(
  name: string | undefined,
  options: TriggerOptions,
): Promise<{ code: number; said: string }> {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const terminal = terminalIn(processSurroundings(), false);
  const code = await trigger(name, options, { ...terminal, print: say, note: say });
  return { code, said: said.join("\n") };
}

async function receiver(listener: RequestListener): Promise<URL> {
  return await served(createServer(listener));
}

describe("the events of a mock", () => {
  test("fit the client's verifier, by the secret and by the public keys", async () => {
    const { origin, next } = await started();
    const set = ["Status=COMPLETED", "InstructedAmount.Amount=12.5"];
    expect((await triggered("Transaction.NEW", { from: origin, set })).code).toBe(0);
    const { body, headers } = await next();
    const { head } = await eventsOf(origin, listening.signal);
    for (const known of [{ secret: head.secret }, { jwksUrl: new URL(head.keySet, origin).href }]) {
      expect(await webhooks(known).verify(body, headers)).toMatchObject({
        eventName: "Transaction.NEW",
        payload: { Status: "COMPLETED", InstructedAmount: { Currency: "USD" } },
      });
      await expect(webhooks(known).verify(body.replace("USD", "EUR"), headers)).rejects.toThrow("signature");
    }
  });

  test("come of the calls that cause them, and say what the answer said", async () => {
    const { origin, next } = await started();
    const payload = { customerID: "cust-77", name: "n", accountType: "CHECKING", currency: "USD" };
    const answer = await fetch(new URL("/jsonrpc", origin), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: "1", method: "CustomerService.AddAccount", params: { api: {}, payload } }),
    });
    expect(await answer.json()).toMatchObject({ result: { customerID: "cust-77" } });
    expect(JSON.parse((await next()).body)).toMatchObject({
      eventName: "Account.NEW",
      payload: { customerID: "cust-77" },
    });
  });

  test("have texts where their types are texts, whatever the texts look like", async () => {
    const { origin, next } = await started();
    await triggered("Account.NEW", { from: origin, set: ["number=0123"] });
    expect(JSON.parse((await next()).body)).toMatchObject({ groupId: ["0123"], payload: { number: "0123" } });
  });

  test.for([
    ["Acount.NEW", [], "did you mean Account.NEW?"],
    ["Account.NEW", ["Number=1"], "no field Number: did you mean number?"],
    ["Account.NEW", ["status=BLOKED"], "/status: expected one of CREATED, ACTIVE"],
    ["Account.NEW", ["status"], "--set status: write <field>=<value>"],
  ] as const)("that cannot be are refused: %s %s", async ([name, set, hint]) => {
    const { origin } = await started();
    const { code, said } = await triggered(name, { from: origin, set });
    expect(code).toBe(1);
    expect(said).toContain(hint);
  });

  test("take fields from a file, which holds an object", async () => {
    const { origin, next } = await started();
    const folder = mkdtempSync(join(tmpdir(), "trigger-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [payload, list] = [join(folder, "payload.json"), join(folder, "list.json")];
    writeFileSync(payload, '{"number":"77"}');
    writeFileSync(list, "[]");
    expect(await triggered("Account.NEW", { from: origin, payload })).toMatchObject({ code: 0 });
    expect(JSON.parse((await next()).body)).toMatchObject({ payload: { number: "77" } });
    const refused = await triggered("Account.NEW", { from: origin, payload: list });
    expect(refused).toEqual({ code: 1, said: `error: ${list} holds no JSON object` });
  });

  test.for([
    ["Account.NEW", {}, "a service makes Account.NEW when it happens"],
    ["Test", { set: ["a=1"] }, "Test has no payload: --set and --payload are for a mock"],
    ["Test", { payload: "a.json" }, "Test has no payload"],
  ] as const)("are not asked of a service: %s %j", async ([name, options, hint]) => {
    const { code, said } = await triggered(name, { ...options, access: "none.json" });
    expect(code).toBe(1);
    expect(said).toContain(hint);
  });

  test("are asked of a mock alone", async () => {
    const other = await receiver((_request, response) => void response.writeHead(404).end("<html>"));
    const asked = await triggered("Account.NEW", { from: other });
    expect(asked.code).toBe(1);
    expect(asked.said).toContain(`what answers at ${other.origin} is no mock`);
    const [gone] = servers.splice(-1);
    gone?.closeAllConnections();
    await new Promise((resolve) => gone?.close(resolve));
    expect((await triggered("Account.NEW", { from: other })).said).toContain(
      `nothing answers at ${other.origin}: start ledger-rpc mock`,
    );
  });

  test("are listed by trigger without a name", async () => {
    const { origin } = await started();
    const { said } = await triggered(undefined, { from: origin });
    expect(said.split("\n")).toEqual(model?.events.map(({ name }) => name));
  });

  test("are refused to one listener too many", async () => {
    const { origin } = await started();
    for (let n = 1; n < 16; n += 1) await eventsOf(origin, listening.signal);
    await expect(eventsOf(origin, listening.signal)).rejects.toThrow("503");
  });
});

describe("listen", () => {
  const event: EventLine = { name: "A", headers: { "webhook-id": "1" }, body: '{"a":"é"}' };
  const { signal } = listening;

  test("posts again what a receiver does not take, the same bytes by the same id", async () => {
    const received: string[] = [];
    const to = await receiver(async (request, response) => {
      const chunks = await request.setEncoding("utf8").toArray();
      received.push(`${String(request.headers["webhook-id"])} ${chunks.join("")}`);
      response.writeHead(received.length < 3 ? 500 : 204).end();
    });
    const failures: string[] = [];
    const failed = (outcome: string): void => void failures.push(outcome.slice(0, 3));
    const { isTaken, attempts } = await forward(event, to, signal, failed, [0, 0, 0]);
    expect([isTaken, attempts, failures]).toEqual([true, 3, ["500", "500"]]);
    expect(new Set(received)).toEqual(new Set(['1 {"a":"é"}']));
  });

  test("gives up after three more attempts, and does not follow a redirect", async () => {
    const to = await receiver((_request, response) => {
      response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
    });
    const given = await forward(event, to, signal, () => undefined, [0, 0, 0]);
    expect(given).toMatchObject({ isTaken: false, attempts: 4 });
    expect(given.outcome).toMatch(/^302 /);
  });
});
