import { once } from "node:events";
import type { Server } from "node:http";
import express from "express";
import { createService, rpcHandler } from "ledger-rpc-runtime";
import { jwt } from "ledger-rpc-runtime/auth/jwt";
import { rpcWebSocket } from "ledger-rpc-runtime/websocket";
import { chatInterface } from "../generated/methods.ts";
import { chatHandlers } from "./handlers/index.ts";
import { createRoom } from "./room.ts";

/** The chat over HTTP and WebSocket, on one path of one server. */
export async function start(port: number, secret: string): Promise<Server> {
  const room = createRoom();
  const user = jwt({ secret, caller: ({ sub }) => (sub === undefined ? undefined : { name: sub }) });
  const service = createService(chatInterface, chatHandlers, { auth: { user }, context: () => ({ room }) });
  const webSocket = rpcWebSocket(service);
  room.onMessage((message) => webSocket.broadcast("said", message));
  const server = express().use("/rpc", rpcHandler(service)).listen(port, "127.0.0.1");
  webSocket.attach(server);
  server.on("close", () => void webSocket.close());
  await once(server, "listening");
  return server;
}
