export { rpcWebSocket, type WebSocketEndpoint } from "./endpoint.ts";
export type { WebSocketOptions } from "./options.ts";
