import { isObject, textOf } from "../shared/json.ts";
import { keyFromPem, type PageKey } from "../shared/key.ts";
import { algorithmOf, isSymmetric, keyFromSecret, signWith, type Sign } from "./algorithms.ts";
import type { DescribedScheme } from "./described.ts";
import { signedToken } from "./token.ts";

/** Credentials of a caller, by the names of schemes. They live in the page's memory and are gone with it. */
export interface Credentials {
  /** Shown for as long as they are kept; empty where there are none. */
  readonly name: string;
  /** As the generated client takes them. */
  readonly auth: Readonly<Record<string, unknown>>;
  /** The parts of them that are no secret, for programs that do the same: `keyId`, `user`, `algorithm`. */
  readonly shown: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** One thing that a scheme asks for; its name is that of an access file's member. */
export interface CredentialField {
  readonly name: string;
  readonly label: string;
  readonly input: "text" | "secret" | "area" | "choice" | "check";
  readonly choices?: readonly string[];
  readonly hint?: string;
}

/** The texts of the fields, by name. */
export type Filled = Readonly<Record<string, string>>;

const keyId: CredentialField = { name: "keyId", label: "Key identifier", input: "text" };
const pem: CredentialField = { name: "privateKeyPem", label: "Private key (PEM)", input: "area" };
const secret: CredentialField = { name: "secret", label: "Secret", input: "secret" };

/** The fields of a scheme. */
export function fieldsOf(scheme: DescribedScheme): readonly CredentialField[] {
  const names = algorithmsOf(scheme);
  const choice: readonly CredentialField[] =
    names.length > 1 ? [{ name: "algorithm", label: "Algorithm", input: "choice", choices: names }] : [];
  const key = names.some((name) => isSymmetric(name)) ? secret : pem;
  switch (scheme.kind) {
    case "basic":
      return [
        { name: "user", label: "User name", input: "text" },
        { name: "password", label: "Password", input: "secret" },
      ];
    case "bearer":
      return [{ name: "token", label: "Token", input: "secret" }];
    case "jwt":
      return [
        {
          name: "token",
          label: "Token",
          input: "secret",
          hint: "As the issuer gave it; or a key of the issuer:",
        },
        ...choice,
        { ...keyId, label: "Key identifier of the issuer" },
        {
          ...key,
          label: `${key.label} of the issuer`,
          hint: "The page makes a token with it for each request.",
        },
        { name: "claims", label: "Further claims (JSON)", input: "area", hint: 'Such as {"sub":"ann"}.' },
      ];
    case "api-key":
      return [{ name: "key", label: `Key, sent in ${textOf(scheme["header"])}`, input: "secret" }];
    case "hmac":
      return [keyId, secret];
    case "message-signature":
      return [...choice, keyId, key];
    case "client-cert":
      return [
        {
          name: "certificate",
          label: "My browser presents a certificate",
          input: "check",
          hint: "A page cannot choose a certificate: the browser asks for one where the TLS connection wants it. To call with one by hand, show the request, and take it as curl.",
        },
      ];
    default:
      return [
        {
          name: "headers",
          label: "Headers, a line each",
          input: "area",
          hint: `The scheme ${scheme.kind} is the project's own. Write what it sends, such as X-Mine: value.`,
        },
      ];
  }
}

export function algorithmsOf(scheme: DescribedScheme): readonly string[] {
  const names = scheme["algorithms"];
  return Array.isArray(names) ? names.map((name) => textOf(name)) : [];
}

/** A credential as the generated client takes it; undefined where nothing was filled in. */
export async function credentialOf(
  scheme: DescribedScheme,
  filled: Filled,
  scopes: readonly string[],
): Promise<unknown> {
  const { user = "", password = "", token = "", key = "", keyId: id = "" } = filled;
  switch (scheme.kind) {
    case "basic":
      return user === "" ? undefined : { userName: user, password };
    case "bearer":
      return token === "" ? undefined : token;
    case "api-key":
      return key === "" ? undefined : key;
    case "jwt": {
      if (token !== "") return token;
      const sign = await signerOf(scheme, filled);
      if (sign === undefined) return undefined;
      const claims = claimsIn(filled["claims"] ?? "");
      return () =>
        signedToken({ scheme, algorithm: algorithmIn(scheme, filled), keyId: id, scopes, claims }, sign);
    }
    case "hmac": {
      if (id === "" || (filled["secret"] ?? "") === "") return undefined;
      const algorithm = algorithmOf("hmac-sha256");
      return { keyId: id, mac: signWith(await keyFromSecret(filled["secret"] ?? "", algorithm), algorithm) };
    }
    case "message-signature": {
      const sign = await signerOf(scheme, filled);
      return sign === undefined ? undefined : { keyId: id, sign };
    }
    case "client-cert":
      return filled["certificate"] === "true" ? true : undefined;
    default: {
      const headers = headersIn(filled["headers"] ?? "");
      return Object.keys(headers).length === 0 ? undefined : () => headers;
    }
  }
}

export function algorithmIn(scheme: DescribedScheme, { algorithm = "" }: Filled): string {
  return algorithm === "" ? (algorithmsOf(scheme)[0] ?? "") : algorithm;
}

async function signerOf(scheme: DescribedScheme, filled: Filled): Promise<Sign | undefined> {
  const name = algorithmIn(scheme, filled);
  const text = filled[isSymmetric(name) ? "secret" : "privateKeyPem"] ?? "";
  if (text === "") return undefined;
  const algorithm = algorithmOf(name);
  const key: PageKey = isSymmetric(name)
    ? await keyFromSecret(text, algorithm)
    : await keyFromPem(text, { algorithm: algorithm.key, words: `for ${name}` });
  return signWith(key, algorithm);
}

function claimsIn(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === "") return {};
  let claims: unknown;
  try {
    claims = JSON.parse(text);
  } catch {
    claims = undefined;
  }
  if (!isObject(claims)) throw new Error('The claims are no JSON object, such as {"sub":"ann"}.');
  return claims;
}

function headersIn(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new Error(`“${line}” is no header: write Name: value.`);
      return [name.toLowerCase(), value];
    }),
  );
}
