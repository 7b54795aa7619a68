import { shellWord } from "../base/shell-word.ts";
import type { Suite } from "../suite/suite.ts";
import { isJsonObject, memberOf } from "../values/index.ts";
import type { Identity } from "./access.ts";
import { carrierOf, commandPrefix } from "./carrier.ts";
import { basicCredential } from "./schemes/signed-envelope.ts";
import { NoAnswer, type WireAnswer } from "./transport.ts";
import type { WireRequest } from "./wire-request.ts";

/**
 * A request as a command to paste. It contains no credentials: it takes them from `$CREDENTIAL` and `$API_KEY`, so
 * that you can share a report.
 */
export function curlOf(baseUrl: string, wire: WireRequest, identity: Identity): string {
  if (carrierOf(baseUrl) !== undefined) return messageCommand(baseUrl, wire);
  const url = `${baseUrl.replace(/\/$/, "")}${wire.path}`;
  const hide = (text: string): string => hidden(text, identity);
  const secrets = wire.secretHeaders ?? [];
  const headers = Object.entries(wire.headers).map(([name, value]) =>
    secrets.includes(name)
      ? `-H ${shellWord(`${name}: `)}"\$${shellName(name)}"`
      : `-H ${hide(shellWord(`${name}: ${value}`))}`,
  );
  const method = wire.httpMethod === "POST" ? [] : [`-X ${wire.httpMethod}`];
  const isText =
    Buffer.from(wire.body.toString("utf8")).equals(wire.body) &&
    !wire.body.includes(0) &&
    wire.body.length < argumentBytesMax;
  const body = isText
    ? [`--data-binary ${hide(shellWord(wire.body.toString("utf8")))}`]
    : ["--data-binary @-"];
  const parts = [`curl -s ${shellWord(url)}`, ...method, ...headers, ...(wire.body.length === 0 ? [] : body)];
  const command = parts.join(" \\\n  ");
  return isText ? command : `printf %b ${hide(shellWord(withEscapes(wire.body)))} | ${command}`;
}

/** A message on its way to a WebSocket or a command. Secrets are names of variables of the shell. */
function messageCommand(baseUrl: string, { body, headers, path, secretHeaders = [] }: WireRequest): string {
  const message = `printf '%s\\n' ${shellWord(body.toString("utf8"))}`;
  if (carrierOf(baseUrl) === "stdio") return `${message} | ${baseUrl.slice(commandPrefix.length)}`;
  const sent = Object.keys(headers).filter((name) => secretHeaders.includes(name));
  const proof = sent.map((name) => ` -H ${shellWord(`${name}: `)}"\$${shellName(name)}"`).join("");
  return `${message} | websocat${proof} ${shellWord(`${baseUrl.replace(/\/$/, "")}${path}`)}`;
}

/** Systems take no longer arguments than 128 KiB. */
const argumentBytesMax = 100_000;

/** Bytes for `printf %b`: what is no printable ASCII as octal numbers. */
function withEscapes(bytes: Buffer): string {
  return bytes
    .toString("latin1")
    .replaceAll(/[^\x20-\x7e]|\\/g, (char) =>
      char === "\\" ? "\\\\" : `\\0${char.charCodeAt(0).toString(8).padStart(3, "0")}`,
    );
}

