import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { isLoopback } from "../../contract/address.ts";

/** Whether a request is for a name of the server, by its `Host` and, where it has one, by the address of its target. */
export type HostCheck = (request: Pick<IncomingMessage, "headers" | "url">) => boolean;

/** The name that stands for all. */
export const anyName = "*";

/**
 * The check of a server that listens on `host`. It takes its own address and `names`. If it listens on a loopback
 * address, it also takes `localhost` and loopback addresses; if on all, every address. A page of another name that
 * was made to lead here (DNS rebinding) is thereby told from the server's own. Ports and the case of letters count
 * for nothing.
 */
export function createHostCheck(host: string, names: readonly string[]): HostCheck {
  if (names.includes(anyName)) return () => true;
  const own = nameOf(host.includes(":") && !host.startsWith("[") ? `[${host}]` : host) ?? host;
  const listensOnAll = own === "0.0.0.0" || own === "::";
  const isLocal = listensOnAll || own === "localhost" || isLoopback(own);
  const taken = new Set([own, ...names.map((name) => nameOf(name) ?? name)]);

  function takes(name: string | undefined): boolean {
    if (name === undefined) return false;
    if (taken.has(name)) return true;
    if (isIP(name) === 0) return isLocal && name === "localhost";
    return listensOnAll || (isLocal && isLoopback(name));
  }

  /** Nearly all requests of a server name the same host. */
  let known: string | undefined;
  return ({ headers: { host: value }, url = "" }) => {
    const target = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
    if (target !== undefined && !takes(nameOf(target))) return false;
    // HTTP/1.0 alone may say no host: Node refuses others. No browser speaks it.
    if (value === undefined || value === known) return true;
    if (!takes(nameOf(value))) return false;
    known = value;
    return true;
  };
}

/** What a request for another name is answered. */
export const misdirected = {
  status: 421,
  type: "text/plain; charset=utf-8",
  text: "This server takes no requests for this host name. Use localhost or its address, or add the name to its settings.\n",
} as const;

const checks = new WeakMap<object, HostCheck>();

/** Whether an upgrade that a server got is for another name. */
export function isMisdirected(server: object, request: IncomingMessage): boolean {
  return checks.get(server)?.(request) === false;
}

/** Remembers the check of a server, for upgrades. */
export function setHostCheck(server: object, check: HostCheck): void {
  checks.set(server, check);
}

/** The name or address of a `Host`: lower case, without port and final dot. Undefined for any other text. */
function nameOf(host: string): string | undefined {
  const [, name = ""] = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::[0-9]{0,5})?$/i.exec(host) ?? [];
  // Also the odd forms of addresses: 127.1, 0x7f000001, [0:0::1].
  const hostname = URL.parse(`http://${name.replace(/\.$/, "")}`)?.hostname;
  if (hostname === undefined || hostname === "") return undefined;
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(address) === 6 ? withoutMapping(address) : hostname;
}

/** An IPv4 address that is written as one of IPv6, as such: `::ffff:7f00:1` is 127.0.0.1. */
function withoutMapping(address: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bytes = [high, low].flatMap((group) => [
    Number.parseInt(group, 16) >> 8,
    Number.parseInt(group, 16) & 255,
  ]);
  return bytes.join(".");
}
