import { createHmac } from "node:crypto";
import {
  alteredText,
  optionNumber,
  optionText,
  optionTexts,
  type CredentialHeaders,
  type CredentialTask,
} from "./scheme.ts";
import { needed } from "./tokens.ts";

const windowDefaultSeconds = 300;

/**
 * HMAC-SHA256 over timestamp, nonce, method and path, each followed by a line feed and only where the spec covers it,
 * then the body. The header is `t=…,k=…,n=…,v1=…`.
 */
export function hmacCredential(task: CredentialTask): CredentialHeaders {
  const { scheme, plan, credential, request, nowSeconds, nonce } = task;
  const header = (optionText(scheme, "header") ?? "X-Signature").toLowerCase();
  if (plan.change === "malformed") return { [header]: "v1=signature" };
  if (plan.change === "empty") return { [header]: "" };
  const name = `credentials.${scheme.name}`;
  const covers = optionTexts(scheme, "covers");
  const window = optionNumber(scheme, "window") ?? windowDefaultSeconds;
  const distance = window + 60;
  const late = plan.change === "expired" ? distance : plan.change === "early" ? -distance : 0;
  const timestamp = String(nowSeconds - late);
  const keyId = needed(credential.keyId, `${name}.keyId`);
  const secret = needed(credential.secret, `${name}.secret`);
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
  const parts = [
    `t=${sentTime}`,
    `k=${key}`,
    ...(covers.includes("nonce") ? [`n=${sentNonce}`] : []),
    `v1=${seal.toString("hex")}`,
  ];
  return { [header]: parts.join(",") };
}
