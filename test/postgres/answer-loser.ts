/** A proxy in front of PostgreSQL that can lose the answer to one COMMIT, as a network does that swallows or cuts a connection. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface AnswerLoser {
  /** The database by way of the proxy. */
  readonly url: string;
  /** Loses the answer to the next COMMIT of a transaction with such a statement; resolves when it was sent. */
  loseNext(statement: RegExp, by: "swallowing" | "cutting"): Promise<void>;
  close(): Promise<void>;
}

export async function startAnswerLoser(database: string): Promise<AnswerLoser> {
  const target = new URL(database);
  const sockets = new Set<Socket>();
  let next: NextLoss | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isLost = false;
    const watch = createWatch((statements) => {
      if (next === undefined || !statements.some((each) => next?.statement.test(each))) return;
      isLost = true;
      next.lost();
      if (next.by === "cutting") client.destroy();
      next = undefined;
    });
    client.on("data", (chunk: Buffer) => {
      // It gets there, also where this end is cut by it.
      upstream.write(chunk);
      watch(chunk);
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
        other.end();
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
    loseNext: (statement, by) => new Promise((lost) => (next = { statement, by, lost })),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

interface NextLoss {
  readonly statement: RegExp;
  readonly by: "swallowing" | "cutting";
  lost(): void;
}

/** Reads what a client sends (protocol 3.0, 54.7), and calls back at each COMMIT with the statements of its transaction. */
function createWatch(onCommit: (statements: readonly string[]) => void): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  let isStarted = false;
  let statements: string[] = [];
  /** Prepared statements keep their text on the server. */
  const prepared = new Map<string, string>();
  const read = (type: string, body: Buffer): void => {
    const [first = "", second = ""] = body.toString("latin1").split("\0");
    if (type === "P") prepared.set(first, second);
    const text = { Q: first, B: prepared.get(second) }[type] ?? "";
    if (text.startsWith("BEGIN")) statements = [];
    if (text !== "") statements.push(text);
    if (text === "COMMIT") onCommit(statements);
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
