/** The endpoints of both users, in a process of their own: it answers 204, or slowly, and tells what the modest user was sent. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { createServer as createTcpServer } from "node:net";

export interface NotificationReceiver {
  /** Each user's endpoint is an origin of its own. */
  urlOf(userName: "greedy" | "modest"): string;
  /** Called with the body of each notification of the modest user. */
  onModest(listener: (body: string) => void): void;
  close(): void;
}

export async function startReceiver(): Promise<NotificationReceiver> {
  const child = fork(import.meta.filename);
  const [port] = await once(child, "message");
  const hosts = { greedy: "127.0.0.1", modest: "127.0.0.2" };
  return {
    urlOf: (userName) => `http://${hosts[userName]}:${port}/${userName}`,
    onModest: (listener) => {
      child.removeAllListeners("message").on("message", (body) => listener(String(body)));
    },
    close: () => child.kill(),
  };
}

function serve(): void {
  const server = createServer((request, response) => {
    const isModest = request.url === "/modest";
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      if (isModest) body += chunk;
    });
    request.on("end", () => {
      if (request.url === "/slow") return trickle(response);
      response.writeHead(204).end();
      if (isModest) process.send?.(body);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen({ host: "0.0.0.0", port: 0, backlog: 2_000 }, () => {
    const address = server.address();
    process.send?.(typeof address === "object" ? address?.port : address);
  });
  process.on("disconnect", () => process.exit());
}

/** Answers a byte a second until the other end has enough. */
function trickle(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write("."), 1_000);
  response.on("close", () => clearInterval(timer));
}

export interface HangingMailServer {
  readonly port: number;
  /** How many mails it was sent whole. */
  received(): number;
  close(): void;
}

/** A mail server that takes every mail, and then says nothing. */
export async function startHangingMailServer(): Promise<HangingMailServer> {
  let received = 0;
  const server = createTcpServer((socket) => {
    let text = "";
    socket.on("error", () => socket.destroy());
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\r\n.\r\n")) received += 1;
      else if (/^(?:EHLO|HELO|MAIL|RCPT|RSET)/m.test(chunk)) socket.write("250 ok\r\n");
      else if (/^DATA/m.test(chunk)) socket.write("354 go on\r\n");
      if (text.includes("\r\n.\r\n")) text = "";
    });
    socket.write("220 mail.example ESMTP\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, received: () => received, close: () => server.close() };
}

if (process.argv[1] === import.meta.filename) serve();
