import { createHash } from "node:crypto";
import { omitUndefined, type SchemeDescriptor } from "../contract/index.ts";
import type { Evidence, Identity, SchemeBinding, Verdict } from "./port.ts";

/** Longest header that a scheme reads, in characters. */
export const credentialCharactersMax = 8192;

/** The credential in a header, or why it is missing. */
export type Presented =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "malformed"; readonly reason: string };

/** The one value of a header. Two could be read differently on the way, so that both are refused. */
export function singleHeader(evidence: Evidence, name: string): Presented {
  const values = evidence.header(name.toLowerCase());
  const [text] = values;
  if (text === undefined) return { kind: "missing" };
  if (values.length > 1) return { kind: "malformed", reason: `${name} is sent twice` };
  if (text === "") return { kind: "malformed", reason: `${name} is empty` };
  if (text.length > credentialCharactersMax) return { kind: "malformed", reason: `${name} is too long` };
  return { kind: "text", text };
}

/**
 * The credentials of one scheme in `Authorization` (RFC 9110, section 11.6.2): `token68` as it stands. Missing where
 * the header names another scheme.
 */
export function authorization(evidence: Evidence, scheme: "basic" | "bearer"): Presented {
  const presented = singleHeader(evidence, "Authorization");
  if (presented.kind !== "text") return presented;
  const [, name = "", credentials = ""] = /^([A-Za-z0-9-]+)(?: +(.*))?$/s.exec(presented.text) ?? [];
  if (name === "") return { kind: "malformed", reason: "Authorization names no scheme" };
  if (name.toLowerCase() !== scheme) return { kind: "missing" };
  if (!/^[A-Za-z0-9._~+/-]+=*$/.test(credentials)) {
    return { kind: "malformed", reason: `the credentials of ${name} are no token68` };
  }
  return { kind: "text", text: credentials };
}

/** A caller, or nothing for credentials that are not known. */
export type Found<Caller> = Caller | undefined | Promise<Caller | undefined>;

/** Scopes and expiry of a caller, from the application's own record. */
export interface CallerRights<Caller> {
  readonly scopes?: (caller: Caller) => readonly string[];
  /** Unix time in milliseconds. */
  readonly expiresAtMs?: (caller: Caller) => number | undefined;
}

/** The verdict on what a lookup found. */
export async function verdictOf<Caller>(
  found: Found<Caller>,
  nowMs: number,
  rights: CallerRights<Caller> = {},
): Promise<Verdict<Caller>> {
  const caller = await found;
  if (caller === undefined) return { kind: "rejected", reason: "the credentials are not known" };
  const scopes = rights.scopes?.(caller) ?? [];
  const expiresAtMs = rights.expiresAtMs?.(caller);
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs) return { kind: "expired" };
  return identified({ caller, scopes, ...omitUndefined({ expiresAtMs }) });
}

export function identified<Caller>(identity: Identity<Caller>): Verdict<Caller> {
  return { kind: "identity", identity };
}

/** SHA-256 in lower-case hexadecimal: secrets are looked up, stored and compared by it, never as they are. */
export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A text between quotation marks, as header parameters have it (RFC 9110, section 5.6.4). */
export function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7E]/g, "?").replace(/["\\]/g, "\\$&")}"`;
}

/** The options of a scheme as the spec declares them; a descriptor written by hand may lack or misspell some. */
export interface DeclaredOptions {
  text(option: string): string | undefined;
  requiredText(option: string): string;
  /** A text, or a list of them; none where the option is absent. */
  texts(option: string): readonly string[];
  /** A list that is not empty, each of `known`. */
  someOf(option: string, known: readonly string[]): readonly string[];
  /** A whole number that is not negative. */
  count(option: string): number | undefined;
  /** An error of the start: what is wrong, and where. */
  fault(problem: string): Error;
}

export function declaredOptions(
  declared: SchemeDescriptor,
  { scheme, realm }: Pick<SchemeBinding, "scheme" | "realm">,
): DeclaredOptions {
  const fault = (problem: string): Error =>
    new Error(`the authentication scheme ${scheme} (${declared.kind}) of the ${realm} interface ${problem}`);
  const valueOf = (option: string) => (Object.hasOwn(declared, option) ? declared[option] : undefined);

  function text(option: string): string | undefined {
    const value = valueOf(option);
    if (value === undefined || (typeof value === "string" && value !== "")) return value;
    throw fault(`has \`${option}\`, which is no text`);
  }

  function texts(option: string): readonly string[] {
    const value = valueOf(option);
    if (value === undefined) return [];
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const found = list.filter((item): item is string => typeof item === "string" && item !== "");
    if (found.length !== list.length) throw fault(`has \`${option}\`, which is no list of texts`);
    return found;
  }

  return {
    fault,
    text,
    texts,
    requiredText(option) {
      const found = text(option);
      if (found === undefined) throw fault(`has no \`${option}\`: the spec has to say it`);
      return found;
    },
    someOf(option, known) {
      const found = texts(option);
      if (found.length === 0) throw fault(`has no \`${option}\`: the spec has to list some`);
      const unknown = found.find((item) => !known.includes(item));
      if (unknown !== undefined)
        throw fault(`has \`${option}\` with ${unknown}: known are ${known.join(", ")}`);
      return found;
    },
    count(option) {
      const value = valueOf(option);
      if (value === undefined) return undefined;
      if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
      throw fault(`has \`${option}\`, which is no whole number`);
    },
  };
}
