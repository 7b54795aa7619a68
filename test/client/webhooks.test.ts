import { generateKeyPairSync, sign } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { money } from "../../generated/ledger/client/index.ts";
import { memberText } from "../../generated/ledger/client/webhook-verifier.ts";
import {
  webhooks,
  type VerificationJwk,
  type WebhookOptions,
} from "../../generated/ledger/client/webhooks.ts";
import {
  notificationBody,
  notificationHead,
  notificationHeaders,
  readSecret,
  webhookPrefix,
  webhookSignature,
} from "../../runtime/events/signing/signed-notification.ts";
import { fc } from "../seed.ts";
import { timersByHand } from "../timers-by-hand.ts";
import { until } from "../until.ts";

const payloadKey = generateKeyPairSync("ec", { namedCurve: "P-256" });
const webhookKey = generateKeyPairSync("ed25519");
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" });
const keys: readonly VerificationJwk[] = [payloadKey, webhookKey].map(({ publicKey }) =>
  publicKey.export({ format: "jwk" }),
);
const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const oldSecret = `whsec_${Buffer.alloc(24, 8).toString("base64")}`;
const payloadJson = '{"id":"1","number":"100","balance":15230.20,"name":"ü }{\\"payload\\":\\" "}';

interface Sent {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** What the service posts. */
function sent({
  by = payloadKey.privateKey,
  at = Date.now(),
  secrets = [secret],
  name = "Account.NEW",
} = {}): Sent {
  const event = { id: "e-1", name, source: "core", payloadJson, createdAt: 1_790_000_000_000 };
  const delivery = { subscriptionId: "s-1", topics: ["100"], sequence: 4 };
  const signature = sign("sha256", Buffer.from(payloadJson), by).toString("base64");
  const body = notificationBody(notificationHead(event, delivery), payloadJson, signature);
  return posted(at, body, secrets);
}

function posted(at: number, text: string, secrets: readonly string[]): Sent {
  const body = Buffer.from(text);
  const bytes = Buffer.concat([Buffer.from(webhookPrefix("d-1", at)), body]);
  const signature = webhookSignature(bytes, secrets.map(readSecret), webhookKey.privateKey);
  return { body, headers: webhookHeaders(notificationHeaders("tests", "d-1", at, signature)) };
}

/** Those that authenticate, of names and values in turns. */
function webhookHeaders(list: readonly string[]): Readonly<Record<string, string>> {
  const entries = list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? ""]] : []));
  return Object.fromEntries(entries.filter(([name]) => name?.startsWith("webhook-")));
}

const verified = async (options: WebhookOptions, { body, headers }: Sent) =>
  await webhooks(options).verify(body, headers);

