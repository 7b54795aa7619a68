import { createHash, createPublicKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { publishedKeys, type Access } from "../../../conformance/index.ts";
import { apiKey } from "../../../runtime/auth/api-key/index.ts";
import { basic } from "../../../runtime/auth/basic/index.ts";
import { bearer } from "../../../runtime/auth/bearer/index.ts";
import { clientCert } from "../../../runtime/auth/client-cert/index.ts";
import { hmac } from "../../../runtime/auth/hmac/index.ts";
import { jwt } from "../../../runtime/auth/jwt/index.ts";
import { messageSignature } from "../../../runtime/auth/message-signature/index.ts";
import type { SchemeVerifier } from "../../../runtime/auth/port.ts";
import type { AnyHandler } from "../../../runtime/index.ts";
import { RpcError } from "../../../runtime/contract/index.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const folder = join(import.meta.dirname, "../../scheme-contract/certificates");
const certificate = (name: string): string => readFileSync(join(folder, `${name}.pem`), "utf8");
const secret = "a-shared-secret-of-more-than-32-bytes";
const fingerprint = new X509Certificate(certificate("ann")).fingerprint256;

/** The caller of `tasks.yaml`, in every scheme. */
export const credentials: NonNullable<Access["credentials"]> = {
  user: { subject: "ann" },
  pass: { subject: "ann", secret },
  token: { token: "token-0123456789", limited: "token-limited-01", expired: "token-expired-01" },
  person: { user: "ann", password: "secret-0123456789" },
  machine: { key: "key-0123456789" },
  signed: { keyId: "k1", secret },
  sealed: { keyId: "k1", privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString() },
  proxied: { certificatePem: certificate("ann"), strangerPem: certificate("eve") },
};

export function accessTo(baseUrl: string): Access {
  return { userName: "", apiKey: "", keyId: "", privateKeyPem: "", baseUrl, credentials };
}

const ann = { caller: "ann" };

/** Right verifiers for the schemes of `tasks.yaml`. */
export const verifiers: Readonly<Record<string, SchemeVerifier>> = {
  user: jwt({ jwks: JSON.parse(JSON.stringify(publishedKeys(["ES256"]))), caller: ({ sub }) => sub }),
  pass: jwt({ secret, caller: ({ sub }) => sub }),
  token: bearer({
    caller: ({ token }) => (token === "token-0123456789" || token === "token-limited-01" ? token : undefined),
    scopes: (token) => (token === "token-0123456789" ? ["profile"] : []),
  }),
  person: basic({
    caller: ({ userName, password }) =>
      `${userName} ${password}` === "ann secret-0123456789" ? ann : undefined,
  }),
  machine: apiKey({
    keys: [{ sha256: createHash("sha256").update("key-0123456789").digest("hex"), caller: ann }],
  }),
  signed: hmac({ key: (keyId) => (keyId === "k1" ? { secret, ...ann } : undefined) }),
  sealed: messageSignature({
    key: (keyId) =>
      keyId === "k1"
        ? { key: createPublicKey(publicKey.export({ type: "spki", format: "pem" })), ...ann }
        : undefined,
  }),
  proxied: clientCert({
    trustedProxies: ["127.0.0.1"],
    caller: (presented) => (presented.fingerprint256 === fingerprint ? ann : undefined),
  }),
};

const task = { id: "1", title: "Write", state: "OPEN" };

/** Right bodies for the methods of `tasks.yaml`. */
export const handlers: Readonly<Record<string, AnyHandler>> = {
  subtract: async (payload) =>
    Number(Reflect.get(payload, "minuend")) - Number(Reflect.get(payload, "subtrahend")),
  list: async () => [task],
  add: async (payload) => ({ ...task, ...payload }),
  rename: async () => null,
  profile: async () => ({ name: null }),
  gone: async (payload) => {
    if (Reflect.get(payload, "id") === "deleted") throw new RpcError("GONE", { data: task });
    if (Reflect.get(payload, "id") === "lost") throw new RpcError("LOST", { data: { since: "yesterday" } });
    return task;
  },
  forms: async (payload) => payload,
  touched: async () => undefined,
  ping: async () => undefined,
};

export interface StartedService {
  readonly baseUrl: string;
  close(): void;
}

/** A service on a free port of this machine. */
export async function started(listener: RequestListener): Promise<StartedService> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
