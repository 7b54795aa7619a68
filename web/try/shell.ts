import { textOf } from "../shared/json.ts";
import type { DescribedScheme } from "./tried.ts";
import { type SentRequest, quoted } from "./request-text.ts";
import { claimsOf, headerOf } from "./algorithms.ts";

/** The part of a shell program that is for one scheme. */
export interface ShellPart {
  /** Lines before the request. */
  readonly before: readonly string[];
  /** Options of curl. */
  readonly options: readonly string[];
}

/** The parts of a credential that are no secret. */
export type Shown = Readonly<Record<string, string>>;

/** A token that the shell signs, where the page made it; else the one of the environment. */
export function jwtPart(scheme: DescribedScheme, shown: Shown): ShellPart {
  const options = ['-H "Authorization: Bearer $TOKEN"'];
  const { isMade, algorithm = "", keyId = "", claims = "", scopes = "" } = shown;
  if (isMade !== "true") return { before: [], options };
  const own: unknown = claims.trim() === "" ? {} : JSON.parse(claims);
  const facts = {
    scheme,
    algorithm,
    keyId,
    scopes: scopes.split(" ").filter((scope) => scope !== ""),
    claims: typeof own === "object" && own !== null ? { ...own } : {},
  };
  // Times are numbers of the shell's own.
  const payload = JSON.stringify({ ...claimsOf(facts, 0), iat: "@now@", exp: "@end@", ...facts.claims });
  const text = quoted(payload)
    .replace('"@now@"', `'"$(date +%s)"'`)
    .replace('"@end@"', `'"$(($(date +%s) + 300))"'`);
  return {
    before: [
      `encode() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }`,
      `head=$(printf %s ${quoted(JSON.stringify(headerOf(facts)))} | encode)`,
      `claims=$(printf %s ${text} | encode)`,
      `printf %s "$head.$claims" > signed`,
      `TOKEN="$head.$claims.$(${signCommand(algorithm, "issuer.pem")} | encode)"`,
    ],
    options,
  };
}

export function hmacPart(scheme: DescribedScheme, { keyId = "" }: Shown, { url }: SentRequest): ShellPart {
  const { pathname, search } = new URL(url);
  const covered = Array.isArray(scheme["covers"]) ? scheme["covers"] : [];
  const values: readonly (readonly [string, string])[] = [
    ["timestamp", '"$time"'],
    ["nonce", '"$nonce"'],
    ["method", "POST"],
    ["path", quoted(pathname + search)],
  ];
  const used = values.filter(([part]) => covered.includes(part)).map(([, value]) => value);
  const hasNonce = covered.includes("nonce");
  return {
    before: [
      "time=$(date +%s)",
      ...(hasNonce ? ["nonce=$(openssl rand -hex 16)"] : []),
      `mac=$(printf '${"%s\\n".repeat(used.length)}%s' ${used.join(" ")} "$body" |`,
      '  openssl dgst -sha256 -hmac "$SIGNING_SECRET" -r | cut -c 1-64)',
    ],
    options: [
      `-H ${quoted(`${textOf(scheme["header"])}: `)}"t=$time,k="${quoted(keyId)}",${hasNonce ? "n=$nonce," : ""}v1=$mac"`,
    ],
  };
}

export function messageSignaturePart(
  scheme: DescribedScheme,
  { keyId = "", algorithm = "" }: Shown,
  { url }: SentRequest,
): ShellPart {
  const { pathname, search, href, host } = new URL(url);
  const covered = Array.isArray(scheme["covers"])
    ? scheme["covers"].map((name) => textOf(name))
    : ["@method", "@path", "content-digest"];
  const values: Readonly<Record<string, string>> = {
    "@method": "POST",
    "@path": quoted(pathname),
    "@query": quoted(search || "?"),
    "@target-uri": quoted(href),
    "@authority": quoted(host),
    "content-type": "application/json",
    "content-digest": '"$digest"',
  };
  const list = covered.map((name) => `"${name}"`).join(" ");
  const tag = scheme["tag"] === undefined ? "" : `;tag=${sfText(textOf(scheme["tag"]))}`;
  const lines = covered.map((name) => `${quoted(`"${name}"`)} ${values[name] ?? "''"}`).join(" ");
  return {
    before: [
      'digest="sha-256=:$(printf %s "$body" | openssl dgst -sha256 -binary | openssl base64 -A):"',
      `input=${quoted(`(${list});created=`)}"$(date +%s)"${quoted(`;keyid=${sfText(keyId)};nonce=`)}'"'"$(openssl rand -hex 16)"'"'${quoted(tag)}`,
      `printf '${"%s: %s\\n".repeat(covered.length)}"@signature-params": %s' ${lines} "$input" > signed`,
      `signature=$(${signCommand(algorithm, "private-key.pem")} | openssl base64 -A)`,
    ],
    options: [
      '-H "Content-Digest: $digest"',
      '-H "Signature-Input: sig1=$input"',
      '-H "Signature: sig1=:$signature:"',
    ],
  };
}

function sfText(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** The command that prints the signature of the file `signed`: of ECDSA its two numbers one after the other. */
function signCommand(algorithm: string, keyFile: string): string {
  const bits = /(?:sha)?(\d{3})(?:$|-)/.exec(algorithm.replace(/^ecdsa-p\d+-/, ""))?.[1] ?? "256";
  if (/^HS|^hmac/.test(algorithm)) return `openssl dgst -sha${bits} -hmac "$SIGNING_SECRET" -binary signed`;
  if (/^ed/i.test(algorithm)) return `openssl pkeyutl -sign -inkey ${keyFile} -rawin -in signed`;
  if (/^(?:ES|ecdsa)/.test(algorithm)) {
    const digits = { "256": 64, "384": 96, "512": 132 }[bits] ?? 64;
    return (
      `openssl dgst -sha${bits} -sign ${keyFile} signed | openssl asn1parse -inform DER | ` +
      `awk -F: '/INTEGER/ { n = $4; while (length(n) < ${digits}) n = "0" n; printf "%s", n }' | perl -ne 'print pack "H*", $_'`
    );
  }
  const padding = /PS|pss/.test(algorithm)
    ? " -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest"
    : "";
  return `openssl dgst -sha${bits}${padding} -sign ${keyFile} signed`;
}
