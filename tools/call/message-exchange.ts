import { createInterface } from "node:readline";
import { endCommand, startCommand } from "../../conformance/request/shell-command.ts";
import { noAnswer, outcomeOf, type Exchange, type Outcome } from "./exchange.ts";

/** Sends a message over a WebSocket of its own; what proves who calls is in the headers of the handshake. */
export async function socketExchange(asked: Exchange): Promise<Outcome> {
  const { url, headers, body, isNotification } = asked;
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const socket = new WebSocket(url, { headers: { ...headers } });
  let isOpen = false;
  socket.addEventListener("open", () => {
    isOpen = true;
    socket.send(body);
    // The service answers the end of a connection when it has read what was sent before it.
    if (isNotification) socket.close();
  });
  socket.addEventListener("message", ({ data }) => {
    const text = String(data);
    if (!isNotification && !isFromService(text)) resolve(answerOf(text, url));
  });
  socket.addEventListener("error", () => {
    const what = isOpen ? "the connection broke" : "no connection, or it was refused";
    resolve(failed(`${url} cannot be called: ${what}`));
  });
  socket.addEventListener("close", ({ code, reason }) => {
    const words = `${url} closed the connection with ${code}${reason === "" ? "" : `, ${reason}`}`;
    resolve(isNotification && isOpen && code <= 1005 ? { kind: "taken" } : failed(words));
  });
  try {
    return await inTime(promise, asked);
  } finally {
    socket.close();
  }
}

/** Starts a command in a folder and sends a message to its standard input, which then ends; a message is one line. */
export async function commandExchange(
  command: string,
  cwd: string,
  asked: Omit<Exchange, "url">,
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const child = startCommand(command, cwd);
  const { isNotification, body } = asked;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!isNotification && !isFromService(line)) resolve(answerOf(line, command));
  });
  child.on("error", (error) => resolve(failed(`${command} cannot be run: ${error.message}`)));
  child.on("close", (code, signal) => {
    const isTaken = isNotification && code === 0;
    resolve(
      isTaken ? { kind: "taken" } : failed(`${command} ended with ${code ?? signal}, without an answer`),
    );
  });
  // It may end before it reads: `close` says so.
  child.stdin.on("error", () => undefined);
  child.stdin.end(`${body}\n`);
  try {
    return await inTime(promise, { ...asked, url: command });
  } finally {
    if (child.exitCode === null && child.signalCode === null) endCommand(child);
  }
}

async function inTime(
  outcome: Promise<Outcome>,
  { url, timeoutSeconds }: Pick<Exchange, "url" | "timeoutSeconds">,
): Promise<Outcome> {
  const late = failed(`${url} did not answer within ${timeoutSeconds} s: give it longer with --timeout`);
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const timer = setTimeout(resolve, timeoutSeconds * 1000, late);
  return await Promise.race([outcome, promise]).finally(() => clearTimeout(timer));
}

function answerOf(text: string, from: string): Outcome {
  return outcomeOf(text, false) ?? failed(noAnswer("a message", from, text));
}

function failed(reason: string): Outcome {
  return { kind: "failed", reason };
}

/** Whether the service sent a message by itself: it is about nothing that was asked. */
function isFromService(text: string): boolean {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null && "method" in message;
  } catch {
    return false;
  }
}
