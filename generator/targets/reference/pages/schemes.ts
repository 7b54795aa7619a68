import type { MethodModel, SchemeModel, ServiceModel } from "../../../model/service-model.ts";
import type { PageContext } from "../page-context.ts";

/** The authentication schemes of a standard interface: how each is sent, what the spec says of it, who asks for it. */
export function schemesView({ model, remarks }: PageContext) {
  return model.schemes.map((scheme) => ({
    ...remarks(scheme),
    name: scheme.name,
    kind: scheme.kind,
    headers: headersOf(scheme),
    how: howTo(scheme),
    options: Object.entries(scheme.options)
      .filter(([name]) => name !== "header")
      .map(([name, value]) => ({ name, value: optionText(value) })),
    askedForBy: askedForBy(scheme, model),
  }));
}

/** The schemes that a method requires: `user` (tasks:write); or `machine` with `signed`. Nothing where the envelope says it. */
export function securityText({ security }: MethodModel, { wire }: ServiceModel): string | undefined {
  if (wire.protocol !== "json-rpc-2.0") return undefined;
  if (security.length === 0) return "None: everyone may call it.";
  const alternatives = security.map((alternative) =>
    alternative.length === 0
      ? "none"
      : alternative
          .map(({ scheme, scopes }) => (scopes.length === 0 ? scheme : `${scheme} (${scopes.join(", ")})`))
          .join(" with "),
  );
  return `${alternatives.join(", or ")}.`;
}

/** Whether a caller without credentials may call it. */
export function isOpen({ security }: MethodModel): boolean {
  return security.length === 0 || security.some((alternative) => alternative.length === 0);
}

/** The lines that the first alternative of a method's schemes asks for. */
export function headersFor({ security }: MethodModel, { schemes }: ServiceModel): readonly string[] {
  const names = (security[0] ?? []).map(({ scheme }) => scheme);
  return schemes.filter(({ name }) => names.includes(name)).flatMap(headersOf);
}

function askedForBy({ name }: SchemeModel, { methods }: ServiceModel): string {
  const { length } = methods.filter(({ security }) =>
    security.some((each) => each.some(({ scheme }) => scheme === name)),
  );
  return length === 1 ? "1 operation" : `${length} operations`;
}

/** The lines that a request has. */
function headersOf({ kind, options }: SchemeModel): readonly string[] {
  const header = typeof options["header"] === "string" ? options["header"] : undefined;
  switch (kind) {
    case "basic":
      return ["Authorization: Basic <base64 of name:password>"];
    case "bearer":
    case "jwt":
      return ["Authorization: Bearer <token>"];
    case "api-key":
      return [`${header ?? ""}: <key>`];
    case "hmac":
      return [
        `${header ?? ""}: t=<unix seconds>,k=<key id>,${covers(options, "nonce") ? "n=<nonce>," : ""}v1=<signature>`,
      ];
    case "message-signature":
      return [
        "Content-Digest: sha-256=:<base64>:",
        "Signature-Input: sig1=(<components>);created=<unix seconds>;keyid=<key id>",
        "Signature: sig1=:<base64>:",
      ];
    default:
      return header === undefined ? [] : [`${header}: …`];
  }
}

function howTo({ kind, options }: SchemeModel): string | undefined {
  switch (kind) {
    case "hmac": {
      const parts = ["timestamp", "nonce", "method", "path", "body"].filter((part) => covers(options, part));
      return `The signature is HMAC-SHA256, in hexadecimal, of ${parts.join(", ")}; each but the body is followed by a line feed. It is accepted once.`;
    }
    case "message-signature":
      return "The signature is an HTTP message signature (RFC 9421). It is accepted once.";
    case "client-cert":
      return "The connection is made with a client certificate.";
    case "jwt":
      return "The token is a JSON Web Token.";
    default:
      return undefined;
  }
}

function covers({ covers: covered }: SchemeModel["options"], part: string): boolean {
  return Array.isArray(covered) && covered.includes(part);
}

function optionText(value: unknown): string {
  return Array.isArray(value)
    ? value.map(optionText).join(", ")
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
}
