/** A proxy in front of PostgreSQL that can lose the answer to one COMMIT, as a network does that swallows a connection. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface AnswerLoser {
  /** The database by way of the proxy. */
  readonly url: string;
  /** Loses the answer to the next COMMIT of a transaction that records attempts; resolves when it was sent. */
  loseNext(): Promise<void>;
  close(): Promise<void>;
}

export async function startAnswerLoser(database: string): Promise<AnswerLoser> {
  const target = new URL(database);
  const sockets = new Set<Socket>();
  let lost: (() => void) | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isLost = false;
    const watch = createWatch(() => {
      if (lost === undefined) return;
      isLost = true;
      lost();
      lost = undefined;
    });
    client.on("data", (chunk: Buffer) => {
      watch(chunk);
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      if (!isLost) client.write(chunk);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay().on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const url = new URL(database);
  url.port = String(port);
  return {
    url: url.href,
    loseNext: () => new Promise((resolve) => (lost = resolve)),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const recordsAttempts = /INSERT INTO delivery_attempts/i;

/** Reads what a client sends (protocol 3.0, 54.7), and calls back before the COMMIT of a transaction that records attempts. */
function createWatch(onCommit: () => void): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  let isStarted = false;
  let isRecording = false;
  /** Prepared statements keep their text on the server. */
  const recording = new Set<string>();
  const read = (type: string, body: Buffer): void => {
    const [first = "", second = ""] = body.toString("latin1").split("\0");
    const text = { Q: first, P: second }[type] ?? "";
    if (type === "P" && recordsAttempts.test(text)) recording.add(first);
    if (type === "B" && recording.has(second)) isRecording = true;
    if (recordsAttempts.test(text)) isRecording = true;
    if (text.startsWith("BEGIN")) isRecording = false;
    if (text === "COMMIT" && isRecording) onCommit();
  };
  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      const head = isStarted ? 1 : 0;
      if (pending.length < head + 4) return;
      const end = head + pending.readInt32BE(head);
      if (pending.length < end) return;
      if (isStarted) read(String.fromCharCode(pending[0] ?? 0), pending.subarray(5, end));
      isStarted = true;
      pending = pending.subarray(end);
    }
  };
}
