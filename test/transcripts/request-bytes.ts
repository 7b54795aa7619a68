import { createHash, createPrivateKey, sign } from "node:crypto";
import canonicalize from "canonicalize";
import { apiKeys } from "./bank.ts";
import { keyText, nowMs } from "./service.ts";

/**
 * The bytes of a transcript's request. Lines of its head end in CRLF; the body goes out as it is, save for
 *
 *   <<…>>                                 the bytes that are signed, without the marks; else the whole body is
 *   <%credential ana%>                    Basic and base64 of name and API key; a second word replaces the API key
 *   <%basic text%>                        Basic and base64 of any text
 *   <%base64 text%>                       base64 of any text
 *   <%api ana%>                           credential, keyId and signature as the members of params.api
 *   <%signature ana%>                     over the signed bytes, DER; `p1363` and `jcs` change form and bytes
 *   <%signature ana over text%>           over other bytes
 *   <%message-signature ana name=value%>  Content-Digest, Signature-Input and Signature of RFC 9421
 *   <%length%>                            bytes of the body
 *   <%pem ana%>                           the public key, as the inside of a JSON string
 *   <%bytes ef bb%>, <%repeat text 9%>, <%list text 9%>  any bytes; a text repeated, joined by nothing or commas
 */
export function requestBytes(text: string): Buffer {
  const binary = Buffer.from(text).toString("latin1");
  const split = binary.indexOf("\n\n");
  const head = split < 0 ? binary : binary.slice(0, split);
  const template = (split < 0 ? "" : binary.slice(split + 2)).replaceAll(
    /<%(?:bytes|repeat|list|pem) .*?%>/g,
    literal,
  );
  const signed = /<<(.*?)>>/s.exec(template)?.[1] ?? template;
  const body = template.replaceAll(/<<|>>/g, "").replaceAll(/<%.*?%>/g, (mark) => filled(mark, signed, ""));
  const filledHead = head.replaceAll(/<%.*?%>/g, (mark) => filled(mark, signed, body));
  return Buffer.from(`${filledHead.replaceAll("\n", "\r\n")}\r\n\r\n${body}`, "latin1");
}

function wordsOf(mark: string): readonly string[] {
  return mark.slice(2, -2).split(" ");
}

function literal(mark: string): string {
  const [name = "", ...words] = wordsOf(mark);
  const [text = "", times = ""] = words;
  switch (name) {
    case "bytes":
      return Buffer.from(words.join(""), "hex").toString("latin1");
    case "repeat":
      return text.repeat(Number(times));
    case "list":
      return Array.from({ length: Number(times) }, () => text).join(",");
    default:
      return JSON.stringify(keyText(`${text}.pub.pem`)).slice(1, -1);
  }
}

function filled(mark: string, signed: string, body: string): string {
  const [name = "", user = "", ...more] = wordsOf(mark);
  switch (name) {
    case "length":
      return String(body.length);
    case "credential":
      return basic(`${user}:${more[0] ?? apiKeys[user] ?? ""}`);
    case "basic":
      return basic([user, ...more].join(" "));
    case "base64":
      return Buffer.from([user, ...more].join(" ")).toString("base64");
    case "signature":
      return signature(user, more, signed);
    case "api": {
      const credential = basic(`${user}:${apiKeys[user] ?? ""}`);
      return JSON.stringify({ credential, keyId: `key-${user}`, signature: signature(user, more, signed) });
    }
    case "message-signature":
      return messageSignature(user, new Map(more.map(pairOf)), body);
    default:
      throw new Error(`no placeholder is called ${mark}`);
  }
}

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString("base64")}`;
}

/** Digits in base 64 of a DER signature of 70 to 72 bytes. */
const commonLength = 96;

function signature(key: string, words: readonly string[], signed: string): string {
  const over = words.indexOf("over");
  let bytes = Buffer.from(over < 0 ? signed : words.slice(over + 1).join(" "), "latin1");
  if (words.includes("jcs")) bytes = Buffer.from(canonicalize(JSON.parse(bytes.toString())) ?? "");
  const dsaEncoding = words.includes("p1363") ? "ieee-p1363" : "der";
  // One of 60 DER signatures is shorter: answers that name a byte's place in the request would differ.
  for (;;) {
    const made = sign("sha256", bytes, { key: privateKey(key), dsaEncoding }).toString("base64");
    if (dsaEncoding !== "der" || made.length === commonLength) return made;
  }
}

function privateKey(name: string) {
  return createPrivateKey(keyText(`${name}.pem`));
}

function pairOf(word: string): [string, string] {
  const [name = "", value = ""] = word.split("=");
  return [name, value];
}

/** Three header lines; `nonce`, `created` and `expires` (seconds from now), `path`, `key` and `keyid` can be chosen. */
function messageSignature(user: string, choices: ReadonlyMap<string, string>, body: string): string {
  const digest = `sha-256=:${createHash("sha256").update(Buffer.from(body, "latin1")).digest("base64")}:`;
  const at = (name: string, otherwise: string) => nowMs / 1000 + Number(choices.get(name) ?? otherwise);
  const times = `created=${at("created", "0")};expires=${at("expires", "60")}`;
  const identity = `nonce="${choices.get("nonce") ?? "n1"}";keyid="key-${user}"`;
  const input = `("@method" "@path" "content-digest");${times};${identity}`;
  const path = choices.get("path") ?? "/jsonrpc";
  const base = `"@method": POST\n"@path": ${path}\n"content-digest": ${digest}\n"@signature-params": ${input}`;
  const key = { key: privateKey(choices.get("key") ?? user), dsaEncoding: "ieee-p1363" } as const;
  const value = sign("sha256", Buffer.from(base), key).toString("base64");
  return `Content-Digest: ${digest}\nSignature-Input: sig1=${input}\nSignature: sig1=:${value}:`;
}

