/** Ways to a service by which messages travel alone: no method, path, status or header goes with each. */
export type MessageCarrier = "websocket" | "stdio";

/** How a service at an address is reached; undefined over HTTP. */
export function carrierOf(baseUrl: string): MessageCarrier | undefined {
  if (/^wss?:/i.test(baseUrl)) return "websocket";
  return baseUrl.startsWith(commandPrefix) ? "stdio" : undefined;
}

/** Before a command whose standard input and output are a service. */
export const commandPrefix = "stdio:";
