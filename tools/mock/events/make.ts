import { createHmac, generateKeyPairSync, hash, type KeyObject, randomUUID, sign } from "node:crypto";
import { isJsonObject, type Problem, problemsOf } from "../../../conformance/values/index.ts";
import { oncePer } from "../../../generator/language/source/once-per.ts";
import { exampleFields, memberValues, objectsIn, sameFields } from "../../../generator/model/events.ts";
import { readingOf } from "../../../generator/model/resolve.ts";
import type { EventModel } from "../../../generator/model/service-model.ts";
import { type AnswerOptions, drawn, sampleOf } from "../answers.ts";

/** A notification, signed, as it is to be posted: one line of what listeners get. */
export interface EventLine {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An event; or why its payload does not fit, a line for each problem. */
export type MadeEvent =
  | { readonly eventId: string; readonly line: EventLine }
  | { readonly problems: string };

export type MakeEvent = (
  event: EventModel,
  sources: Omit<PayloadSources, "sampleKey" | "examples">,
) => MadeEvent;

/** Makes events with the members that notifications of a signed interface have (D-41). */
export function eventMaker(options: AnswerOptions, signer: NotificationSigner): MakeEvent {
  const { model, seed, objects } = options;
  const examplesOf = oncePer((event: EventModel) => exampleFields(event, model));
  let made = 0;

  function lineOf(event: EventModel, eventId: string, payload: unknown): EventLine {
    const { name, payloadName = "payload" } = event;
    const account = accountNumber(payload) ?? objects.known("accountNumber");
    const head = JSON.stringify({
      source: model.name,
      eventId,
      eventName: name,
      groupId: account === undefined ? [] : [account],
      subscriptionId: objects.known("subscriptionId") ?? drawn(seed, "subscription").uuid,
      timestamp: new Date().toISOString(),
      sequence: made,
      ...memberValues(event, payload),
    });
    const payloadText = JSON.stringify(payload);
    const signature = signer.payloadSignature(payloadText);
    const body = `${head.slice(0, -1)},${JSON.stringify(payloadName)}:${payloadText},"signature":"${signature}"}`;
    return { name, headers: signer.headers(drawn(seed, "delivery", eventId).uuid, body), body };
  }

  return (event, sources) => {
    const sampleKey = String(made + 1);
    const found = payloadOf(event, { ...sources, sampleKey, examples: examplesOf(event) }, options);
    if ("problems" in found)
      return { problems: found.problems.map(({ at, expected }) => `${at}: expected ${expected}`).join("\n") };
    made += 1;
    const eventId = drawn(seed, "event", sampleKey).uuid;
    return { eventId, line: lineOf(event, eventId, found.payload) };
  };
}

function accountNumber(payload: unknown): string | undefined {
  return isJsonObject(payload) && "number" in payload && typeof payload.number === "string"
    ? payload.number
    : undefined;
}

/** Where the values of an event's payload come from, after the spec's examples: the later of these wins. */
interface PayloadSources {
  /** Tells events of one kind apart. */
  readonly sampleKey: string;
  /** The fields of such an object in the spec's examples: `exampleFields` of the event. */
  readonly examples: object;
  /** The result of the call that caused it: what it says of the same object is taken from it. */
  readonly result?: unknown;
  /** Fields that the trigger names; an object within changes only what it names. */
  readonly wanted?: object;
}

/** A payload that fits the event's type, or what of `wanted` does not. */
function payloadOf(
  event: EventModel,
  { sampleKey, examples, result, wanted = {} }: PayloadSources,
  options: AnswerOptions,
): { readonly payload: unknown } | { readonly problems: readonly Problem[] } {
  const { model } = options;
  const sample = sampleOf(options, event.payload, [event.name, sampleKey]);
  const payload = merged(
    { ...Object(sample), ...examples, ...sameFields(event, objectsIn(result), model) },
    wanted,
  );
  const problems = problemsOf(event.payload, payload, readingOf(model));
  return problems.length === 0 ? { payload } : { problems };
}

/** A value with the fields of another in place of its own, level by level. */
function merged(value: object, wanted: object): object {
  const own = new Map<string, unknown>(Object.entries(value));
  for (const [name, part] of Object.entries(wanted)) {
    const present = own.get(name);
    own.set(name, isJsonObject(present) && isJsonObject(part) ? merged(present, part) : part);
  }
  return Object.fromEntries(own);
}

/** Signs a mock's notifications, as the service would (D-42). The keys are new in each run. */
interface NotificationSigner {
  /** The secret that subscribers of a service get from its operator: `whsec_` and base64. The same for the same seed. */
  readonly secret: string;
  /** The public keys as a JWK set (RFC 7517). */
  readonly keySet: { readonly keys: readonly object[] };
  /** Base64 DER ECDSA P-256 over the bytes of a payload. */
  payloadSignature(payloadText: string): string;
  /** The headers of a notification (Standard Webhooks 1.0). */
  headers(id: string, body: string): Readonly<Record<string, string>>;
}

export function createNotificationSigner(seed: number): NotificationSigner {
  const payloadKeys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const webhookKeys = generateKeyPairSync("ed25519");
  const secretBytes = hash("sha256", `webhook secret ${seed}`, "buffer");
  return {
    secret: `whsec_${secretBytes.toString("base64")}`,
    keySet: { keys: [jwk(payloadKeys.publicKey, "ES256"), jwk(webhookKeys.publicKey, "EdDSA")] },
    payloadSignature: (text) => sign("sha256", Buffer.from(text), payloadKeys.privateKey).toString("base64"),
    headers: (id, body) => {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const bytes = Buffer.from(`${id}.${timestamp}.${body}`);
      const mac = createHmac("sha256", secretBytes).update(bytes).digest("base64");
      const signature = sign(null, bytes, webhookKeys.privateKey).toString("base64");
      return {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${mac} v1a,${signature}`,
      };
    },
  };
}

function jwk(key: KeyObject, alg: string): object {
  return { ...key.export({ format: "jwk" }), kid: randomUUID(), alg, use: "sig" };
}
