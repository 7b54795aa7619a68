import { parseJson } from "../json.ts";
import { memberText } from "./member-text.ts";
import type { NotificationHead } from "./notification.ts";
import type { Bytes } from "../bytes.ts";
import { keyCache, type VerificationJwk } from "./webhook-keys.ts";

/** The keys that verify notifications: a secret, the service's public keys, or both. */
export interface WebhookOptions {
  /** The subscription's secret, `whsec_…`; while it is being rotated, the new one and the old one. */
  readonly secret?: string | readonly string[];
  /** Where the service's public keys are: `https://bank.example/.well-known/jwks.json`. */
  readonly jwksUrl?: string;
  /** The public keys themselves, in place of `jwksUrl`. */
  readonly keys?: readonly VerificationJwk[];
  /** How far the time of sending may be from now, either way; 300 seconds if absent. */
  readonly toleranceSeconds?: number;
  /**
   * How long fetched keys are kept; 300 seconds if absent. They are fetched anew when none fits, at most every 30 seconds.
   * Keys that became too old in the last hour are used at once while new ones are fetched; older ones wait for these. While
   * none can be fetched, the last ones that came stay in use, however old.
   */
  readonly keysMaxAgeSeconds?: number;
  /** How long fetching keys may take; 10 seconds if absent. */
  readonly keysTimeoutMs?: number;
  /** In place of the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds since the Unix epoch, in place of `Date.now`. */
  readonly now?: () => number;
}

/** Headers as a `Request` or Node has them, or a gateway: names in any case, a value or a list of one. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Why a notification was refused. Answer 400 and use nothing of it. */
export type WebhookFault =
  | "header-missing"
  | "out-of-time"
  | "signature-invalid"
  | "payload-signature-invalid"
  | "body-unreadable";

/** The notification is not the service's, or not of now. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly fault: WebhookFault;

  constructor(fault: WebhookFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Verifies notifications and gives their events. */
export interface WebhookVerifier<Event> {
  /**
   * Gives the event in a notification. Takes the body exactly as it was received, as bytes or as text: a body that
   * was parsed and printed again verifies no more. Rejects with a `WebhookError`, or with what fetching the keys
   * rejects with: answer 503 then, and the notification comes again.
   */
  verify(body: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders): Promise<Event>;
}

/**
 * Makes a verifier. Of the signatures in `webhook-signature` (Standard Webhooks: `v1` by secret, `v1a` by public key)
 * one has to fit; where public keys are known, the body's own signature over its payload has to fit as well.
 * `payloadNames` says by event which member holds the payload, where it is not `payload`.
 */
export function webhookVerifier<Event extends NotificationHead<string>>(
  options: WebhookOptions,
  payloadNames: Readonly<Record<string, string>> = {},
): WebhookVerifier<Event> {
  const { toleranceSeconds = 300, now = Date.now } = options;
  const secrets = [options.secret ?? []].flat().map(secretBytes);
  for (const name of ["toleranceSeconds", "keysMaxAgeSeconds", "keysTimeoutMs"] as const) {
    const value = options[name] ?? 1;
    if (!(value > 0)) throw new TypeError(`${name} is not more than 0`);
  }
  // The message omits the value, which may hold a password.
  if (options.jwksUrl && !/^https?:\/\/[^\s@#\\]+$/.test(options.jwksUrl)) {
    throw new TypeError("jwksUrl is not http(s)://host/path");
  }
  const keys = keyCache(options);
  if (secrets.length === 0 && !keys) throw new TypeError("secret, jwksUrl or keys is missing");
  return {
    async verify(body, headers) {
      const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
      const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
        (name) => requiredHeader(headers, name),
      );
      const sentAtMs = Number(timestamp) * 1000;
      if (!(Math.abs(now() - sentAtMs) <= toleranceSeconds * 1000)) {
        throw new WebhookError(
          "out-of-time",
          `webhook-timestamp is more than ${toleranceSeconds} s from now`,
        );
      }
      const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
      const given = (signatures ?? "").split(" ").map((signature) => signature.split(","));
      const isSigned =
        (await someVerifies(given, "v1", (signature) => fitsSecret(secrets, signature, signed))) ||
        (await someVerifies(given, "v1a", async (signature) => await keys?.fits("EdDSA", signature, signed)));
      if (!isSigned) throw new WebhookError("signature-invalid", "no webhook-signature fits");
      return await eventOf<Event>(bytes, keys, payloadNames);
    },
  };
}

/** The event in a body, once its own signature over the payload's bytes fits. */
async function eventOf<Event extends NotificationHead<string>>(
  bytes: Bytes,
  keys: ReturnType<typeof keyCache>,
  payloadNames: Readonly<Record<string, string>>,
): Promise<Event> {
  let event: unknown;
  let payload: string | undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    event = parseJson(text);
    if (isEvent<Event>(event)) payload = memberText(text, payloadNames[event.eventName] ?? "payload");
  } catch {
    // Said below, with everything else that makes a body no notification.
  }
  if (payload === undefined || !isEvent<Event>(event)) {
    throw new WebhookError("body-unreadable", "the body is no notification");
  }
  if (keys) {
    const signature = bytesOf(event.signature);
    const signed = new TextEncoder().encode(payload);
    const fits = signature && (await keys.fits("ES256", signature, signed));
    if (!fits) throw new WebhookError("payload-signature-invalid", "the payload's signature does not fit");
  }
  return event;
}

/** Only its envelope is looked at: that its payload is as documented, is the service's promise. */
function isEvent<Event extends NotificationHead<string>>(value: unknown): value is Event {
  if (typeof value !== "object" || value === null) return false;
  const texts = new Map<string, unknown>(Object.entries(value));
  return ["eventId", "eventName", "signature"].every((name) => typeof texts.get(name) === "string");
}

async function someVerifies(
  given: readonly (readonly string[])[],
  version: string,
  verify: (signature: Bytes) => Promise<boolean | undefined>,
): Promise<boolean> {
  for (const [name, text = ""] of given) {
    const signature = name === version ? bytesOf(text) : undefined;
    if (signature && (await verify(signature))) return true;
  }
  return false;
}

async function fitsSecret(secrets: readonly Bytes[], signature: Bytes, signed: Bytes): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["verify"]);
    if (await crypto.subtle.verify(algorithm, key, signature, signed)) return true;
  }
  return false;
}

/** The one value of a header: its name may be in any case. */
function requiredHeader(headers: WebhookHeaders, name: string): string {
  const values = isHeaders(headers)
    ? [headers.get(name)]
    : Object.entries(headers)
        .filter(([given]) => given.toLowerCase() === name)
        .flatMap(([, value]) => value ?? []);
  const [value] = values;
  if (values.length === 1 && value) return value;
  throw new WebhookError("header-missing", `the header ${name} is missing, or there several times`);
}

/** Not by class: there is more than one. */
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === "function";
}

function secretBytes(secret: string): Bytes {
  const bytes = secret.startsWith("whsec_") ? bytesOf(secret.slice(6)) : undefined;
  if (!bytes) throw new TypeError("secret is not whsec_ and base64");
  return bytes;
}

function bytesOf(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
