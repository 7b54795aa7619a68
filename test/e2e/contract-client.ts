import { execFileSync } from "node:child_process";
import { sign as signedByNode } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A client written from the interface document alone: it shares no code with the service. Its first
 * signature is made by openssl. Node makes the others, because a process for each took most of the time.
 */
export interface ContractClient {
  /** The whole response envelope. */
  call(method: string, payload: unknown, headers?: Record<string, string>): Promise<Envelope>;
  /** A flat body (4.15, 4.16), signed by headers. */
  flat(body: unknown): Promise<Envelope>;
  close(): void;
}

export interface Envelope {
  readonly id?: unknown;
  readonly jsonrpc?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly data?: Record<string, unknown>;
  };
  readonly [member: string]: unknown;
}

export interface Identity {
  readonly userName: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly privateKeyPem: string;
}

export function contractClient(baseUrl: string, identity: Identity): ContractClient {
  const folder = mkdtempSync(join(tmpdir(), "ledger-client-"));
  const keyFile = join(folder, "key.pem");
  writeFileSync(keyFile, identity.privateKeyPem, { mode: 0o600 });
  const credential = `Basic ${Buffer.from(`${identity.userName}:${identity.apiKey}`).toString("base64")}`;
  const { apiKey, keyId } = identity;
  const byOpenssl = (text: string): Buffer =>
    execFileSync("openssl", ["dgst", "-sha256", "-sign", keyFile], { input: text });
  let signatures = 0;
  let ids = 0;

  const sign = (text: string): string => {
    signatures += 1;
    const signature =
      signatures === 1 ? byOpenssl(text) : signedByNode("sha256", Buffer.from(text), identity.privateKeyPem);
    return signature.toString("base64");
  };

  async function post(body: string, headers: Record<string, string> = {}): Promise<Envelope> {
    const response = await fetch(`${baseUrl}/jsonrpc`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body,
    });
    return JSON.parse(await response.text());
  }

  return {
    call(method, payload, headers) {
      ids += 1;
      const text = JSON.stringify(payload);
      const api = JSON.stringify({ credential, signature: sign(text), apiKey, keyId });
      return post(
        `{"method":"${method}","id":"c-${ids}","params":{"api":${api},"payload":${text}}}`,
        headers,
      );
    },
    flat(body) {
      const text = JSON.stringify(body);
      return post(text, {
        Authorization: credential,
        Signature: `keyId=${keyId},algorithm=ecdsa-sha256,signature=${sign(text)}`,
      });
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}
