import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { webhooks } from "../../generated/ledger/client/webhooks.ts";
import { OperatorClient } from "../../generated/operator/client/index.ts";
import { PartnerClient } from "../../generated/partner/client/index.ts";
import { listen, type ListenOptions } from "../../tools/listen/listen.ts";
import { trigger, type TriggerOptions } from "../../tools/listen/trigger.ts";
import { processSurroundings, terminalIn } from "../../generator/cli/terminal.ts";
import { startReceiver } from "./receiver.ts";
import { startServer, type RunningServer } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "listen-"));
const access = join(folder, "access.json");
const env = { LEDGER_PARTNER_INTERFACE: "on" };
let server: RunningServer;
let subscriptionId: string;

beforeAll(async () => {
  server = await startServer(folder, env);
  const { samples } = server.access;
  // The demo data has some, with events of their own.
  const { subscriptions } = await operator().listSubscriptions({});
  for (const seeded of subscriptions)
    await operator().deleteSubscription({ subscriptionId: seeded.subscriptionId });
  const wanted = { events: ["Account.UPDATE" as const], groupId: [samples.accountNumber] };
  // Nothing listens there: the receiver of these tests is out of the service's reach.
  const made = await partner().createSubscription({
    name: "Behind a firewall",
    callbackUrl: "http://127.0.0.1:9/",
    ...wanted,
  });
  ({ subscriptionId } = made);
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

function partner(): PartnerClient {
  const { baseUrl, userName, apiKey, keyId, privateKeyPem } = server.access;
  return new PartnerClient({
    baseUrl,
    credential: { userName, apiKey },
    signer: { keyId, privateKey: privateKeyPem },
  });
}

function operator(): OperatorClient {
  const { userName, apiKey, keyId, privateKeyPem } = server.access.operator;
  return new OperatorClient({
    baseUrl: server.access.operatorUrl,
    credential: { userName, apiKey },
    signer: { keyId, privateKey: privateKeyPem },
  });
}

interface Listener {
  readonly lines: readonly string[];
  /** Resolves once a line with this text was written. */
  said(text: string): Promise<void>;
  /** The exit code. */
  readonly ended: Promise<number>;
  stop(): Promise<number>;
}

function listening(options: ListenOptions): Listener {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const say = (text: string): void => {
    lines.push(text);
    for (const check of waiting) check();
  };
  const controller = new AbortController();
  const ended = listen(
    options,
    { ...terminalIn(processSurroundings(), false), print: say, note: say },
    controller.signal,
  );
  onTestFinished(() => controller.abort());
  return {
    lines,
    ended,
    said: (text) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (lines.some((line) => line.includes(text))) resolve();
        };
        waiting.add(check);
        check();
      }),
    async stop() {
      controller.abort();
      return ended;
    },
  };
}

test("a receiver that the service cannot reach gets its events, once and signed, also over a restart of the service", async () => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  // The service is at the same address after its restart, though it has another port.
  const front = createServer((socket) => {
    const behind = connect(Number(new URL(server.access.baseUrl).port), "127.0.0.1");
    socket.pipe(behind).pipe(socket);
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const)
      one.on("error", () => undefined).on("close", () => other.destroy());
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  onTestFinished(() => void front.close());
  const address = front.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { deliveryId: missed } = await partner().sendTestEvent({ subscriptionId });
  const listener = listening({
    forward: new URL(receiver.url),
    access,
    from: new URL(`http://127.0.0.1:${port}`),
    since: new Date(0),
  });
  await receiver.until(1);
  await server.stop();
  await listener.said("waiting for the service");
  server = await startServer(folder, env);
  const { deliveryId: later } = await partner().sendTestEvent({ subscriptionId });
  const received = await receiver.until(2);
  expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([missed, later]);
  const verifier = webhooks({ jwksUrl: `${server.access.baseUrl}/.well-known/jwks.json` });
  const [, last] = received;
  expect(await verifier.verify(last?.body ?? "", last?.headers ?? {})).toMatchObject({ subscriptionId });
  await listener.said(`Test ${later}: 204`);
  expect(await listener.stop()).toBe(0);
  expect(listener.lines).toContain("the service is back");
  expect(listener.lines.at(-1)).toBe("2 taken, 0 not taken");
});

test("without a time only what happens from now on is forwarded, and only the events that are wanted", async () => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  await partner().sendTestEvent({ subscriptionId });
  const listener = listening({ forward: new URL(receiver.url), access, subscription: [subscriptionId] });
  await listener.said("Posting Account.UPDATE, Test of a subscription of yours");
  const { deliveryId } = await partner().sendTestEvent({ subscriptionId });
  const [first] = await receiver.until(1);
  expect(first?.headers["webhook-id"]).toBe(deliveryId);
});

test.for([
  [{ subscription: ["nope"] }, "there is no subscription nope of yours"],
  [{ events: ["Acount.UPDATE"] }, "did you mean Account.UPDATE?"],
  [{ from: "operatorUrl" }, "start the service with its partner interface"],
  [{ key: "another" }, "INVALID_SIGNATURE"],
] as const)(
  "what cannot be listened to ends it: %j",
  async ([{ from, key, ...options }, reason]: readonly [
    { from?: "operatorUrl"; key?: string; subscription?: readonly string[]; events?: readonly string[] },
    string,
  ]) => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" });
    const other = join(folder, "other.json");
    writeFileSync(other, JSON.stringify({ ...server.access, ...(key !== undefined && { privateKeyPem }) }));
    const listener = listening({
      forward: new URL("http://127.0.0.1:9/"),
      access: other,
      ...options,
      ...(from !== undefined && { from: new URL(server.access[from]) }),
    });
    expect(await listener.ended).toBe(1);
    expect(listener.lines.join("\n")).toContain(reason);
  },
);

/** What `trigger` says, and its exit code. */
async function triggered(name: string | undefined, options: TriggerOptions): Promise<[number, string]> {
  const lines: string[] = [];
  const say = (text: string): void => void lines.push(text);
  const code = await trigger(name, options, {
    ...terminalIn(processSurroundings(), false),
    print: say,
    note: say,
  });
  return [code, lines.join("\n")];
}

test("trigger has the service send its test event to the caller's subscriptions", async () => {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const listener = listening({ forward: new URL(receiver.url), access });
  await listener.said("Posting");
  const [code, text] = await triggered(undefined, { access });
  expect([code, text]).toEqual([0, expect.stringMatching(/^Test \w{26}: to subscription \w{26}$/)]);
  const [first] = await receiver.until(1);
  expect(text).toContain(String(first?.headers["webhook-id"]));
});

test.for([
  ["Transaction.NEW", {}, "a service makes Transaction.NEW when it happens"],
  ["Test", { set: ["a=b"] }, "Test has no payload"],
  [undefined, { subscription: ["nope"] }, "there is no subscription nope of yours"],
] as const)("trigger says what a service cannot make: %j", async ([name, options, reason]) => {
  expect(await triggered(name, { access, ...options })).toEqual([1, expect.stringContaining(reason)]);
});

test("trigger says of a service that it is no mock", async () => {
  const from = new URL(server.access.baseUrl);
  expect(await triggered("Transaction.NEW", { from })).toEqual([1, expect.stringContaining("is no mock")]);
});

test("a key that is revoked ends it", async () => {
  const listener = listening({ forward: new URL("http://127.0.0.1:9/"), access });
  await listener.said("Posting");
  await operator().revokeKey({ KeyId: server.access.keyId });
  expect(await listener.ended).toBe(1);
  expect(listener.lines.at(-1)).toContain("NOT_FOUND_USER_DEVICE");
});
