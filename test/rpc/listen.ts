import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { afterEach } from "vitest";

const servers: Server[] = [];
/** Those of WebSockets too, which no server counts as its own. */
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const server of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server on a free port, until the test ends. */
export async function listen(
  app: RequestListener,
): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer(app);
  servers.push(server);
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { port: address.port, server };
}
