import { listed } from "../../language/diagnostics/entry.ts";
import type { Presence, Shape } from "../../model/index.ts";

/** A type as the spec writes it. */
export function typeText(shape: Shape): string {
  switch (shape.kind) {
    case "ref":
      return shape.type;
    case "array":
      return `array of ${partText(shape.items)}`;
    case "string":
      return shape.format ?? "string";
    case "nullable":
      return `${typeText(shape.shape)}|null`;
    case "union":
      return shape.alternatives.map(typeText).join("|");
    case "tagged":
      return `oneOf ${shape.discriminator}: ${shape.cases.map(({ tag }) => tag).join("|")}`;
    case "map":
      return `map of ${partText(shape.values)}${shape.keys === undefined ? "" : `, keys: ${typeText(shape.keys)}`}`;
    case "tuple":
      return `tuple of [${shape.items.map(partText).join(", ")}]`;
    default:
      return shape.kind;
  }
}

/** A type within another one: in brackets, where its end could not be seen. */
function partText(shape: Shape): string {
  const isLong = shape.kind === "nullable" || shape.kind === "union";
  const hasKeys = shape.kind === "map" && shape.keys !== undefined;
  return isLong || hasKeys ? `(${typeText(shape)})` : typeText(shape);
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** A value as JSON writes it, with keys in name order. */
export function literal(value: unknown): string {
  return value === undefined ? "none" : code(JSON.stringify(withSortedKeys(value)));
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, held]) => [key, withSortedKeys(held)]));
}

/** A text in quotes; the reader should see where it ends. */
export function quoted(text: string): string {
  return text === "" ? "nothing" : `“${text}”`;
}

export function quotedList(texts: readonly string[]): string {
  return texts.length === 0 ? "none" : texts.map(quoted).join(", ");
}

export function codeList(names: readonly string[]): string {
  return names.length === 0 ? "none" : listed(names);
}

/** "when `express` is `true`". */
export function conditionText(presence: Presence): string {
  if (presence.kind !== "required-when") return presence.kind;
  return `when \`${presence.field}\` is ${listed(presence.values.map(String), "or")}`;
}

const signing =
  /\b(?:sign(?:s|ed|ing|er|ature|atures)?|algorithms?|canonical(?:ised|ized)?|HMAC|ECDSA|EdDSA|Ed25519|RSA|JCS)\b/i;

/** The sentences of a text that speak of signatures: what both sides have to agree on to the last bit. */
export function signingSentences(text: string): readonly string[] {
  return text.split(/(?<=[.;])\s+/).filter((sentence) => signing.test(sentence));
}

const algorithms =
  /\b(?:ECDSA|EdDSA|Ed25519|RSA(?:-PSS)?|HMAC|P-?\d{3}|secp\d+[rk]1|SHA-?\d{1,3}|MD5|DER|IEEE P1363|P1363|base64url|base64|hex|PEM|SPKI|JWS|JWT|RFC \d{3,5})\b/gi;

/** The algorithms and encodings that a text names, each once, in order. */
export function algorithmsIn(text: string): readonly string[] {
  return [...new Set((text.match(algorithms) ?? []).map((name) => name.toUpperCase()))].toSorted();
}

/** Whether a text concerns those whom events are sent to. */
export function speaksOfNotifications(text: string): boolean {
  return /\b(?:notif(?:y|ies|ied|ications?)|callbacks?|webhooks?|events?|deliver(?:y|ies|ed)?|subscriptions?)\b/i.test(
    text,
  );
}
