import { createHmac, createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import { type Finding, finding, formatValue, ruleOrigin } from "../response/finding.ts";
import type { EventEntry, Suite } from "../suite/suite.ts";
import { memberOf, parsedJson, problemsOf, type Reading } from "../values/index.ts";
import type { Arrival } from "./receiver.ts";

/** The public keys under which a service signs what it sends. */
export interface PublicKeys {
  readonly p256: readonly KeyObject[];
  readonly ed25519: readonly KeyObject[];
  /** Whether what only the service may know is among them. */
  readonly arePrivate: boolean;
}

export function publicKeysOf(keySet: unknown): PublicKeys {
  const keys = memberOf(keySet, "keys");
  const p256: KeyObject[] = [];
  const ed25519: KeyObject[] = [];
  const listed: readonly JsonWebKey[] = Array.isArray(keys) ? keys : [];
  for (const jwk of listed) {
    const key = keyOf(jwk);
    if (key?.asymmetricKeyType === "ed25519") ed25519.push(key);
    else if (key?.asymmetricKeyType === "ec") p256.push(key);
  }
  return { p256, ed25519, arePrivate: listed.some((jwk) => memberOf(jwk, "d") !== undefined) };
}

function keyOf(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    return undefined;
  }
}

export interface NotificationExpectation {
  readonly suite: Suite;
  readonly reading: Reading;
  /** Path and query of the address that was subscribed. */
  readonly target: string;
  readonly keys: PublicKeys | undefined;
  /** `whsec_…`, where it is known. */
  readonly secret: string | undefined;
  /** What arrived at the same address before. */
  readonly earlier?: readonly Arrival[];
}

/** How much clocks may differ. */
const recentMs = 300_000;

const members = [
  "source",
  "eventId",
  "eventName",
  "groupId",
  "subscriptionId",
  "timestamp",
  "sequence",
  "signature",
];

/** The findings on any notification: its members, its payload's schema, its signatures. */
export function notificationFindings(
  { target: found, headers, body }: Arrival,
  { suite, reading, target, keys, secret, earlier = [] }: NotificationExpectation,
): readonly Finding[] {
  const findings: Finding[] = [...addressFindings(found, target)];
  const add = (rule: string, expected: string, found: unknown): void => {
    if (suite.rules[rule] === undefined) return;
    const more = { origin: ruleOrigin(suite, rule) };
    findings.push(finding("notification", "decisions", expected, formatValue(found), more));
  };
  const text = body.toString("utf8");
  const json = parsedJson(text);
  const event = suite.events.find(({ name }) => name === memberOf(json, "eventName"));
  const payloadName = event?.payloadName ?? "payload";
  for (const name of [...members, payloadName])
    if (memberOf(json, name) === undefined) add("notification-body", `a member ${name}`, text.slice(0, 300));
  if (event === undefined) add("notification-body", "the name of an event", memberOf(json, "eventName"));
  else {
    for (const { at, expected, found } of problemsOf(event.payload, memberOf(json, payloadName), reading))
      add("notification-body", `${payloadName}${at} to be ${expected}`, found);
    memberFindings(event, json, reading, add);
  }
  timestampFindings(json, add);
  for (const name of ["source", "eventId", "subscriptionId"]) {
    const value = memberOf(json, name);
    if (typeof value !== "string" || value === "") add("notification-body", `${name} to be a text`, value);
  }
  const sequence = memberOf(json, "sequence");
  if (!Number.isSafeInteger(sequence) || Number(sequence) < 1)
    add("notification-body", "sequence to be a whole number from 1", sequence);
  if (earlier.some((each) => isOtherEvent(parsedJson(each.body.toString("utf8")), json, payloadName)))
    add("notification-body", "an eventId that no other event has", memberOf(json, "eventId"));
  const group = memberOf(json, "groupId");
  if (!Array.isArray(group) || group.length === 0 || new Set(group).size !== group.length)
    add("notification-body", "groupId to be account numbers, each once", group);
  if (!/^application\/json/i.test(headers["content-type"] ?? ""))
    add("notification-body", "application/json", headers["content-type"]);
  const payload = payloadBytes(text, payloadName);
  const signature = Buffer.from(String(memberOf(json, "signature")), "base64");
  if (
    keys !== undefined &&
    !keys.p256.some((key) => payload !== undefined && verify("sha256", payload, key, signature))
  )
    add(
      "notification-body",
      `a signature over the bytes of ${payloadName} by a key of /.well-known/jwks.json`,
      memberOf(json, "signature"),
    );
  callbackFindings(headers, body, keys, secret, add);
  return findings;
}