/** Puts shell variables in place of the API key and of what is made of it; of a key with another last character too. */
function hidden(text: string, identity: Identity): string {
  const { apiKey } = identity;
  const stem = apiKey.slice(0, -1);
  if (apiKey === "") return text;
  if (apiKey.length < keyLengthMin) return hiddenInPlace(text, identity);
  const named = (part: string, before: string, after: string): string =>
    part
      .replaceAll(apiKey, `${before}\${API_KEY}${after}`)
      .replaceAll(stem, `${before}\${API_KEY%?}${after}`);
  const encoded = text
    .replaceAll(basicCredential(identity), `'"$CREDENTIAL"'`)
    .replaceAll(base64Word, (word) => {
      const decoded = Buffer.from(word, "base64").toString("utf8");
      if (!decoded.includes(stem)) return word;
      const escaped = decoded.replaceAll(/["$`\\]/g, String.raw`\$&`);
      return `'"$(printf %s "${named(escaped, "", "")}" | openssl base64 -A)"'`;
    });
  return encoded
    .split(ownSubstitution)
    .map((part, index) => (index % 2 === 1 ? part : named(part, `'"`, `"'`)))
    .join("");
}

/** A key that is shorter would be found in every other word. */
const keyLengthMin = 6;

/** Puts shell variables where a request has the API key: a short one cannot be distinguished from other text. */
function hiddenInPlace(text: string, identity: Identity): string {
  return text
    .replaceAll(/[A-Za-z0-9+/]{4,}={0,2}/g, (word) => {
      const isOwn = Buffer.from(word, "base64").toString("utf8").startsWith(`${identity.userName}:`);
      return isOwn ? `'"\${CREDENTIAL#Basic }"'` : word;
    })
    .replaceAll(/("apiKey"\s*:\s*")(?:[^"\\]|\\.)*/g, (_whole, before: string) => `${before}'"\${API_KEY}"'`);
}

const base64Word = /[A-Za-z0-9+/]{8,}={0,2}/g;
const ownSubstitution = /('"\$\(printf %s .*? \| openssl base64 -A\)"')/;

/** The variable that stands for the value of a header: `$X_API_KEY`. */
function shellName(header: string): string {
  return header.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
}

/**
 * How the variables that commands of `curlOf` name are set; empty where they name none. Where messages are signed, it says
 * how a case is sent again: a signature is good once, and for seconds.
 */
export function curlPreparation(
  accessFile: string,
  commands: readonly string[],
  areMessagesSigned = false,
): string {
  const file = shellWord(accessFile);
  const read = (expression: string): string =>
    `$(node -p "const a = JSON.parse(require('fs').readFileSync(process.argv[1], 'utf8')); ${expression}" ${file})`;
  const signed = [
    `export API_KEY="${read("a.apiKey")}"`,
    `export CREDENTIAL="Basic ${read("Buffer.from(a.userName + ':' + a.apiKey).toString('base64')")}"`,
  ];
  const headers = new Set(
    commands.flatMap((each) => [...each.matchAll(headerVariable)].map(([, name = ""]) => name)),
  );
  const unsigned = [
    "# The service asks for a signature of each HTTP message, too (RFC 9421). These commands have none, and are refused for that.",
    `# To send a case again, signed: ledger-rpc conform --access ${file} --operation '<its id>'`,
  ];
  return [
    ...(areMessagesSigned && commands.length > 0 ? unsigned : []),
    ...(commands.some((each) => /\$\{?(?:API_KEY|CREDENTIAL)\b/.test(each)) ? signed : []),
    ...[...headers].map((name) => `export ${shellName(name)}='…' # what the header ${name} is to be`),
  ].join("\n");
}

const headerVariable = /-H '([A-Za-z0-9-]+): '"\$[A-Z0-9_]+"/g;

/** Gives one exchange as `--trace` prints it. Credentials are not in it, nor what the spec calls sensitive. */
export function tracer({
  suite,
  baseUrl,
  identity,
}: {
  readonly suite: Suite;
  readonly baseUrl: string;
  readonly identity: Identity;
}): (request: WireRequest, answer: WireAnswer | NoAnswer) => string {
  const names = ["apiKey", ...sensitiveNames(suite)].map((name) => name.replaceAll(/\W/g, String.raw`\$&`));
  const members = new RegExp(
    String.raw`("(?:${names.join("|")})"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*)`,
    "gi",
  );
  const hidden = (text: string): string =>
    text.replaceAll(members, '$1"…"').replaceAll(/(Basic )[A-Za-z0-9+/=]+/g, "$1…");
  return (request, answer) => {
    const sent = hidden(curlOf(baseUrl, request, identity))
      .split("\n")
      .map((line) => `> ${line}`);
    if (answer instanceof NoAnswer) return [...sent, `< ${answer.message}`, ""].join("\n");
    const headers = Object.entries(answer.headers).map(([name, value]) => `< ${name}: ${String(value)}`);
    return [
      ...sent,
      `< HTTP ${answer.status} (${answer.ms.toFixed(1)} ms)`,
      ...headers,
      `< ${hidden(answer.body.toString("utf8"))}`,
      "",
    ].join("\n");
  };
}

/** Names of the fields that are never shown, wherever they stand. */
function sensitiveNames(part: unknown): readonly string[] {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) look(item);
    else if (isJsonObject(value)) {
      const name = memberOf(value, "name");
      if (memberOf(value, "sensitive") === true && typeof name === "string") found.add(name);
      for (const inner of Object.values(value)) look(inner);
    }
  };
  look(part);
  return [...found];
}
