import type { CredentialPlan, SchemeEntry } from "../../suite/json-rpc.ts";
import type { Credential } from "../credential.ts";

/** The request that a credential is for, as it is going to be sent. */
export interface SignedRequest {
  readonly httpMethod: string;
  /** Path and query, with the path of the service's address. */
  readonly target: string;
  readonly body: Buffer;
}

/** The input from which a credential is made. */
export interface CredentialTask {
  readonly scheme: SchemeEntry;
  readonly plan: CredentialPlan;
  readonly credential: Credential;
  readonly request: SignedRequest;
  /** Unix time in seconds. */
  readonly nowSeconds: number;
  /** Differs from request to request. */
  readonly nonce: string;
}

/** Headers by lower-case name. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** A text with another last character. */
export function alteredText(text: string): string {
  return text.replace(/.$/su, (last) => (last === "A" ? "B" : "A"));
}

export function optionText({ options }: SchemeEntry, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function optionNumber({ options }: SchemeEntry, name: string): number | undefined {
  const value = options[name];
  return typeof value === "number" ? value : undefined;
}

/** An option that is one text or several. */
export function optionTexts({ options }: SchemeEntry, name: string): readonly string[] {
  const value = options[name];
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
