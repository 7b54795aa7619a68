import { isObject, textOf } from "../shared/json.ts";
import { keyFromPem, type PageKey } from "../shared/key.ts";
import { algorithmOf, isSymmetric, keyFromSecret, signWith, type Sign } from "./algorithms.ts";
import type { DescribedScheme } from "./tried.ts";

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

export function algorithmsOf(scheme: DescribedScheme): readonly string[] {
  const names = scheme["algorithms"];
  return Array.isArray(names) ? names.map((name) => textOf(name)) : [];
}

export function algorithmIn(scheme: DescribedScheme, { algorithm = "" }: Filled): string {
  return algorithm === "" ? (algorithmsOf(scheme)[0] ?? "") : algorithm;
}

/** Signs by the key that was filled in; undefined where none was. */
export async function signerOf(scheme: DescribedScheme, filled: Filled): Promise<Sign | undefined> {
  const name = algorithmIn(scheme, filled);
  const text = filled[isSymmetric(name) ? "secret" : "privateKeyPem"] ?? "";
  if (text === "") return undefined;
  const algorithm = algorithmOf(name);
  const key: PageKey = isSymmetric(name)
    ? await keyFromSecret(text, algorithm)
    : await keyFromPem(text, { algorithm: algorithm.key, words: `for ${name}` });
  return signWith(key, algorithm);
}

/** @throws Error where the text is no JSON object */
export function claimsIn(text: string): Readonly<Record<string, unknown>> {
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

/** @throws Error where a line is no header */
export function headersIn(text: string): Readonly<Record<string, string>> {
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
