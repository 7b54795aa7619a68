import { isUtf8 } from "node:buffer";
import { createInterface } from "node:readline";
import { type Frame, framed, jsonRpcFrame } from "../base/frame.ts";
import { isJsonObject, memberOf, parsedJson } from "../values/index.ts";
import { carrierOf, commandPrefix, endCommand, type MessageCarrier, startCommand } from "./carrier.ts";
import { NoAnswer, type Transport, type TransportOptions, type WireAnswer } from "./transport.ts";
import type { WireRequest } from "./wire-request.ts";

/** Why a request cannot travel by a carrier; undefined where it can. */
export function cannotCarry(carrier: MessageCarrier, { body, headers }: WireRequest): string | undefined {
  if (carrier === "stdio" && Object.keys(headers).some((name) => name !== "content-type"))
    return "pipes carry no credentials";
  if (carrier === "stdio" && (body.length === 0 || body.includes("\n"))) return "a message is one line";
  return isUtf8(body) ? undefined : "a message is a text";
}

/** Sends messages over connections that are kept open, one at a time on each. */
export function createMessageTransport(options: TransportOptions): Transport {
  const { baseUrl, timeoutMs, onExchange, frame = jsonRpcFrame } = options;
  const isSocket = carrierOf(baseUrl) === "websocket";
  const open = isSocket ? openSocket : openCommand;
  const address = isSocket ? baseUrl.replace(/\/$/, "") : baseUrl.slice(commandPrefix.length);
  const pool = createPool((at, headers) => open(at, headers, frame), isSocket ? options.connectionsMax : 1);
  let sentinels = 0;

  async function exchange(wire: WireRequest): Promise<WireAnswer> {
    const startedAt = performance.now();
    const at = isSocket ? `${address}${wire.path}` : address;
    // Pipes carry nothing but messages.
    const channel = await pool.take(at, isSocket ? wire.headers : {});
    let isWhole = false;
    try {
      channel.send(wire.body);
      const id = `conform-${(sentinels += 1)}`;
      const maySilent = isNotification(wire.body, frame);
      if (maySilent) channel.send(Buffer.from(JSON.stringify(framed(frame, { id, method: "conform.end" }))));
      const text = await channel.answer(timeoutMs);
      const isSilent = maySilent && memberOf(parsedJson(text), frame.id) === id;
      isWhole = !maySilent || isSilent;
      const body = isSilent ? Buffer.alloc(0) : Buffer.from(text);
      return { status: 200, headers: {}, body, ms: performance.now() - startedAt, isMessage: true };
    } finally {
      pool.give(channel, isWhole);
    }
  }

  return {
    async send(wire) {
      try {
        const answer = await exchange(wire);
        onExchange?.(wire, answer);
        return answer;
      } catch (error) {
        const failure = error instanceof NoAnswer ? error : new NoAnswer(String(error), { cause: error });
        onExchange?.(wire, failure);
        throw failure;
      }
    },
    close: pool.close,
  };
}

/** Whether no call of a message wants an answer. */
function isNotification(body: Buffer, frame: Frame): boolean {
  const message = parsedJson(body.toString());
  const calls: readonly unknown[] = Array.isArray(message) ? message : [message];
  return (
    calls.length > 0 &&
    calls.every(
      (call) =>
        isJsonObject(call) &&
        !Object.hasOwn(call, frame.id) &&
        typeof memberOf(call, frame.method) === "string",
    )
  );
}

/** Channels by address and headers: each is in one exchange at a time, and no more than so many are open. */
function createPool(open: (...opened: Opened) => Channel, max: number) {
  const idle = new Map<string, Channel[]>();
  const keys = new Map<Channel, string>();
  const waiting: (() => void)[] = [];
  const drop = (channel: Channel): void => {
    channel.close();
    keys.delete(channel);
  };

  return {
    async take(address: string, headers: WireRequest["headers"]): Promise<Channel> {
      const key = JSON.stringify([address, headers]);
      for (;;) {
        const known = idle.get(key)?.pop();
        if (known?.isOpen() === true) return known;
        if (known !== undefined) drop(known);
        else if (keys.size < max) break;
        else {
          const other = [...idle.values()].find((list) => list.length > 0)?.pop();
          if (other === undefined) await new Promise<void>((resolve) => waiting.push(resolve));
          else drop(other);
        }
      }
      const opened = open(address, headers);
      keys.set(opened, key);
      return opened;
    },
    give(channel: Channel, isWhole: boolean): void {
      const key = keys.get(channel) ?? "";
      if (isWhole && channel.isOpen()) idle.set(key, [...(idle.get(key) ?? []), channel]);
      else drop(channel);
      waiting.shift()?.();
    },
    close(): void {
      for (const channel of keys.keys()) channel.close();
    },
  };
}

