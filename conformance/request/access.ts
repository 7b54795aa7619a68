import { createPrivateKey, type KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { omitUndefined } from "../base/omit-undefined.ts";
import { memberOf } from "../values/index.ts";
import { carrierOf } from "./carrier.ts";
import type { Credentials } from "./credential.ts";

/** One caller: what its requests are made and signed with. */
export interface Identity {
  readonly userName: string;
  readonly apiKey: string;
  readonly keyId: string;
  /** P-256, PKCS #8 or SEC 1. */
  readonly privateKeyPem: string;
  /** How signatures are written where a case does not say. Default `der`. */
  readonly signatureEncoding?: "der" | "p1363";
}

/** Identifiers by the names of samples. */
export type Samples = Readonly<Record<string, string | number>>;

/** How a service is reached, and what it holds: the file that `--access` names. */
export interface Access extends Identity {
  readonly baseUrl?: string;
  readonly operatorUrl?: string;
  readonly operator?: Identity;
  /** Whether the service requires that each HTTP message is signed, too (RFC 9421). */
  readonly messageSignatures?: boolean;
  readonly samples?: Samples;
  /** For a standard interface, instead of the members of an identity, which are empty. */
  readonly credentials?: Credentials;
  /** Where the operator's interface is under test: how the documented interface is reached, for fixtures. */
  readonly caller?: { readonly identity: Identity; readonly baseUrl: string };
}

/**
 * Access to the operator's interface: its operator calls, and the caller of the file prepares what only the documented
 * interface creates, such as accounts. Samples that the suite does not ask for are left out. @throws Error
 */
export function operatorAccess(access: Access, known: ReadonlySet<string>): Access {
  const { operator, operatorUrl, baseUrl, messageSignatures, samples, ...identity } = access;
  if (operator === undefined || operatorUrl === undefined)
    throw new Error(
      "the access file has no operator and operatorUrl: the operator's interface is called with them",
    );
  return {
    ...operator,
    baseUrl: operatorUrl,
    operatorUrl,
    operator,
    samples: knownSamples(samples, known),
    ...omitUndefined({
      messageSignatures,
      caller: baseUrl === undefined ? undefined : { identity, baseUrl },
    }),
  };
}

/**
 * Access to a further interface for the callers of the documented one, which prepare there what only that creates. Samples
 * that the suite does not ask for are left out.
 */
export function furtherAccess(access: Access, known: ReadonlySet<string>): Access {
  const { operator: _operator, operatorUrl: _operatorUrl, baseUrl, samples, ...identity } = access;
  return {
    ...access,
    samples: knownSamples(samples, known),
    ...omitUndefined({ caller: baseUrl === undefined ? undefined : { identity, baseUrl } }),
  };
}

function knownSamples(samples: Samples = {}, known: ReadonlySet<string>): Samples {
  return Object.fromEntries(Object.entries(samples).filter(([name]) => known.has(name)));
}

const envelopeWords = "it says who calls, with userName, apiKey, keyId and privateKeyPem";

/**
 * Reads the file that says who calls. `words` say what it holds, where it is not there.
 * @throws Error with every mistake in it
 */
export function openAccess(
  path: string,
  read: typeof readAccess = readAccess,
  words: string = envelopeWords,
): Access {
  if (!existsSync(path)) throw new Error(`there is no access file ${path}: ${words}`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`the access file ${path} cannot be read`, { cause: error });
  }
  return read(text, path);
}

/** Reads the text of an access file; `path` is what files in it are relative to. @throws Error with every mistake */
export function readAccess(text: string, path: string): Access {
  const json = parsed(text, path);
  const mistakes: string[] = [];
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new Error(`${path}: it has to be a JSON object with userName, apiKey, keyId and privateKeyPem`);
  const reading = { mistakes, folder: dirname(resolve(path)) };
  const identity = identityOf(json, "", reading);
  const operatorJson = memberOf(json, "operator");
  const operator = operatorJson === undefined ? undefined : identityOf(operatorJson, "operator.", reading);
  const access = {
    ...identity,
    ...urlMember(json, "baseUrl", mistakes),
    ...urlMember(json, "operatorUrl", mistakes),
    ...omitUndefined({ operator }),
    ...messageSignaturesMember(json, mistakes),
    ...samplesMember(json, mistakes),
  };
  strangers(json, fileMembers, "", mistakes);
  if (mistakes.length === 0) return access;
  const [only, ...more] = mistakes;
  throw new Error(more.length === 0 ? `${path}: ${only}` : `${path}:\n  ${mistakes.join("\n  ")}`);
}

/** Reports samples that no case uses: most often a misspelled name. @throws Error */
export function checkSamples({ samples = {} }: Access, known: ReadonlySet<string>): void {
  const unknown = Object.keys(samples).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new Error(
    `the access file has samples that no case asks for: ${unknown.join(", ")}; there are ${[...known].join(", ")}`,
  );
}

const textMembers = ["userName", "apiKey", "keyId"] as const;
const identityMembers = [...textMembers, "privateKeyPem", "privateKeyFile", "signatureEncoding"];
const fileMembers = [
  ...identityMembers,
  "baseUrl",
  "operatorUrl",
  "operator",
  "messageSignatures",
  "samples",
  "$schema",
];

interface Reading {
  readonly mistakes: string[];
  readonly folder: string;
}

