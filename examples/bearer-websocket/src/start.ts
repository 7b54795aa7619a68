import express from "express";
import { createService, rpcHandler, serve } from "ledger-rpc-runtime";
import { jwt } from "ledger-rpc-runtime/auth/jwt";
import { rpcWebSocket } from "ledger-rpc-runtime/websocket";
import { chatInterface } from "../generated/methods.ts";
import { chatHandlers } from "./handlers/index.ts";
import { createRoom } from "./room.ts";

/** The chat at work. */
export interface Chat {
  /** `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Answers the calls that have come, over HTTP and WebSocket, then ends. */
  close(): Promise<void>;
}

/** The chat over HTTP and WebSocket, on one path of one server. */
export async function start(port: number, secret: string): Promise<Chat> {
  const room = createRoom();
  const user = jwt({ secret, caller: ({ sub }) => (sub === undefined ? undefined : { name: sub }) });
  const service = createService(chatInterface, chatHandlers, { auth: { user }, context: () => ({ room }) });
  const webSocket = rpcWebSocket(service);
  room.onMessage((message) => webSocket.broadcast("said", message));
  const app = await serve(express().use("/rpc", rpcHandler(service)), { port });
  webSocket.attach(app.server);
  return {
    url: app.url,
    async close() {
      await Promise.all([app.close(), webSocket.close()]);
    },
  };
}
