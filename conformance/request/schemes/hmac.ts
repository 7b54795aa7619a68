import { createHmac } from "node:crypto";
import {
  alteredText,
  optionNumber,
  optionText,
  optionTexts,
  type CredentialHeaders,
  headerKey,
  namedHeader,
  needed,
  newSecret,
  type CredentialTask,
  type SchemeKind,
  whereCovered,
} from "./scheme.ts";

const windowDefaultSeconds = 300;
const parts = ["timestamp", "nonce", "method", "path", "body"];

/** A signature by a shared secret. */
export const hmac: SchemeKind = {
  kind: "hmac",
  required: ["header", "covers"],
  optional: ["window"],
  hasScopes: false,
  covers: { known: parts, required: ["timestamp", "body"] },
  header: (options) => namedHeader(options)?.toLowerCase(),
  access: {
    needed: ["keyId", "secret"],
    more: [],
    example: '{ "keyId": "…", "secret": "…" }',
    made: () => ({ keyId: "mock-key", secret: newSecret() }),
  },
  changes: (options) => [
    ...(["malformed", "empty", "wrong", "stranger", "unknown-key", "expired", "early", "replayed"] as const),
    ...whereCovered(options, {
      "timestamp-changed": ["timestamp"],
      "nonce-changed": ["nonce"],
      "body-changed": ["body"],
      "path-changed": ["path"],
      "method-changed": ["method"],
    }),
  ],
  credential,
  client: {
    type: "HmacCredential",
    module: "hmac",
    files: ["json-rpc/hmac.ts"],
    value: "hmac",
    arguments: ({ options }) => [namedHeader(options) ?? "", coveredIn(options)],
    example: '{ keyId: "your-key-id", secret: "a secret that both ends know" }',
    fake: '{ keyId: "fake", secret: "fake" }',
  },
  page: {
    lines: (options) => [
      `${namedHeader(options) ?? ""}: t=<unix seconds>,k=<key id>,${coveredIn(options).includes("nonce") ? "n=<nonce>," : ""}v1=<signature>`,
    ],
    how(options) {
      const signed = parts.filter((part) => coveredIn(options).includes(part));
      return `The signature is HMAC-SHA256, in hexadecimal, of ${signed.join(", ")}; each but the body is followed by a line feed. It is accepted once.`;
    },
  },
  openApi: headerKey,
};

function coveredIn({ covers }: CredentialTask["scheme"]["options"]): readonly string[] {
  return Array.isArray(covers) ? covers.map(String) : [];
}

/**
 * HMAC-SHA256 over timestamp, nonce, method and path, each followed by a line feed and only where the spec covers it,
 * then the body. The header is `t=…,k=…,n=…,v1=…`.
 */
function credential(task: CredentialTask): CredentialHeaders {
  const { scheme, plan, credential: given, request, nowSeconds, nonce } = task;
  const header = (optionText(scheme, "header") ?? "X-Signature").toLowerCase();
  if (plan.change === "malformed") return { [header]: "v1=signature" };
  if (plan.change === "empty") return { [header]: "" };
  const name = `credentials.${scheme.name}`;
  const covers = optionTexts(scheme, "covers");
  const window = optionNumber(scheme, "window") ?? windowDefaultSeconds;
  const distance = window + 60;
  const late = plan.change === "expired" ? distance : plan.change === "early" ? -distance : 0;
  const timestamp = String(nowSeconds - late);
  const keyId = needed(given.keyId, `${name}.keyId`);
  const secret = needed(given.secret, `${name}.secret`);
  const lines = [
    ["timestamp", timestamp],
    ["nonce", nonce],
    ["method", request.httpMethod],
    ["path", request.target],
  ] as const;
  const mac = createHmac("sha256", plan.change === "stranger" ? alteredText(secret) : secret);
  for (const [part, value] of lines) if (covers.includes(part)) mac.update(`${value}\n`);
  if (covers.includes("body")) mac.update(request.body);
  const seal = mac.digest();
  if (plan.change === "wrong") seal[0] = (seal[0] ?? 0) ^ 1;
  const sentTime = plan.change === "timestamp-changed" ? String(Number(timestamp) + 1) : timestamp;
  const sentNonce = plan.change === "nonce-changed" ? `${nonce}x` : nonce;
  const key = plan.change === "unknown-key" ? `${keyId}x` : keyId;
  const written = [
    `t=${sentTime}`,
    `k=${key}`,
    ...(covers.includes("nonce") ? [`n=${sentNonce}`] : []),
    `v1=${seal.toString("hex")}`,
  ];
  return { [header]: written.join(",") };
}