describe("a notification", () => {
  test("gives its event, told apart by name, with every digit", async () => {
    const event = await verified({ secret, keys }, sent());
    expect(event).toMatchObject({
      eventId: "e-1",
      groupId: ["100"],
      sequence: 4,
      timestamp: new Date(1_790_000_000_000).toISOString(),
    });
    if (event.eventName !== "Account.NEW") throw new Error("another event");
    expect(event.payload.balance).toBe(15230.2);
    expect(money.digits(event.payload, "balance")).toBe("15230.20");
  });

  test("of a kind that only a newer service knows comes through", async () => {
    const event = await verified({ secret, keys }, sent({ name: "Account.FROZEN" }));
    expect(event).toMatchObject({ eventName: "Account.FROZEN", eventId: "e-1" });
  });

  test("is taken as bytes or text, with headers as a Request or Node has them", async () => {
    const { body, headers } = sent();
    const verifier = webhooks({ secret });
    expect((await verifier.verify(body.toString(), new Headers(headers))).eventId).toBe("e-1");
    const copy = new Uint8Array(body).buffer;
    expect((await verifier.verify(copy, { ...headers, host: "x", accept: ["a", "b"] })).eventId).toBe("e-1");
  });

  test("is verified whatever the case of the headers' names, and by lists of one value", async () => {
    const { body, headers } = sent();
    const verifier = webhooks({ secret });
    const inCase = (change: (name: string) => string) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]));
    const titled = inCase((name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()));
    expect(Object.keys(titled)).toContain("Webhook-Id");
    const listed = Object.fromEntries(Object.entries(titled).map(([name, value]) => [name, [value]]));
    for (const given of [titled, inCase((name) => name.toUpperCase()), listed])
      expect((await verifier.verify(body, given)).eventId).toBe("e-1");
  });

  test("with a header that says two things is refused", async () => {
    const { body, headers } = sent();
    const id = headers["webhook-id"] ?? "";
    for (const twice of [{ "webhook-id": [id, id] }, { "Webhook-Id": "another" }, { "webhook-id": [] }])
      await expect(webhooks({ secret }).verify(body, { ...headers, ...twice })).rejects.toMatchObject({
        fault: "header-missing",
        message: "the header webhook-id is missing, or there several times",
      });
  });

  test("is verified by either secret during a rotation, and by the public keys alone", async () => {
    await verified({ secret: [secret, oldSecret] }, sent({ secrets: [oldSecret] }));
    await verified({ secret: oldSecret }, sent({ secrets: [secret, oldSecret] }));
    await verified({ keys }, sent({ secrets: [] }));
  });

  test("with another sender's signature is refused", async () => {
    const forged = verified({ secret: oldSecret }, sent());
    await expect(forged).rejects.toMatchObject({ name: "WebhookError", fault: "signature-invalid" });
    const { body, headers } = sent();
    const tampered = Buffer.from(body.toString().replace("15230.20", "99999.20"));
    await expect(verified({ secret, keys }, { body: tampered, headers })).rejects.toMatchObject({
      fault: "signature-invalid",
    });
    // Whoever holds the secret alone signs no payload.
    const insider = verified({ secret, keys }, sent({ by: stranger.privateKey }));
    await expect(insider).rejects.toMatchObject({ fault: "payload-signature-invalid" });
  });

  test("of another time is refused, earlier or later", async () => {
    const now = Math.floor(Date.now() / 1_000) * 1_000;
    for (const at of [now - 300_000, now + 300_000]) await verified({ secret, now: () => now }, sent({ at }));
    for (const at of [now - 301_000, now + 301_000]) {
      await expect(verified({ secret, now: () => now }, sent({ at }))).rejects.toMatchObject({
        fault: "out-of-time",
      });
      await verified({ secret, now: () => now, toleranceSeconds: 400 }, sent({ at }));
    }
    const { body, headers } = sent();
    const never = { ...headers, "webhook-timestamp": "yesterday" };
    await expect(verified({ secret }, { body, headers: never })).rejects.toMatchObject({
      fault: "out-of-time",
    });
  });

  test("without its headers, or that is none, is refused", async () => {
    const { body, headers } = sent();
    for (const name of Object.keys(headers)) {
      const rest = Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name));
      await expect(verified({ secret }, { body, headers: rest })).rejects.toMatchObject({
        fault: "header-missing",
      });
    }
    for (const text of ["", "[]", "{}", '{"eventId":"1"}', '{"payload":{}}', "\u{FEFF}{}"]) {
      const signed = posted(Date.now(), text, [secret]);
      await expect(verified({ secret }, signed), text).rejects.toMatchObject({ fault: "body-unreadable" });
    }
  });

  test("needs something to be verified by", () => {
    expect(() => webhooks({})).toThrow("secret, jwksUrl or keys is missing");
    expect(() => webhooks({ secret: "hunter2" })).toThrow("whsec_");
  });
});