/** Whether two notifications of one subscription have one identifier and yet another payload. */
function isOtherEvent(one: unknown, other: unknown, payloadName: string): boolean {
  const isShared = ["eventId", "subscriptionId"].every(
    (name) => memberOf(one, name) === memberOf(other, name),
  );
  const [payload, otherPayload] = [one, other].map((each) => JSON.stringify(memberOf(each, payloadName)));
  return isShared && payload !== otherPayload;
}

type AddFinding = (rule: string, expected: string, found: unknown) => void;

function timestampFindings(json: unknown, add: AddFinding): void {
  const timestamp = String(memberOf(json, "timestamp"));
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(timestamp))
    add("notification-body", "a timestamp in UTC with milliseconds", timestamp);
  else if (Math.abs(Date.now() - Date.parse(timestamp)) > recentMs)
    add("notification-body", "a timestamp of just now", timestamp);
}

/** Adds findings on the members that notifications of this event have beside those of every one. */
function memberFindings(
  { members, payloadName = "payload" }: EventEntry,
  json: unknown,
  reading: Reading,
  add: AddFinding,
): void {
  if (members === undefined) return;
  const { shape, repeats, when = {} } = members;
  const absent = new Set<string>();
  for (const [name, { field, values }] of Object.entries(when)) {
    const held = memberOf(memberOf(json, payloadName), field);
    const isThere = memberOf(json, name) !== undefined;
    const isMeant = values.some((value) => value === held);
    if (!isMeant) absent.add(name);
    if (isThere !== isMeant)
      add(
        "notification-body",
        `${name} ${isMeant ? "" : "not "}to be there where ${field} is ${formatValue(held)}`,
        memberOf(json, name),
      );
  }
  for (const { at, expected, found } of problemsOf(shape, json, reading))
    add("notification-body", `${at.slice(1)} to be ${expected}`, found);
  for (const [name, field] of Object.entries(repeats)) {
    if (absent.has(name)) continue;
    const [own, repeated] = [memberOf(json, name), memberOf(memberOf(json, payloadName), field)];
    if (JSON.stringify(own) !== JSON.stringify(repeated))
      add("notification-body", `${name} to be ${field} of the payload`, own);
  }
}

/** The findings on the address of a notification: the document says where it is posted to. */
export function addressFindings(found: string, target: string): readonly Finding[] {
  if (found === target) return [];
  return [finding("notification", "document", `a notification to ${target}`, found)];
}

/** Standard Webhooks: `id.timestamp.body`, signed with the secret (`v1`) and with Ed25519 (`v1a`). */
function callbackFindings(
  headers: Arrival["headers"],
  body: Buffer,
  keys: PublicKeys | undefined,
  secret: string | undefined,
  add: (rule: string, expected: string, found: unknown) => void,
): void {
  const rule = "callback-authentication";
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = headers[name];
    if (typeof value !== "string") add(rule, `a header ${name}`, value);
    return typeof value === "string" ? value : "";
  });
  if (keys?.arePrivate === true) add(rule, "no private key at /.well-known/jwks.json", "one with a member d");
  const seconds = Number(timestamp);
  if (!Number.isInteger(seconds) || Math.abs(Date.now() / 1000 - seconds) > recentMs / 1000)
    add(rule, "webhook-timestamp in seconds, now", timestamp);
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const given = (signatures ?? "").split(" ").map((each) => each.split(","));
  const ofKind = (kind: string): readonly string[] =>
    given.flatMap(([version, value]) => (version === kind && value !== undefined ? [value] : []));
  if (ofKind("v1").length === 0) add(rule, "a signature v1", signatures);
  if (secret !== undefined) {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const own = createHmac("sha256", key).update(signed).digest("base64");
    if (!ofKind("v1").includes(own)) add(rule, "a v1 signature by the subscription's secret", signatures);
  }
  if (keys === undefined) {
    add(rule, "public keys at /.well-known/jwks.json", "none");
    return;
  }
  const isSigned = ofKind("v1a").some((value) =>
    keys.ed25519.some((key) => verify(null, signed, key, Buffer.from(value, "base64"))),
  );
  if (!isSigned) add(rule, "a v1a signature by a key of /.well-known/jwks.json", signatures);
}

/** The bytes of the payload as they stand in the body. */
function payloadBytes(text: string, name: string): Buffer | undefined {
  const key = `${JSON.stringify(name)}:`;
  const start = text.indexOf(key);
  if (start < 0) return undefined;
  const from = start + key.length;
  let depth = 0;
  let inText = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (inText) {
      if (character === "\\") at += 1;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return Buffer.from(text.slice(from, at + 1).trimStart());
    }
  }
  return undefined;
}
