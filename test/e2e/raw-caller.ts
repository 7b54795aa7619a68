import { createPrivateKey, createSign, randomUUID } from "node:crypto";
import type { Identity } from "./contract-client.ts";

/** An answer with what HTTP says of it. */
export interface RawAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly code: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any;
}

export type RawCall = (method: string, payload: object, id?: string) => Promise<RawAnswer>;

/** Makes signed calls, one try each. Without an answer within `timeoutMs`, which is for ever if absent, it rejects. */
export function rawCaller(baseUrl: string, identity: Identity, timeoutMs?: number): RawCall {
  const { userName, apiKey, keyId } = identity;
  const privateKey = createPrivateKey(identity.privateKeyPem);
  const credential = `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
  return async (method, payload, id = randomUUID()) => {
    const text = JSON.stringify(payload);
    const signature = createSign("sha256").update(text).sign(privateKey, "base64");
    const api = JSON.stringify({ credential, signature, apiKey, keyId });
    const response = await fetch(`${baseUrl}/jsonrpc`, {
      method: "POST",
      signal: timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs),
      headers: { "Content-Type": "application/json" },
      body: `{"method":"${method}","id":"${id}","params":{"api":${api},"payload":${text}}}`,
    });
    const json = JSON.parse(await response.text());
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      code: json.error?.code,
      json,
    };
  };
}
