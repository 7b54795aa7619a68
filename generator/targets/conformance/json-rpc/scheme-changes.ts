import {
  isOwnKind,
  type CredentialChange,
  type SchemeEntry,
} from "../../../../conformance/suite/json-rpc.ts";

/** The title of a case by its change. */
export const changeTitles: Readonly<Record<CredentialChange, string>> = {
  malformed: "not of its form",
  empty: "nothing where a credential should be",
  wrong: "another than the right one, of the same form",
  stranger: "signed with a key that the service does not know",
  "unknown-key": "of an unknown user or key",
  expired: "right once, and too old",
  early: "not valid yet",
  replayed: "right, and sent once before",
  "alg-none": "an unsigned token, alg none (RFC 8725, section 2.1)",
  "other-algorithm": "HMAC with the public key as the secret (RFC 8725, section 2.1)",
  "other-issuer": "of another issuer",
  "other-audience": "for another audience",
  "claim-missing": "without the claim that ends it",
  "timestamp-changed": "the time changed after signing",
  "nonce-changed": "the nonce changed after signing",
  "body-changed": "what it vouches for changed after signing",
  "path-changed": "signed for another path",
  "method-changed": "signed for another HTTP method",
  uncovered: "a part that has to be covered is not",
};

/** Everything that can be wrong with the credential of a scheme. */
export function changesOf(scheme: SchemeEntry): readonly CredentialChange[] {
  const { kind, options } = scheme;
  const given = options["covers"];
  const covers: readonly unknown[] = Array.isArray(given) ? given : ["@method", "@path", "content-digest"];
  const where = (change: CredentialChange, ...parts: readonly string[]): readonly CredentialChange[] =>
    parts.some((part) => covers.includes(part)) ? [change] : [];
  switch (kind) {
    case "basic":
      return ["malformed", "empty", "wrong", "unknown-key"];
    case "bearer":
      return ["malformed", "empty", "wrong", "expired"];
    case "api-key":
      return ["empty", "wrong", "expired"];
    case "client-cert":
      return ["malformed", "empty", "wrong", "expired"];
    case "jwt":
      return [
        ...(["malformed", "empty", "wrong", "stranger", "body-changed"] as const),
        ...(["expired", "early", "claim-missing", "alg-none"] as const),
        ...(isIssued(options) ? (["other-algorithm", "unknown-key"] as const) : []),
        ...(options["issuer"] === undefined ? [] : (["other-issuer"] as const)),
        ...(options["audience"] === undefined ? [] : (["other-audience"] as const)),
      ];
    case "hmac":
      return [
        ...([
          "malformed",
          "empty",
          "wrong",
          "stranger",
          "unknown-key",
          "expired",
          "early",
          "replayed",
        ] as const),
        ...where("timestamp-changed", "timestamp"),
        ...where("nonce-changed", "nonce"),
        ...where("body-changed", "body"),
        ...where("path-changed", "path"),
        ...where("method-changed", "method"),
      ];
    case "message-signature":
      return [
        ...(["malformed", "wrong", "stranger", "unknown-key", "expired", "early", "replayed"] as const),
        ...(["uncovered", "timestamp-changed", "nonce-changed"] as const),
        ...where("body-changed", "content-digest"),
        ...where("path-changed", "@path", "@request-target", "@target-uri"),
        ...where("method-changed", "@method"),
      ];
    default:
      return isOwnKind(scheme) ? ["malformed", "wrong", "expired"] : [];
  }
}

/** Whether tokens are signed with a private key of their issuer. */
function isIssued(options: SchemeEntry["options"]): boolean {
  const algorithms = options["algorithms"];
  return Array.isArray(algorithms) && algorithms.some((each) => !String(each).startsWith("HS"));
}
