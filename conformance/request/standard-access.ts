import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { messageOf } from "../base/message-of.ts";
import { isOwnKind, type JsonRpcEntry } from "../suite/json-rpc.ts";
import { memberOf } from "../values/index.ts";
import { type Access, openAccess, parsed, samplesMember, strangers, urlMember } from "./access.ts";
import { ownVariants, type Credential, type Credentials, type OwnCredential } from "./credential.ts";
import { schemeKindOf } from "./schemes/index.ts";
import { headersIn, loadHeaders } from "./schemes/own.ts";

/** Reads the access file of a standard interface. @throws Error with every mistake in it */
export function openStandardAccess(path: string, entry: JsonRpcEntry): Access {
  return openAccess(path, (text, from) => readStandardAccess(text, from, entry), accessWords(entry));
}

/** Describes the access file of an interface. */
function accessWords({ schemes }: JsonRpcEntry): string {
  const credentials = schemes.map(({ name, kind }) => {
    if (isOwnKind({ kind })) return `credentials.${name} (headers or module)`;
    const { needed = [], more = [] } = schemeKindOf(kind)?.access ?? {};
    const parts = [needed.join(", "), more.length === 0 ? "" : `may have ${more.join(", ")}`];
    return `credentials.${name} (${parts.filter((part) => part !== "").join("; ")})`;
  });
  if (credentials.length === 0)
    return "it says where the service is, with baseUrl; no credentials are asked for";
  return `it says who calls, with ${credentials.join(" and ")}`;
}

/** The text of an access file of a standard interface: where it is, credentials by scheme, samples. @throws Error */
export function readStandardAccess(text: string, path: string, entry: JsonRpcEntry): Access {
  const { schemes } = entry;
  const json = parsed(text, path);
  const mistakes: string[] = [];
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new Error(`${path}: it has to be a JSON object with baseUrl, credentials and samples`);
  const access = {
    userName: "",
    apiKey: "",
    keyId: "",
    privateKeyPem: "",
    credentials: credentialsIn(json, schemes, { mistakes, folder: dirname(resolve(path)) }),
    ...urlMember(json, "baseUrl", mistakes),
    ...samplesMember(json, mistakes),
  };
  const before = mistakes.length;
  strangers(json, ["baseUrl", "credentials", "samples", "$schema"], "", mistakes);
  if (mistakes.length > before) mistakes.push(accessWords(entry));
  if (mistakes.length === 0) return access;
  throw new Error(mistakes.length === 1 ? `${path}: ${mistakes[0]}` : `${path}:\n  ${mistakes.join("\n  ")}`);
}

interface Reading {
  readonly mistakes: string[];
  readonly folder: string;
}

function credentialsIn(json: object, schemes: JsonRpcEntry["schemes"], reading: Reading): Credentials {
  const given = memberOf(json, "credentials") ?? {};
  if (typeof given !== "object" || given === null) {
    reading.mistakes.push("credentials has to be an object: one member for each authentication scheme");
    return {};
  }
  const found: [string, Credential][] = [];
  for (const [name, credential] of Object.entries(given)) {
    const scheme = schemes.find((each) => each.name === name);
    if (scheme === undefined)
      reading.mistakes.push(
        `credentials.${name} is of no scheme: there ${schemes.length === 0 ? "is none" : `are ${schemes.map((each) => each.name).join(", ")}`}`,
      );
    else found.push([name, credentialOf(credential, scheme, reading)]);
  }
  return Object.fromEntries(found);
}

function credentialOf(
  json: unknown,
  { name, kind }: JsonRpcEntry["schemes"][number],
  reading: Reading,
): Credential {
  if (isOwnKind({ kind })) return ownCredentialOf(json, `credentials.${name}.`, reading);
  const { mistakes, folder } = reading;
  const { needed = [], more = [] } = schemeKindOf(kind)?.access ?? {};
  const known = [...needed, ...more];
  const files = known.filter((member) => member.endsWith("Pem")).map(fileMember);
  strangers(json, [...known, ...files], `credentials.${name}.`, mistakes);
  const values: [string, unknown][] = [];
  for (const member of known) {
    const own = `credentials.${name}.${member}`;
    const value =
      memberOf(json, member) ?? contentOf(memberOf(json, fileMember(member)), folder, own, mistakes);
    if (value === undefined) {
      if (needed.includes(member)) mistakes.push(`${own} is missing`);
    } else if (member === "claims" ? typeof value === "object" : typeof value === "string" && value !== "")
      values.push([member, value]);
    else mistakes.push(`${own} has to be ${member === "claims" ? "an object" : "a text"}`);
  }
  return Object.fromEntries(values);
}

/** For a scheme of the project's own: the headers, or the module that makes them for each request. */
function ownCredentialOf(json: unknown, prefix: string, { mistakes, folder }: Reading): Credential {
  strangers(json, ["headers", ...ownVariants, "module"], prefix, mistakes);
  const found = (["headers", ...ownVariants] as const).flatMap((member) => {
    const given = memberOf(json, member);
    const headers = headersIn(given);
    if (given !== undefined && headers === undefined)
      mistakes.push(`${prefix}${member} has to be an object of headers, each with a text`);
    return headers === undefined ? [] : [[member, headers] as const];
  });
  const file = memberOf(json, "module");
  if (file === undefined) {
    const { headers, ...variants }: Partial<OwnCredential> = Object.fromEntries(found);
    if (memberOf(json, "headers") === undefined)
      mistakes.push(`${prefix}headers is missing: what callers send, or module, a file that makes it`);
    return headers === undefined ? {} : { own: { headers, ...variants } };
  }
  if (found.length > 0)
    mistakes.push(`${prefix}${found[0]?.[0]} and ${prefix}module are both there: give one`);
  const path = resolve(folder, String(file));
  try {
    loadHeaders(path);
  } catch (error) {
    const reason = !existsSync(path) ? "is not there" : `cannot be used: ${messageOf(error)}`;
    mistakes.push(`${prefix}module names ${path}, which ${reason}`);
  }
  return { module: path };
}

/** `privateKeyPem` may be in a file of its own, which `privateKeyFile` names. */
function fileMember(member: string): string {
  return member.replace(/Pem$/, "File");
}

function contentOf(file: unknown, folder: string, member: string, mistakes: string[]): string | undefined {
  if (typeof file !== "string" || !member.endsWith("Pem")) return undefined;
  const path = resolve(folder, file);
  if (existsSync(path)) return readFileSync(path, "utf8");
  mistakes.push(`${fileMember(member)} names ${path}, which is not there`);
  return undefined;
}
