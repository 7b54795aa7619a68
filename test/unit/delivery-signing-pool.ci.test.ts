import { createHmac, createSecretKey, generateKeyPairSync, verify, type KeyObject } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSigningPool, type SigningPool } from "../../runtime/events/signing/signing-pool.ts";
import {
  createNotificationSigner,
  type NotificationDraft,
  type SignedNotification,
} from "../../runtime/events/signing/signed-notification.ts";

const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed25519 = generateKeyPairSync("ed25519");
const agreement = generateKeyPairSync("x25519").privateKey;
let signatures: SigningPool;

beforeEach(() => {
  signatures = createSigningPool();
});
afterEach(() => signatures.close());

/** Drafts unlike each other: with no account or several, one secret or two, of one revision or another, or none. */
function draftOf(index: number): NotificationDraft {
  return {
    event: {
      id: `e-${index}`,
      name: "Account.NEW",
      source: "core",
      createdAt: 1_790_000_000_123 + index,
      payloadJson: `{"name":"Zürich ${index}","balance":15230.20}`,
      ...(index % 3 === 0 ? {} : { revision: `1.0.${index % 3}` }),
      ...(index % 4 === 0 ? { membersJson: `"version":${index},"sum":1.50` } : {}),
      ...(index % 5 === 0 ? { payloadName: "data" } : {}),
    },
    delivery: {
      id: `d-${index}`,
      subscriptionId: `s-${index % 5}`,
      topics: Array.from({ length: index % 4 }, (_, at) => `${index}"${at}`),
      sequence: index,
    },
    timeMs: 1_790_000_100_999 + index,
    payloadKey: p256.privateKey,
    webhookKey: ed25519.privateKey,
    secrets: Array.from({ length: 1 + (index % 2) }, (_, at) => secretOf(`${index % 5} ${at}`)),
  };
}

function secretOf(text: string): KeyObject {
  return createSecretKey(Buffer.from(text.padEnd(32)));
}

/** Signs notifications, all at once. Gives how many of them are whole and fit their signatures. */
async function signedWell(drafts: readonly NotificationDraft[]): Promise<number> {
  const fits = await Promise.all(drafts.map(async (draft) => isSigned(draft, await signatures.sign(draft))));
  return fits.filter(Boolean).length;
}

function isSigned(
  { event, delivery, timeMs, secrets }: NotificationDraft,
  signed: SignedNotification,
): boolean {
  const payloadSignature = payloadSignatureOf(signed);
  const head = {
    source: event.source,
    eventId: event.id,
    eventName: event.name,
    groupId: delivery.topics,
    subscriptionId: delivery.subscriptionId,
    timestamp: new Date(event.createdAt).toISOString(),
    sequence: delivery.sequence,
  };
  const members = event.membersJson === undefined ? "" : `,${event.membersJson}`;
  const body = `${JSON.stringify(head).slice(0, -1)}${members},"${event.payloadName ?? "payload"}":${event.payloadJson},"signature":"${payloadSignature}"}`;
  const bytes = Buffer.from(`${delivery.id}.${Math.floor(timeMs / 1_000)}.${body}`);
  const [webhook = "", ...hmacs] = signed.signature.split(" ").toReversed();
  const expected = secrets.map(
    (secret) => `v1,${createHmac("sha256", secret).update(bytes).digest("base64")}`,
  );
  return (
    signed.body.toString() === body &&
    hmacs.toReversed().join(" ") === expected.join(" ") &&
    webhook.startsWith("v1a,") &&
    verify(
      "sha256",
      Buffer.from(event.payloadJson),
      p256.publicKey,
      Buffer.from(payloadSignature, "base64"),
    ) &&
    verify(null, bytes, ed25519.publicKey, Buffer.from(webhook.slice("v1a,".length), "base64"))
  );
}

function payloadSignatureOf({ body }: SignedNotification): string {
  return /"signature":"([^"]+)"\}$/.exec(body.toString())?.[1] ?? "";
}

function draftsOf(count: number): readonly NotificationDraft[] {
  return Array.from({ length: count }, (_, index) => draftOf(index));
}

test.each([1, 7, 8, 65, 1_000])("%i notifications at once get each their own signatures", async (count) => {
  expect(await signedWell(draftsOf(count))).toBe(count);
});

test("many notifications at once are handed back a few in a turn of the event loop", async () => {
  let turns = 0;
  const isOver = new AbortController();
  const count = (): void => {
    turns += 1;
    if (!isOver.signal.aborted) setImmediate(count);
  };
  count();
  const handedBack = await Promise.all(
    draftsOf(300).map(async (draft) => {
      await signatures.sign(draft);
      return turns;
    }),
  );
  isOver.abort();
  const perTurn = [...Map.groupBy(handedBack, (turn) => turn).values()].map(({ length }) => length);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(8);
});

test("thousands of secrets sign each what is theirs, again and again", async () => {
  const drafts = Array.from({ length: 5_000 }, (_, index) => ({
    ...draftOf(0),
    delivery: { ...draftOf(0).delivery, id: `d-${index}` },
    secrets: [secretOf(`of its own ${index}`)],
  }));
  expect(await signedWell(drafts)).toBe(drafts.length);
  expect(await signedWell(drafts.slice(0, 100))).toBe(100);
});

test.each([1, 20])(
  "notifications of one event share its payload's signature, of %i at once",
  async (count) => {
    const { event } = draftOf(0);
    const sign = (others: Partial<NotificationDraft>): Promise<SignedNotification[]> =>
      Promise.all(draftsOf(count).map((draft) => signatures.sign({ ...draft, event, ...others })));
    const first = await sign({});
    const again = await sign({});
    expect(new Set([...first, ...again].map(payloadSignatureOf)).size).toBe(1);
    const reworded = await sign({ event: { ...event, revision: "1.0.9", payloadJson: "{}" } });
    expect(reworded.map(payloadSignatureOf)).not.toContain(payloadSignatureOf(again[0] ?? noNotification));
  },
);

test.each([1, 20])("a new key signs what the former one had signed, of %i at once", async (count) => {
  await signedWell(draftsOf(count));
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const drafts = draftsOf(count).map((draft) => ({ ...draft, payloadKey: privateKey }));
  const signed = await Promise.all(drafts.map((draft) => signatures.sign(draft)));
  const fits = drafts.map(({ event }, index) => {
    const signature = payloadSignatureOf(signed[index] ?? noNotification);
    return verify("sha256", Buffer.from(event.payloadJson), publicKey, Buffer.from(signature, "base64"));
  });
  expect(new Set(fits)).toEqual(new Set([true]));
});

const noNotification: SignedNotification = { body: Buffer.alloc(0), signature: "" };

test.each([1, 20])(
  "a key that cannot sign fails those that wait with it, of %i, and none afterwards",
  async (count) => {
    const asked = draftsOf(count).map((draft) => signatures.sign({ ...draft, webhookKey: agreement }));
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe("rejected");
    expect(await signedWell(draftsOf(100))).toBe(100);
  },
);

test("a payload's signature is remembered for its other subscribers, but for a payload of millions of characters", () => {
  const sign = createNotificationSigner();
  const signedTwice = (payloadJson: string) => {
    const draft = draftOf(1);
    const bodies = [1, 2].map(() => sign({ ...draft, event: { ...draft.event, payloadJson } }).body);
    return new Set(bodies.map(String)).size === 1;
  };
  expect(signedTwice('{"name":"Zürich"}')).toBe(true);
  expect(signedTwice(JSON.stringify("x".repeat(9_000_000)))).toBe(false);
});
