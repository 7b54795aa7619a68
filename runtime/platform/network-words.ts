/** Says what failed of a connection in a fixed word: the texts of libraries hold paths, versions and addresses of memory. */
export function networkWord(error: unknown): NetworkWord {
  const code = codeOf(error);
  const known = words.get(code);
  if (known !== undefined) return known;
  const text = error instanceof Error ? error.message : "";
  const told = texts.find(([pattern]) => pattern.test(text));
  if (told !== undefined) return told[1];
  if (/protocol version|unsupported protocol|PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(`${code} ${text}`))
    return "tls-version";
  return isTlsError(error) ? "tls-failed" : "connection-failed";
}

/** Whether TLS failed: OpenSSL's own codes, and those of certificates, which have no common form. */
export function isTlsError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return tlsCodes.test(code) || error.message.includes("before secure TLS connection");
}

/** The code of the system: nodemailer puts its own in the place of it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("originalCode" in error) return String(error.originalCode);
  return "code" in error ? String(error.code) : "";
}

export type NetworkWord =
  | "tls-version"
  | "certificate-expired"
  | "certificate-not-yet-valid"
  | "unknown-authority"
  | "self-signed"
  | "hostname-mismatch"
  | "tls-failed"
  | "dns-no-address"
  | "dns-failed"
  | "connection-refused"
  | "connection-reset"
  | "connection-closed"
  | "connection-failed"
  | "unreachable"
  | "timeout"
  | "too-many-connections"
  | "headers-too-large"
  | "no-http";

const tlsCodes =
  /^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|ETLS$|INVALID_CA|HOSTNAME_MISMATCH)/;

/** Of errors that were made of another one's text, without its code. */
const texts: readonly (readonly [RegExp, NetworkWord])[] = [
  [/certificate has expired/i, "certificate-expired"],
  [/certificate is not yet valid/i, "certificate-not-yet-valid"],
  [/self.signed certificate in certificate chain/i, "unknown-authority"],
  [/self.signed certificate/i, "self-signed"],
  [/unable to (?:verify the first|get (?:local )?issuer) certificate/i, "unknown-authority"],
  [/does not match certificate's altnames/i, "hostname-mismatch"],
  [/^Connection closed/, "connection-closed"],
];

const words: ReadonlyMap<string, NetworkWord> = new Map([
  ["CERT_HAS_EXPIRED", "certificate-expired"],
  ["CERT_NOT_YET_VALID", "certificate-not-yet-valid"],
  ["UNABLE_TO_GET_ISSUER_CERT", "unknown-authority"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "unknown-authority"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unknown-authority"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "unknown-authority"],
  ["CERT_UNTRUSTED", "unknown-authority"],
  ["INVALID_CA", "unknown-authority"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "hostname-mismatch"],
  ["HOSTNAME_MISMATCH", "hostname-mismatch"],
  ["ENOTFOUND", "dns-no-address"],
  ["ENODATA", "dns-no-address"],
  ["ENONAME", "dns-no-address"],
  ["EBADNAME", "dns-no-address"],
  ["EAI_AGAIN", "dns-failed"],
  ["ESERVFAIL", "dns-failed"],
  ["ETIMEOUT", "dns-failed"],
  ["ECONNREFUSED", "connection-refused"],
  ["ECONNRESET", "connection-reset"],
  ["EPIPE", "connection-reset"],
  ["UND_ERR_SOCKET", "connection-closed"],
  ["EHOSTUNREACH", "unreachable"],
  ["ENETUNREACH", "unreachable"],
  ["EADDRNOTAVAIL", "unreachable"],
  ["ETIMEDOUT", "timeout"],
  ["EDNS", "dns-failed"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["EMFILE", "too-many-connections"],
  ["UND_ERR_HEADERS_OVERFLOW", "headers-too-large"],
  ["HPE_HEADER_OVERFLOW", "headers-too-large"],
]);
