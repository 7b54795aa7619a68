import { rmSync } from "node:fs";
import { createServer, connect, type Server, type Socket } from "node:net";
import { dirname, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { messageOf } from "../../contract/index.ts";
import { fileOf } from "../../store/index.ts";

/** Requests of a command to the running service, and its answers: one JSON text each. */
export type Answering = (request: unknown) => Promise<object>;

/** Operating systems take at least this many bytes for a socket's path. */
const pathBytesMax = 103;
const requestBytesMax = 65_536;
const timeoutMs = 10_000;

/**
 * The socket of the service that writes to a store in a file: beside the file, and open to its owner alone. Undefined
 * on Windows, whose pipes others can open, and if the path is longer than the system allows.
 */
export function controlSocketOf(databaseUrl: string): string | undefined {
  const file = fileOf(databaseUrl);
  if (file === undefined || process.platform === "win32") return undefined;
  const path = `${resolve(file)}.socket`;
  return Buffer.byteLength(path) > pathBytesMax ? undefined : path;
}

/** Answers commands until closed. The caller holds the lock of the database: a socket that is there is a dead process's. */
export async function answerCommands(path: string, answer: Answering): Promise<Server> {
  rmSync(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, (socket) => void answerOne(socket, answer));
  // The socket is made in this turn, with the permissions that the mask leaves.
  const mask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(mask);
  }
  await new Promise<void>((listening, failed) => server.once("listening", listening).once("error", failed));
  server.unref();
  return server;
}

async function answerOne(socket: Socket, answer: Answering): Promise<void> {
  // A caller that has disconnected gets no answer.
  socket.on("error", () => undefined);
  socket.setTimeout(timeoutMs, () => socket.destroy());
  let answered: object;
  try {
    answered = await answer(JSON.parse(await boundedText(socket)));
  } catch (error) {
    answered = { error: messageOf(error) };
  }
  socket.end(JSON.stringify(answered));
}

async function boundedText(socket: Socket): Promise<string> {
  let whole = "";
  socket.setEncoding("utf8");
  for await (const part of socket.iterator({ destroyOnReturn: false })) {
    whole += String(part);
    if (whole.length > requestBytesMax) throw new Error("the request is too long");
  }
  return whole;
}

/**
 * Asks the service that writes to a database. Undefined where none runs.
 * @throws Error with what the service says against it.
 */
export async function askService(path: string, request: object): Promise<unknown> {
  const socket = connect({ path, allowHalfOpen: true });
  try {
    await new Promise<void>((connected, failed) => socket.once("connect", connected).once("error", failed));
  } catch (error) {
    if (isNotListening(error)) return undefined;
    throw new Error(
      `The service in ${dirname(path)} cannot be asked: ${String(error)}. Run this as the user of the service`,
      { cause: error },
    );
  }
  socket.end(JSON.stringify(request));
  const answer = answerIn(await text(socket));
  if (typeof answer === "object" && answer !== null && "error" in answer)
    throw new Error(String(answer.error));
  return answer;
}

/** A service that is killed while it answers leaves a part of its answer, or none. */
function answerIn(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return { error: "The service ended the connection." };
  }
}

function isNotListening(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    ["ENOENT", "ENOTDIR", "ECONNREFUSED", "ENOTSOCK"].includes(String(error.code))
  );
}
