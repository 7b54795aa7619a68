import { BlockList, isIP } from "node:net";
import { accepted, refused, type Outcome } from "../contract/index.ts";

/** Why a callback address is refused. */
export type CallbackFault = "not-a-url" | "scheme" | "userinfo" | "network" | "port";

export interface CallbackRules {
  /** Whether plain http is taken: the sandbox profile only. */
  readonly httpCallbacks: boolean;
  /** Networks in CIDR form that are taken although they are not public. */
  readonly callbackNetworksAllowed?: readonly string[];
  /** Ports that are taken; none or absent: any. */
  readonly callbackPortsAllowed?: readonly number[];
}

/** The special-purpose networks of IANA's registries, and Azure's host: nothing there is a public endpoint. */
const internal = networkList(
  [
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
    "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
    "168.63.129.16/32 2001::/23 2001:db8::/32 2002::/16 3fff::/20",
  ].flatMap((line) => line.split(" ")),
);
/** Of IPv6, all but these is loopback, local, multicast, translated to IPv4 or not assigned. */
const reachable = networkList(["2000::/3", "::ffff:0:0/96"]);
/** Stricter than the URL parser, which forgives missing slashes, backslashes and spaces. */
const absoluteAddress = /^[a-z][a-z0-9+.-]*:\/\/[^/\s\\][^\s\\]*$/i;
const loopbackNames = /(?:^|\.)localhost\.?$/i;

/**
 * Checks a callback address by itself, at creation of a subscription. A name that resolves to an internal
 * address is caught when it is dialled: see `isDialable`.
 */
export function checkCallbackAddress(text: string, rules: CallbackRules): Outcome<URL, CallbackFault> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !absoluteAddress.test(text)) return refused("not-a-url");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && rules.httpCallbacks))
    return refused("scheme");
  // `https://@host` parses with an empty user name: the sign itself is refused.
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?#]*@/.test(text))
    return refused("userinfo");
  // The URL parser has already turned 0x7f.1 and 2130706433 into dotted form.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const address = loopbackNames.test(host) ? "127.0.0.1" : host;
  if (isIP(address) !== 0 && !isDialable(address, rules.callbackNetworksAllowed)) return refused("network");
  const ports = rules.callbackPortsAllowed ?? [];
  const port = portOf(url);
  if (port === 0 || (ports.length > 0 && !ports.includes(port))) return refused("port");
  return accepted(url);
}

/** The port that a URL names or implies. */
export function portOf({ port, protocol }: Pick<URL, "port" | "protocol">): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** Whether a resolved IP address may be dialled: it is public, or in a network that is allowed. */
export function isDialable(address: string, networksAllowed: readonly string[] = []): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const kind = family === 4 ? "ipv4" : "ipv6";
  // BlockList matches an IPv4-mapped IPv6 address against the IPv4 rules.
  const isPublic = !internal.check(address, kind) && (family === 4 || reachable.check(address, kind));
  return isPublic || networkList(networksAllowed).check(address, kind);
}

function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === undefined) throw new RangeError(`not a network in CIDR form: ${text}`);
    list.addSubnet(network.address, network.bits, network.kind);
  }
  return list;
}

function parseNetwork(text: string) {
  const [, address = "", bitsText = ""] = /^([^/]+)\/([0-9]{1,3})$/.exec(text) ?? [];
  const family = isIP(address);
  const bits = Number(bitsText);
  if (family === 0 || bits > (family === 4 ? 32 : 128)) return undefined;
  return { address, bits, kind: family === 4 ? ("ipv4" as const) : ("ipv6" as const) };
}
