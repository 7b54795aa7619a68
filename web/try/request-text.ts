import { textOf } from "../shared/json.ts";
import type { Answered } from "./tried.ts";

/** The operation that a program calls. */
interface CalledOperation {
  readonly name: string;
  readonly isFlat: boolean;
}

/** Who signs, without what is secret. */
export interface Signed {
  readonly userName: string;
  readonly keyId: string;
  /** The exact text that was signed. */
  readonly payload: string;
}

/** The exact request, as HTTP. */
export function httpText({ url, headers, body }: SentRequest): string {
  const { host, pathname } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${pathname} HTTP/1.1`, `host: ${host}`, ...lines, "", body].join("\n");
}

/** A program for a shell that signs the same payload and sends it. The API key comes from the environment. */
export function curlText(
  operation: CalledOperation,
  { url, headers }: SentRequest,
  { userName, keyId, payload }: Signed,
): string {
  const start = `curl -s ${quoted(url)} -H 'content-type: application/json' -H ${quoted(`x-interface-revision: ${headers["x-interface-revision"]}`)}`;
  const send = operation.isFlat
    ? [
        `${start} -H "authorization: $credential" \\`,
        `  -H ${quoted(`signature: keyId=${keyId},algorithm=ecdsa-sha256,signature=`)}"$signature" -d "$payload"`,
      ]
    : [
        `${start} \\`,
        `  -d ${quoted(`{"method":${JSON.stringify(operation.name)},"id":"`)}"$(openssl rand -hex 16)"${quoted(
          '","params":{"api":{"credential":"',
        )}"$credential"${quoted(`","keyId":${JSON.stringify(keyId)},"signature":"`)}"$signature"${quoted(
          '","apiKey":"',
        )}"$API_KEY"${quoted('"},"payload":')}"$payload"${quoted("}}")}`,
      ];
  return [
    `payload=${quoted(payload)}`,
    `credential="Basic $(printf %s ${quoted(`${userName}:`)}"$API_KEY" | openssl base64 -A)"`,
    `signature=$(printf %s "$payload" | openssl dgst -sha256 -sign private-key.pem | openssl base64 -A)`,
    ...(headers["signature-input"] === undefined
      ? []
      : [
          "# The service also takes a signature of each message (RFC 9421), which clients of its interface make.",
        ]),
    ...send,
  ].join("\n");
}

/** A program that calls the generated client. */
export function clientText(
  name: string,
  operation: CalledOperation,
  { url, headers }: SentRequest,
  { userName, keyId, payload }: Signed,
): string {
  const className = `${name.charAt(0).toUpperCase()}${name.slice(1)}Client`;
  const messages = headers["signature-input"] === undefined ? "" : "messageSignatures";
  return `import { readFile } from "node:fs/promises";
import { ${className}${messages && `, ${messages}`} } from "${name}-client";

const client = new ${className}({
  baseUrl: ${JSON.stringify(new URL(url).origin)},
  credential: { userName: ${JSON.stringify(userName)}, apiKey: process.env.API_KEY ?? "" },
  signer: { keyId: ${JSON.stringify(keyId)}, privateKey: await readFile("private-key.pem", "utf8") },${messages && `\n  ${messages},`}
});
const result = await client.call(${JSON.stringify(operation.name)}, ${JSON.stringify(JSON.parse(payload), undefined, 2)});
console.log(result);
`;
}

/** A text as one word of a POSIX shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A request as it was sent. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A `fetch` for a client, with the request that it was asked for and the answer that it gave. */
interface Recorder {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  sent(): SentRequest | undefined;
  answered(): Answered | undefined;
}

/** In place of a client's `fetch`: notes the request, and sends it only where it is to be sent. */
export function createRecorder(isSent: boolean): Recorder {
  let sent: SentRequest | undefined;
  let answered: Answered | undefined;
  return {
    sent: () => sent,
    answered: () => answered,
    async fetch(url, init) {
      sent = { url, headers: Object.fromEntries(new Headers(init.headers)), body: bodyOf(init.body) };
      if (!isSent) throw new Error("the request was only shown");
      const startedAt = performance.now();
      const response = await fetch(url, init);
      const text = await response.text();
      const aheadSeconds = (Date.now() - Date.parse(response.headers.get("date") ?? "")) / 1_000;
      answered = { status: response.status, text, milliseconds: performance.now() - startedAt, aheadSeconds };
      const isEmpty = response.status === 204;
      return new Response(isEmpty ? null : text, { status: response.status, headers: response.headers });
    },
  };
}

function bodyOf(body: RequestInit["body"]): string {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : textOf(body);
}
