import { createRequire } from "node:module";
import type * as Undici from "undici";
import type { buildConnector } from "undici";
import type { Clock } from "../../store/ports/index.ts";
import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { omitUndefined } from "../../contract/index.ts";
import { isDialable, portOf } from "../callback-address.ts";
import { lookup, Resolver as CaresResolver } from "node:dns/promises";

/** Connections by origin, kept alive between deliveries. */
export interface ConnectionPools {
  /** `https://hooks.example:8443`. */
  of(origin: string): Undici.Dispatcher;
  /** Closes the pools of origins that were not used for 60 s. */
  sweep(): void;
  close(): Promise<void>;
}

const idleMs = 60_000;
/** Shorter than the servers' usual 5 s: a connection that they close at that moment would fail the attempt. */
const keepAliveMs = 4_000;

interface PooledOrigin {
  readonly pool: Undici.Pool;
  usedAtMs: number;
}

type PoolOpener = (origin: string) => Undici.Pool;

/** A hundred modules, loaded with the first delivery: many services have none when they start. */
function loadUndici(): typeof Undici {
  return createRequire(import.meta.url)("undici");
}

/** The guarded connector alone opens connections. The in-flight limiter bounds how many are open at once. */
export function createConnectionPools(clock: Clock, connector: GuardedConnectorOptions): ConnectionPools {
  const pools = new Map<string, PooledOrigin>();
  let open: PoolOpener | undefined;

  function poolOpener(): PoolOpener {
    const { Pool, buildConnector } = loadUndici();
    const connect = guardedConnector(connector, buildConnector);
    return (origin) =>
      new Pool(origin, {
        connect,
        connections: null,
        pipelining: 1,
        allowH2: false,
        keepAliveTimeout: keepAliveMs,
      });
  }

  return {
    of(origin) {
      const nowMs = clock.now();
      const known = pools.get(origin);
      if (known !== undefined) {
        known.usedAtMs = nowMs;
        return known.pool;
      }
      open ??= poolOpener();
      const pool = open(origin);
      pools.set(origin, { pool, usedAtMs: nowMs });
      return pool;
    },
    sweep() {
      const oldestMs = clock.now() - idleMs;
      for (const [origin, { pool, usedAtMs }] of pools) {
        if (usedAtMs >= oldestMs) continue;
        pools.delete(origin);
        pool.close().catch(() => undefined);
      }
    },
    async close() {
      const left = [...pools.values()];
      pools.clear();
      await Promise.all(left.map(({ pool }) => pool.destroy()));
    },
  };
}

/** An address that must not be dialled. No byte was sent to it. */
class RefusedAddressError extends Error {
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

/** Addresses of a name. Rejects if it has none. */
export interface Resolver {
  resolve(hostname: string): Promise<readonly string[]>;
}

const timeoutMs = 2_500;
const tries = 2;
const loopbackNames = /(?:^|\.)localhost\.?$/i;
/** The name servers answered, or none is configured: the hosts file may hold the name. */
const answeredWithNothing: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

/**
 * Asks the name servers over sockets: the machine's own lookup has few threads, which names with silent servers would
 * occupy. If the servers know no address, the machine's lookup is asked, for its hosts file.
 */
export function systemResolver(): Resolver {
  const resolver = new CaresResolver({ timeout: timeoutMs, tries });
  return {
    async resolve(hostname) {
      if (loopbackNames.test(hostname)) return ["127.0.0.1", "::1"];
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      if (found.length > 0) return found;
      const reasons = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
      const silent = reasons.find(({ code }) => !answeredWithNothing.has(code));
      if (silent !== undefined) throw silent;
      return (await lookup(hostname, { all: true })).map(({ address }) => address);
    },
  };
}
