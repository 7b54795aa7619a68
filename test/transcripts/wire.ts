import { connect } from "node:net";

/** Sends bytes over a socket of their own and gives back the one response, as text, dates blanked. */
export function exchangeBytes(port: number, request: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    let received = Buffer.alloc(0);
    const finish = (): void => {
      socket.destroy();
      resolve(printable(received));
    };
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (isWhole(received)) finish();
    });
    socket.on("end", finish);
    socket.on("error", reject);
  });
}

function isWhole(received: Buffer): boolean {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return false;
  const length = /^content-length: (\d+)\r$/im.exec(received.toString("latin1", 0, headEnd + 2))?.[1];
  return length !== undefined && received.length >= headEnd + 4 + Number(length);
}

function printable(received: Buffer): string {
  const text = received.toString("utf8").replaceAll("\r\n", "\n");
  return text.replace(/^Date: .*$/m, "Date: <%date%>").trimEnd();
}
