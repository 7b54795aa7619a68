import { X509Certificate } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { parseItem } from "structured-headers";
import {
  declaredOptions,
  type DeclaredOptions,
  type Found,
  identified,
  singleHeader,
} from "../scheme-parts.ts";
import type { SchemeVerifier, Verdict } from "../port.ts";

export interface ClientCertOptions<Caller> {
  /**
   * Addresses (`10.0.0.7`, `fd00::7`) or networks (`10.0.0.0/8`) of the proxies that check certificates. They have to
   * remove the header from what callers send (RFC 9440, section 4).
   */
  readonly trustedProxies: readonly string[];
  /** Certificates, as PEM, of which one has to have issued the client's; the proxy's own check otherwise stands alone. */
  readonly issuers?: readonly string[];
  /** Finds whose certificate it is, by `fingerprint256`, `subject` or `subjectAltName`. */
  caller(certificate: X509Certificate): Found<Caller>;
}

/** The certificate of a caller's TLS connection, which a proxy passes on in `Client-Cert` (RFC 9440). */
export function clientCert<Caller>(
  options: ClientCertOptions<Caller>,
): SchemeVerifier<"client-cert", Caller> {
  return {
    kind: "client-cert",
    bind(declared, binding) {
      const spec = declaredOptions(declared, binding);
      const header = spec.text("header") ?? "Client-Cert";
      const proxies = proxyList(options.trustedProxies, spec);
      const issuers = options.issuers?.map((pem) => new X509Certificate(pem));
      return {
        verifies: "request",
        async verify(evidence) {
          const presented = singleHeader(evidence, header);
          if (presented.kind === "missing") return presented;
          if (!isTrusted(proxies, evidence.peerAddress)) {
            return { kind: "rejected", reason: `${header} does not come from a trusted proxy` };
          }
          if (presented.kind !== "text") return presented;
          const certificate = read(presented.text);
          if (certificate === undefined) return { kind: "malformed", reason: `${header} is no certificate` };
          return checkCertificate(certificate, issuers, options.caller, binding.clock.now());
        },
      };
    },
  };
}

async function checkCertificate<Caller>(
  certificate: X509Certificate,
  issuers: readonly X509Certificate[] | undefined,
  find: ClientCertOptions<Caller>["caller"],
  nowMs: number,
): Promise<Verdict<Caller>> {
  const expiresAtMs = certificate.validToDate.getTime();
  if (nowMs >= expiresAtMs) return { kind: "expired" };
  if (nowMs < certificate.validFromDate.getTime()) {
    return { kind: "rejected", reason: "the certificate is not valid yet" };
  }
  const isIssued = (issuer: X509Certificate): boolean =>
    certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  if (issuers !== undefined && !issuers.some(isIssued)) {
    return { kind: "rejected", reason: "the certificate is of another issuer" };
  }
  const caller = await find(certificate);
  if (caller === undefined) return { kind: "rejected", reason: "the certificate is not known" };
  return identified({ caller, scopes: [], expiresAtMs });
}

/** A byte sequence of DER (RFC 9440, section 2.1). */
function read(text: string): X509Certificate | undefined {
  try {
    const [value] = parseItem(text);
    return value instanceof ArrayBuffer ? new X509Certificate(Buffer.from(value)) : undefined;
  } catch {
    return undefined;
  }
}

function proxyList(trusted: readonly string[], { fault }: DeclaredOptions): BlockList {
  if (trusted.length === 0) throw fault("has no `trustedProxies`: every caller could send the header");
  const list = new BlockList();
  for (const entry of trusted) {
    const [address = "", bits, ...rest] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const most = family === "ipv6" ? 128 : 32;
    const length = bits === undefined ? most : Number(bits);
    const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && length <= most);
    if (isIP(address) === 0 || !isPrefix || rest.length > 0) {
      throw fault(`trusts the proxy ${entry}, which is no address and no network such as 10.0.0.0/8`);
    }
    list.addSubnet(address, length, family);
  }
  return list;
}

/** A socket for both families gives IPv4 addresses as `::ffff:10.0.0.7`, which a `BlockList` takes for the same. */
function isTrusted(proxies: BlockList, peerAddress: string | undefined): boolean {
  if (peerAddress === undefined) return false;
  const [address = ""] = peerAddress.split("%", 1);
  const family = isIP(address);
  return family !== 0 && proxies.check(address, family === 6 ? "ipv6" : "ipv4");
}
