import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { createCallers, storedNonces, createVerifier } from "../../runtime/pipeline/index.ts";
import { createReplayRegister, signMessage } from "../../runtime/auth/index.ts";
import type { JsonObject, MethodDescriptor } from "../../runtime/contract/index.ts";
import type { Evidence, SchemeBinding } from "../../runtime/auth/port.ts";
import type { Envelope } from "../../runtime/protocol/signed-envelope/envelope.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { systemClock } from "../../runtime/operations/system/index.ts";
import { institutions, users, apiKeys, deviceKeys } from "../../runtime/store/tables/index.ts";

/** Calls and services that schemes are tried with. */
const keyPair = generateKeyPairSync("ec", { namedCurve: "P-256" });
export const apiKey = "0123456789abcdef";
export const credential = basic("una", apiKey);
const path = ledgerInterface.path;

export function basic(userName: string, key: string): string {
  return `Basic ${Buffer.from(`${userName}:${key}`).toString("base64")}`;
}

function methodOf(name: string): MethodDescriptor {
  const method = ledgerInterface.methods[name];
  if (method === undefined) throw new Error(`no ${name}`);
  return method;
}

/** The evidence of a call; headers by their lower-case names. */
export function callOf(
  method: MethodDescriptor,
  envelope: Envelope,
  headers: ReadonlyMap<string, string> = new Map(),
  body = envelope.payloadBytes,
): Evidence {
  const signed = {
    method,
    currentMethod: method.name,
    envelope,
    payloadField: (name: string) => envelope.payload[name],
  };
  return {
    body,
    httpMethod: "POST",
    target: path,
    header: (name) => [headers.get(name) ?? []].flat(),
    call: { method: method.name, signed },
  };
}

export const payloadOf = (id: string): JsonObject => ({ AccountNumber: "1234567890", Note: id });
export const signatureOf = (payload: object): string =>
  sign("sha256", Buffer.from(JSON.stringify(payload)), keyPair.privateKey).toString("base64");

interface Changes {
  /** Members that the operation asks for, where the credential alone is to do. */
  readonly asks?: readonly string[];
  readonly api?: Readonly<Record<string, string>>;
  /** Signed in place of the payload. */
  readonly signed?: object;
  /** Without the signature of the message. */
  readonly unsignedMessage?: true;
}

export function enveloped(id: string, { api, asks, signed, unsignedMessage }: Changes = {}): Evidence {
  const payload = payloadOf("same");
  const payloadBytes = Buffer.from(JSON.stringify(payload));
  const members = api ?? { credential, keyId: "k1", signature: signatureOf(signed ?? payload) };
  const message = {
    body: payloadBytes,
    httpMethod: "POST",
    path,
    keyId: "k1",
    privateKey: keyPair.privateKey,
  };
  const headers = unsignedMessage === true ? new Map<string, string>() : signMessage(message);
  const envelope: Envelope = {
    kind: "enveloped",
    id,
    methodName: "AccountService.GetAccount",
    api: members,
    payload,
    payloadBytes,
  };
  const method = methodOf("AccountService.GetAccount");
  const transport = { kind: "enveloped", auth: asks ?? [], jsonrpc: true } as const;
  return callOf(asks === undefined ? method : { ...method, transport }, envelope, headers);
}

export function flat(id: string, { signed, ...more }: Changes = {}): Evidence {
  const payload = payloadOf(id);
  const method = methodOf("GetSource");
  const envelope: Envelope = {
    kind: "flat",
    method,
    payload,
    payloadBytes: Buffer.from(JSON.stringify(payload)),
  };
  const header = `keyId=k1,algorithm=ecdsa-sha256,signature=${signatures.get(id) ?? keep(id, payload)}`;
  const signature =
    signed === undefined ? header : header.replace(/signature=.*/, `signature=${signatureOf(signed)}`);
  const own = { authorization: credential, signature, ...more.api };
  return callOf(method, envelope, new Map(Object.entries(own)));
}

/** ECDSA signs differently each time; a repetition of a flat body has the signature that it had. */
const signatures = new Map<string, string>();
function keep(id: string, payload: object): string {
  const signature = signatureOf(payload);
  signatures.set(id, signature);
  return signature;
}

/** Services of a scheme, over a store in memory with two users: `una` of the realm `ledger`, and an operator. */
export async function binding(isStrict: boolean): Promise<SchemeBinding> {
  const clock = systemClock;
  const store = createMemoryStore();
  const createdAt = clock.now();
  await store.write(async (tx) => {
    await tx.insert(institutions, { id: "bank", name: "Bank" });
    for (const [userName, realm] of [
      ["una", "ledger"],
      ["olaf", "operator"],
    ] as const) {
      const email = `${userName}@example.com`;
      const user = {
        userName,
        institutionId: "bank",
        realm,
        email,
        scopes: ["*"],
        otpFailures: 0,
        createdAt,
      };
      await tx.insert(users, user);
      const hash = createHash("sha256").update(apiKey).digest("hex");
      await tx.insert(apiKeys, { id: `api-${userName}`, userName, hash, createdAt });
    }
    const publicKeyPem = keyPair.publicKey.export({ type: "spki", format: "pem" }).toString();
    const status = "ACTIVE" as const;
    await tx.insert(deviceKeys, { keyId: "k1", userName: "una", status, publicKeyPem, createdAt });
    await tx.insert(deviceKeys, { keyId: "k2", userName: "olaf", status, publicKeyPem, createdAt });
  });
  const callers = createCallers({ store, clock });
  return {
    scheme: "signedEnvelope",
    realm: "ledger",
    clock,
    replays: createReplayRegister({ clock, shelf: storedNonces(store) }),
    services: { callers, verifier: createVerifier(), rules: { isStrict } },
  };
}

/** A call that proves who calls by the header `Authorization` alone. */
export function withAuthorization(id: string, authorization: string): Evidence {
  const call = enveloped(id);
  return { ...call, header: (name) => (name === "authorization" ? [authorization] : []) };
}

/** The evidence of a flat body whose bytes and headers are those of a request. */
export function flatEvidence(request: Evidence): Evidence {
  const method = methodOf("GetSource");
  const payloadBytes = Buffer.from(request.body);
  const envelope: Envelope = { kind: "flat", method, payload: {}, payloadBytes };
  const signed = { method, currentMethod: method.name, envelope, payloadField: () => undefined };
  return { ...request, call: { method: method.name, signed } };
}
