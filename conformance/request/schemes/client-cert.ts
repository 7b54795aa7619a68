import {
  namedHeader,
  needed,
  type CredentialHeaders,
  type CredentialTask,
  type SchemeKind,
} from "./scheme.ts";

/** The certificate of the caller's connection, which a proxy passes on (RFC 9440). */
export const clientCert: SchemeKind = {
  kind: "client-cert",
  required: [],
  optional: ["header"],
  hasScopes: false,
  header: headerOf,
  access: {
    needed: ["certificatePem"],
    more: ["strangerPem", "expiredPem"],
    example: '{ "certificateFile": "certificate.pem" }',
  },
  changes: () => ["malformed", "empty", "wrong", "expired"],
  credential,
  client: { type: "CertificateCredential", value: "clientCertificate", example: "true", fake: "true" },
  page: {
    lines: (options) => (namedHeader(options) === undefined ? [] : [`${namedHeader(options)}: …`]),
    how: () => "The connection is made with a client certificate.",
  },
  openApi: (_options, version) =>
    version === "3.0.3" ? { type: "http", scheme: "client-cert" } : { type: "mutualTLS" },
};

function headerOf(options: CredentialTask["scheme"]["options"]): string {
  return (namedHeader(options) ?? "Client-Cert").toLowerCase();
}

/** DER in base64 between colons (RFC 9440, section 2.1). */
function credential({ scheme, plan, credential: given }: CredentialTask): CredentialHeaders {
  const header = headerOf(scheme.options);
  const name = `credentials.${scheme.name}`;
  switch (plan.change) {
    case "malformed":
      return { [header]: "certificate" };
    case "empty":
      return { [header]: "" };
    case "wrong":
    case "stranger":
      return { [header]: derOf(needed(given.strangerPem, `${name}.strangerPem`)) };
    case "expired":
      return { [header]: derOf(needed(given.expiredPem, `${name}.expiredPem`)) };
    default:
      return { [header]: derOf(needed(given.certificatePem, `${name}.certificatePem`)) };
  }
}

function derOf(pem: string): string {
  return `:${pem.replaceAll(/-----[^-]*-----|\s/g, "")}:`;
}
