import type { SentRequest } from "./recorder.ts";

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