describe("fetched keys", () => {
  let published: readonly VerificationJwk[] = [];
  let fetches = 0;
  let nowMs = 0;
  let isDown = false;
  beforeEach(() => {
    nowMs = Date.now();
    fetches = 0;
    isDown = false;
    published = keys;
  });
  const options: WebhookOptions = {
    jwksUrl: "https://bank.example/.well-known/jwks.json",
    now: () => nowMs,
    toleranceSeconds: 1e6,
    fetch: async () => {
      fetches += 1;
      if (isDown) throw new TypeError("fetch failed");
      return Response.json({ keys: published });
    },
  };

  test("are kept, shared, fetched anew when none fits, and outlive a service that is away", async () => {
    const verifier = webhooks(options);
    const { body, headers } = sent({ secrets: [] });
    await Promise.all([verifier.verify(body, headers), verifier.verify(body, headers)]);
    expect(fetches).toBe(1);
    nowMs += 299_000;
    await verifier.verify(body, headers);
    expect(fetches).toBe(1);
    nowMs += 2000;
    isDown = true;
    await verifier.verify(body, headers);
    expect(fetches).toBe(2);
    isDown = false;

    const rotated = webhooks(options);
    published = [];
    await expect(rotated.verify(body, headers)).rejects.toMatchObject({ fault: "signature-invalid" });
    const before = fetches;
    await expect(rotated.verify(body, headers)).rejects.toMatchObject({ fault: "signature-invalid" });
    expect(fetches, "forgeries do not make it fetch").toBe(before);
    published = keys;
    nowMs += 31_000;
    await rotated.verify(body, headers);
    expect(fetches).toBe(before + 1);
  });

  test("are not asked for by every notification while they cannot be fetched", async () => {
    isDown = true;
    const verifier = webhooks(options);
    const { body, headers } = sent({ secrets: [] });
    for (let at = 0; at < 20; at += 1)
      await expect(verifier.verify(body, headers)).rejects.toThrow("fetch failed");
    expect(fetches).toBe(1);
    isDown = false;
    nowMs += 6000;
    await Promise.all(Array.from({ length: 20 }, () => verifier.verify(body, headers)));
    expect(fetches).toBe(2);
    isDown = true;
    nowMs += 301_000;
    for (let at = 0; at < 20; at += 1) await verifier.verify(body, headers);
    expect(fetches, "stale keys are used, and the service is left alone").toBe(3);
  });

  test("are used at once while new ones are fetched, for an hour; then new ones are waited for", async () => {
    let isHanging = false;
    const fetch: WebhookOptions["fetch"] = async (url, init) =>
      isHanging ? new Promise<Response>(() => {}) : ((await options.fetch?.(url, init)) ?? Response.error());
    const verifier = webhooks({ ...options, fetch, keysTimeoutMs: 100_000 });
    const { body, headers } = sent({ secrets: [] });
    await verifier.verify(body, headers);
    isHanging = true;
    nowMs += 301_000;
    // Would wait for as long as the test may take.
    await Promise.all([verifier.verify(body, headers), verifier.verify(body, headers)]);
    nowMs += 3_598_000;
    await verifier.verify(body, headers);

    const old = webhooks({ ...options, fetch, keysTimeoutMs: 100_000 });
    isHanging = false;
    await old.verify(body, headers);
    nowMs += 3_901_000;
    published = [];
    await expect(old.verify(body, headers), "by keys that were withdrawn").rejects.toMatchObject({
      fault: "signature-invalid",
    });
  });

  test("that were rotated while the kept ones aged are waited for", async () => {
    published = keys.map((key) => ({ ...key, x: keys[1]?.x ?? "" }));
    const verifier = webhooks(options);
    const { body, headers } = sent({ secrets: [] });
    await expect(verifier.verify(body, headers)).rejects.toMatchObject({
      fault: "payload-signature-invalid",
    });
    published = keys;
    nowMs += 301_000;
    await verifier.verify(body, headers);
    expect(fetches).toBe(2);
  });

  test("are waited for so long and no longer, also by a fetch that heeds no signal", async () => {
    const { body, headers } = sent({ secrets: [] });
    const never = () => new Promise<Response>(() => {});
    const { pass } = timersByHand();
    const call = webhooks({ ...options, fetch: never, keysTimeoutMs: 1000 }).verify(body, headers);
    const refused = expect(call).rejects.toThrow("gave no keys within 1000 ms");
    await until(() => vi.getTimerCount() === 1);
    pass(999);
    expect(vi.getTimerCount()).toBe(1);
    pass(1);
    await refused;
  });

  test.each(["<html>busy</html>", "", '{"keys":[', "null", '{"keys":1}'])(
    "that do not come in %j are said with the address",
    async (text) => {
      const { body, headers } = sent({ secrets: [] });
      const call = webhooks({ ...options, fetch: async () => new Response(text) }).verify(body, headers);
      await expect(call).rejects.toThrow("https://bank.example/.well-known/jwks.json gave no keys: HTTP 200");
    },
  );

  test.each([302, 500])(
    "are read from no body of an answer with HTTP %i, whose connection is let go",
    async (status) => {
      const { body, headers } = sent({ secrets: [] });
      let isCancelled = false;
      const endless = new ReadableStream({ cancel: () => void (isCancelled = true) });
      const fetch = async () => new Response(endless, { status });
      await expect(webhooks({ ...options, fetch }).verify(body, headers)).rejects.toThrow(`HTTP ${status}`);
      expect(isCancelled).toBe(true);
    },
  );

  test("that are none harm no other", async () => {
    const { body, headers } = sent({ secrets: [] });
    const broken = keys.map((key) => ({ ...key, x: "" }));
    await webhooks({ keys: [...broken, ...keys] }).verify(body, headers);
  });

  test("are fetched from no address with a password, which no message repeats", () => {
    expect(() => webhooks({ jwksUrl: "https://u:hunter2@bank.example/" })).toThrow(/^(?!.*hunter2).*jwksUrl/);
    expect(() => webhooks({ jwksUrl: "https://bank.example/", keysTimeoutMs: 0 })).toThrow("keysTimeoutMs");
    expect(() => webhooks({ jwksUrl: "https://bank.example/", toleranceSeconds: Number.NaN })).toThrow(
      "tolerance",
    );
  });

  test("that cannot be fetched are no verdict", async () => {
    isDown = true;
    const { body, headers } = sent({ secrets: [] });
    const call = webhooks(options).verify(body, headers);
    await expect(call).rejects.toThrow("fetch failed");
    await expect(call).rejects.not.toMatchObject({ name: "WebhookError" });
  });
});

describe("the text of a member", () => {
  test("is what stands in the body, byte for byte", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.constantFrom("", " ", "\n\t"),
        (before, value, space) => {
          const text = JSON.stringify(value, undefined, space);
          const first = JSON.stringify({ payload: before });
          const json = `${space}{${space}"a":${first}${space},"payload"${space}:${space}${text}${space},"z":[]}`;
          expect(memberText(json, "payload")).toBe(text);
        },
      ),
    );
  });

  test("is none where there are none or several", () => {
    expect(memberText('{"a":{"payload":1}}', "payload")).toBeUndefined();
    expect(memberText('{"payload":1,"p\\u0061yload":2}', "payload")).toBeUndefined();
    expect(memberText('{"a":"payload"}', "payload")).toBeUndefined();
    expect(memberText("{}", "payload")).toBeUndefined();
    expect(memberText('"payload"', "payload")).toBeUndefined();
  });
});
