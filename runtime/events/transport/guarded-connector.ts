import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import type { buildConnector } from "undici";
import { omitUndefined } from "../../contract/index.ts";
import { isDialable, portOf } from "../callback-address.ts";
import type { Resolver } from "./resolver.ts";

/** An address that must not be dialled (D-44). No byte was sent to it. */
export class RefusedAddressError extends Error {
  override readonly name = "RefusedAddressError";
  readonly code = "refused-address";
}

export interface GuardedConnectorOptions {
  readonly resolver: Resolver;
  /** Internal CIDR ranges that may be dialled. */
  readonly networksAllowed: readonly string[];
  /** Ports that may be dialled; none listed: every port. */
  readonly portsAllowed: readonly number[];
  readonly connectTimeoutMs: number;
  /** Further certificates that are trusted, PEM: for receivers with a private authority. */
  readonly trustedCertificates?: string;
}

/**
 * The SSRF guard: opens connections to callback addresses, and alone decides what may be dialled. The name is resolved
 * once for each connection; all its addresses are checked, and only these are tried. A name with one refused address is
 * refused.
 */
export function guardedConnector(
  options: GuardedConnectorOptions,
  build: typeof buildConnector,
): buildConnector.connector {
  const { resolver, networksAllowed, portsAllowed, connectTimeoutMs, trustedCertificates } = options;
  const mayDial = (address: string): boolean => isDialable(address, networksAllowed);

  const resolveChecked = callbackify(async (hostname: string) =>
    checked(hostname, await resolver.resolve(hostname), mayDial),
  );
  // Asked once for a connection, for all addresses, because `autoSelectFamily` tries one after the other.
  const lookup: LookupFunction = (hostname, _options, callback) =>
    resolveChecked(hostname, (error, addresses) => callback(error, addresses));
  const connect = build({
    lookup,
    timeout: connectTimeoutMs,
    allowH2: false,
    autoSelectFamily: true,
    ...omitUndefined({ ca: trustedCertificates }),
  });

  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    const port = portOf(target);
    if (portsAllowed.length > 0 && !portsAllowed.includes(port)) {
      callback(new RefusedAddressError(`port ${port} is not allowed`), null);
      return;
    }
    if (isIP(host) !== 0 && !mayDial(host)) {
      callback(new RefusedAddressError(`${host} is not a public address`), null);
      return;
    }
    connect({ ...target, hostname: host }, (error, socket) => {
      if (error !== null) {
        callback(error, null);
      } else if (socket.remoteAddress !== undefined && !mayDial(socket.remoteAddress)) {
        socket.destroy();
        callback(new RefusedAddressError(`${socket.remoteAddress} is not a public address`), null);
      } else {
        callback(null, socket);
      }
    });
  };
}

function checked(hostname: string, addresses: readonly string[], mayDial: (address: string) => boolean) {
  const refused = addresses.find((address) => !mayDial(address));
  if (refused !== undefined) {
    throw new RefusedAddressError(`${hostname} resolves to ${refused}, which is not a public address`);
  }
  if (addresses.length === 0) throw new Error(`${hostname} has no address`);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