/** A connection on which messages travel both ways. */
interface Channel {
  isOpen(): boolean;
  /** Sends a message; one that is not open yet sends it then. */
  send(message: Buffer): void;
  /** The next message that is no notification. @throws NoAnswer */
  answer(timeoutMs: number): Promise<string>;
  close(): void;
}

type Opened = readonly [address: string, headers: Readonly<Record<string, string>>];

/** Messages as they come, and those who wait for the next one. */
function createInbox(frame: Frame) {
  const messages: string[] = [];
  let waiting: PromiseWithResolvers<string> | undefined;
  let end: NoAnswer | undefined;
  return {
    /** Takes in a message; notifications of the service are about nothing that was asked. */
    push(message: string): void {
      if (isFromService(message, frame)) return;
      if (waiting === undefined) messages.push(message);
      else waiting.resolve(message);
      waiting = undefined;
    },
    fail(reason: string): void {
      end ??= new NoAnswer(reason);
      waiting?.reject(end);
      waiting = undefined;
    },
    isOver: () => end !== undefined,
    async next(timeoutMs: number): Promise<string> {
      const known = messages.shift();
      if (known !== undefined) return known;
      if (end !== undefined) throw end;
      const own = (waiting = Promise.withResolvers<string>());
      const timer = setTimeout(() => own.reject(new NoAnswer(`no answer within ${timeoutMs} ms`)), timeoutMs);
      return await own.promise.finally(() => clearTimeout(timer));
    },
  };
}

function isFromService(text: string, { id, method }: Frame): boolean {
  const message = parsedJson(text);
  return isJsonObject(message) && Object.hasOwn(message, method) && !Object.hasOwn(message, id);
}

/** A WebSocket: a message is one text, and what proves who calls is in the headers of the handshake. */
function openSocket(address: string, headers: Opened[1], frame: Frame): Channel {
  const inbox = createInbox(frame);
  const { "content-type": _type, ...sent } = headers;
  const socket = new WebSocket(address, { headers: sent });
  const early: string[] = [];
  socket.addEventListener("open", () => {
    for (const text of early) socket.send(text);
  });
  socket.addEventListener("message", ({ data }) => inbox.push(String(data)));
  socket.addEventListener("error", () => inbox.fail(`no connection to ${address}, or it was refused`));
  socket.addEventListener("close", ({ code, reason }) =>
    inbox.fail(`the connection was closed with ${code}${reason === "" ? "" : `, ${reason}`}`),
  );
  return {
    isOpen: () => !inbox.isOver(),
    send(message) {
      if (socket.readyState === WebSocket.CONNECTING) early.push(message.toString());
      else socket.send(message.toString());
    },
    answer: inbox.next,
    close: () => socket.close(),
  };
}

/** The standard input and output of a command, which the shell runs: a message is one line. */
function openCommand(command: string, _headers: Opened[1], frame: Frame): Channel {
  const inbox = createInbox(frame);
  const child = startCommand(command);
  createInterface({ input: child.stdout }).on("line", (line) => inbox.push(line));
  child.stdin.on("error", () => inbox.fail("the command has closed its standard input"));
  child.on("error", (error) => inbox.fail(`${command} cannot be run: ${error.message}`));
  child.on("exit", (code, signal) => inbox.fail(`the command has ended with ${code ?? signal}`));
  return {
    isOpen: () => !inbox.isOver(),
    send: (message) => void child.stdin.write(`${message.toString()}\n`),
    answer: inbox.next,
    close() {
      child.stdin.end();
      if (!inbox.isOver()) endCommand(child);
    },
  };
}
