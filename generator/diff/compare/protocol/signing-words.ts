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