function identityOf(json: unknown, prefix: string, { mistakes, folder }: Reading): Identity {
  const own = (name: string): string => {
    const value = memberOf(json, name);
    if (typeof value === "string" && value !== "") return value;
    mistakes.push(`${prefix}${name} ${value === undefined ? "is missing" : "has to be a text"}`);
    return "";
  };
  if (prefix !== "") strangers(json, identityMembers, prefix, mistakes);
  const identity = {
    userName: own("userName"),
    apiKey: own("apiKey"),
    keyId: own("keyId"),
    ...encodingMember(json, prefix, mistakes),
  };
  if (identity.userName.includes(":"))
    mistakes.push(`${prefix}userName has a colon, which ends it in a credential`);
  const file = memberOf(json, "privateKeyFile");
  if (file === undefined) return { ...identity, privateKeyPem: sound(own("privateKeyPem")) };
  if (memberOf(json, "privateKeyPem") !== undefined)
    mistakes.push(`${prefix}privateKeyPem and ${prefix}privateKeyFile are both there: give one`);
  const path = resolve(folder, String(file));
  if (existsSync(path)) return { ...identity, privateKeyPem: sound(readFileSync(path, "utf8")) };
  mistakes.push(`${prefix}privateKeyFile names ${path}, which is not there`);
  return { ...identity, privateKeyPem: "" };

  function sound(pem: string): string {
    const mistake = pem === "" ? undefined : keyMistake(pem);
    if (mistake !== undefined)
      mistakes.push(`${prefix}privateKey${file === undefined ? "Pem" : "File"} ${mistake}`);
    return pem;
  }
}

function encodingMember(
  json: unknown,
  prefix: string,
  mistakes: string[],
): Pick<Identity, "signatureEncoding"> {
  const given = memberOf(json, "signatureEncoding");
  if (given === "der" || given === "p1363") return { signatureEncoding: given };
  if (given !== undefined) mistakes.push(`${prefix}signatureEncoding has to be der or p1363`);
  return {};
}

function messageSignaturesMember(json: unknown, mistakes: string[]): Pick<Access, "messageSignatures"> {
  const given = memberOf(json, "messageSignatures");
  if (given === undefined) return {};
  if (typeof given === "boolean") return { messageSignatures: given };
  mistakes.push("messageSignatures has to be true or false");
  return {};
}

/** The mistake in a private key; `undefined` if it is missing. The text never has the key itself. */
function keyMistake(pem: string): string | undefined {
  if (/PUBLIC KEY|CERTIFICATE/.test(pem)) return "has to be the private key; this is a public one";
  if (/ENCRYPTED/.test(pem)) return "is locked by a pass phrase: give it without";
  if (!pem.includes("-----BEGIN"))
    return "has to be a key in PEM form, from -----BEGIN to -----END, with \\n between its lines";
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    return "cannot be read as a private key in PEM form";
  }
  if (key.asymmetricKeyType !== "ec")
    return `is of ${key.asymmetricKeyType ?? "another kind"}; it has to be of P-256`;
  const curve = key.asymmetricKeyDetails?.namedCurve;
  return curve === "prime256v1" ? undefined : `is of the curve ${curve}; it has to be of P-256`;
}

export function urlMember(json: unknown, name: "baseUrl" | "operatorUrl", mistakes: string[]) {
  const value = memberOf(json, name);
  if (value === undefined) return {};
  const mistake = addressMistake(value);
  if (mistake !== undefined) mistakes.push(`${name} ${mistake}`);
  return { [name]: String(value) };
}

/** The mistake in the address of a service; `undefined` if it is missing. */
export function addressMistake(value: unknown): string | undefined {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && carrierOf(url.href) === "stdio") return undefined;
  if (url === undefined || !/^(?:https?|wss?):$/.test(url.protocol))
    return "has to be an address such as https://ledger.example";
  if (url.username !== "" || url.password !== "")
    return "has a user in it: who calls is said by the other members of the access file";
  return url.search === "" && url.hash === "" ? undefined : "has to be without ? and #";
}

export function samplesMember(json: unknown, mistakes: string[]) {
  const given = memberOf(json, "samples");
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    mistakes.push("samples has to be an object of identifiers by name");
    return {};
  }
  const samples: [string, string | number][] = [];
  for (const [name, value] of Object.entries(given)) {
    if ((typeof value === "string" && value !== "") || typeof value === "number") samples.push([name, value]);
    else
      mistakes.push(`samples.${name} has to be a text or a number: leave it out where the service has none`);
  }
  return { samples: Object.fromEntries(samples) };
}

export function strangers(json: unknown, known: readonly string[], prefix: string, mistakes: string[]): void {
  if (typeof json !== "object" || json === null) {
    mistakes.push(`${prefix.slice(0, -1)} has to be an object`);
    return;
  }
  for (const name of Object.keys(json)) {
    if (known.includes(name)) continue;
    const meant = known.find((each) => each.toLowerCase() === name.toLowerCase().replaceAll(/[-_]/g, ""));
    mistakes.push(
      `${prefix}${name} means nothing here${meant === undefined ? "" : `: is it ${prefix}${meant}`}`,
    );
  }
}

/** The parser's own words may quote a secret, so only the place is taken from them. */
export function parsed(text: string, path: string): unknown {
  let place = "";
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    place = / \(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : "")?.[0] ?? "";
  }
  throw new Error(`${path} is no JSON${place}`);
}
