import { lookup, Resolver as CaresResolver } from "node:dns/promises";

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
