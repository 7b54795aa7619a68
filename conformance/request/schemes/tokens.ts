import { MissingValue } from "../resolve-value.ts";
import { alteredText, optionText, type CredentialHeaders, type CredentialTask } from "./scheme.ts";

/** `Authorization: Basic` (RFC 7617), in UTF-8. */
export function basicCredential({ plan, credential }: CredentialTask): CredentialHeaders {
  const { user = "", password = "" } = credential;
  switch (plan.change) {
    case "malformed":
      return { authorization: `Basic ${user}:${password}` };
    case "empty":
      return { authorization: "Basic" };
    case "unknown-key":
      return { authorization: basic(`${alteredText(user)}x`, password) };
    case "wrong":
    case "stranger":
      return { authorization: basic(user, alteredText(password)) };
    default:
      return { authorization: basic(user, password) };
  }
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** `Authorization: Bearer` (RFC 6750). */
export function bearerCredential(task: CredentialTask): CredentialHeaders {
  switch (task.plan.change) {
    case "malformed":
      return { authorization: `Bearer ${tokenOf(task)} and more` };
    case "empty":
      return { authorization: "Bearer" };
    default:
      return { authorization: `Bearer ${tokenOf(task)}` };
  }
}

/** A key alone, in the header that the spec names. */
export function apiKeyCredential(task: CredentialTask): CredentialHeaders {
  const header = (optionText(task.scheme, "header") ?? "X-Api-Key").toLowerCase();
  return { [header]: task.plan.change === "empty" ? "" : tokenOf(task) };
}

/** The token or key of the access file; one that was not issued by the suite cannot be changed but for being wrong. */
function tokenOf({ scheme, plan, credential }: CredentialTask): string {
  const given = scheme.kind === "bearer" ? credential.token : credential.key;
  if (given === undefined) throw new MissingValue(`credentials.${scheme.name}`);
  switch (plan.change) {
    case "wrong":
    case "stranger":
      return alteredText(given);
    case "expired":
      return needed(credential.expired, `credentials.${scheme.name}.expired`);
    case "replayed":
      return given;
    default:
      return plan.limited === true ? needed(credential.limited, `credentials.${scheme.name}.limited`) : given;
  }
}

export function needed(value: string | undefined, name: string): string {
  if (value === undefined) throw new MissingValue(name);
  return value;
}

/** `Client-Cert` of a trusted proxy (RFC 9440): DER in base64 between colons. */
export function certificateCredential({ scheme, plan, credential }: CredentialTask): CredentialHeaders {
  const header = (optionText(scheme, "header") ?? "Client-Cert").toLowerCase();
  const name = `credentials.${scheme.name}`;
  switch (plan.change) {
    case "malformed":
      return { [header]: "certificate" };
    case "empty":
      return { [header]: "" };
    case "wrong":
    case "stranger":
      return { [header]: derOf(needed(credential.strangerPem, `${name}.strangerPem`)) };
    case "expired":
      return { [header]: derOf(needed(credential.expiredPem, `${name}.expiredPem`)) };
    default:
      return { [header]: derOf(needed(credential.certificatePem, `${name}.certificatePem`)) };
  }
}

function derOf(pem: string): string {
  return `:${pem.replaceAll(/-----[^-]*-----|\s/g, "")}:`;
}
