import { isIPv4, isIPv6 } from "node:net";

const mappedPrefix = "::ffff:";

/** An address as connections are counted by it: an IPv6 caller owns a /64, so all of that counts as one. */
export function countedAddress(remoteAddress = ""): string {
  if (remoteAddress.startsWith(mappedPrefix) && isIPv4(remoteAddress.slice(mappedPrefix.length))) {
    return remoteAddress.slice(mappedPrefix.length);
  }
  const [address = ""] = remoteAddress.split("%");
  return isIPv6(address) ? `${networkOf(address)}/64` : remoteAddress;
}

/** Whether an address is this machine's own: a proxy beside the service, tests, benchmarks. */
export function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1" || address.startsWith(`${mappedPrefix}127.`);
}

/** The first four groups, `::` written out. */
function networkOf(address: string): string {
  const [left = "", right] = address.split("::");
  const groups = left === "" ? [] : left.split(":");
  if (right !== undefined) {
    const last = right === "" ? [] : right.split(":");
    while (groups.length + last.length < 8) groups.push("0");
    groups.push(...last);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
