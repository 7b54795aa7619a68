import { createPrivateKey, createSign, generateKeyPairSync } from "node:crypto";
import type { Pipeline } from "../../runtime/pipeline/index.ts";
import { signMessage } from "../../runtime/auth/index.ts";
import type { Identity } from "./access.ts";

/** A new P-256 key pair in PEM. */
export function newKeyPair(): { readonly privateKeyPem: string; readonly publicKeyPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
}

/** Any handler: what it takes and returns is what a call sends and receives. */
type AnyHandler = (payload: never, context: never) => Promise<object>;

/** Calls a method by its name and returns its result's members, each as text. */
export type SignedCall<Handlers extends { readonly [M in keyof Handlers]: AnyHandler }> = <
  Method extends keyof Handlers & string,
>(
  method: Method,
  payload: Parameters<Handlers[Method]>[0],
) => Promise<(name: keyof Awaited<ReturnType<Handlers[Method]>> & string) => string>;

/**
 * Calls an interface the way any client does, without a network between. The handlers' type tells the compiler which
 * payloads its methods take and which members their results have.
 */
export function signedCalls<Handlers extends { readonly [M in keyof Handlers]: AnyHandler }>(
  pipeline: Pipeline,
  { userName, apiKey, keyId, privateKeyPem }: Identity,
): SignedCall<Handlers> {
  const credential = `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
  const privateKey = createPrivateKey(privateKeyPem);
  let calls = 0;
  return async (method, payload) => {
    calls += 1;
    const payloadText = JSON.stringify(payload);
    const signature = createSign("sha256").update(payloadText).sign(privateKey, "base64");
    const api = JSON.stringify({ credential, keyId, signature });
    const id = `seed-${calls}`;
    const body = Buffer.from(
      `{"method":"${method}","id":"${id}","params":{"api":${api},"payload":${payloadText}}}`,
    );
    const message = { body, httpMethod: "POST", path: pipeline.path, keyId, privateKey };
    const headers = signMessage(message);
    const answer = await pipeline.answer({
      body,
      requestId: id,
      httpMethod: "POST",
      target: pipeline.path,
      header: (name) => [headers.get(name) ?? []].flat(),
    });
    const read: unknown = JSON.parse(answer.body);
    const result = memberOf(read, "result");
    if (result === undefined) throw new Error(`Demo data: ${method} answered ${answer.body}`);
    return (name) => String(memberOf(result, name));
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
