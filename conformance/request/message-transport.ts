import { isUtf8 } from "node:buffer";
import { isJsonObject } from "../values/index.ts";
import { memberOf } from "./access.ts";
import { carrierOf, commandPrefix, type MessageCarrier } from "./carrier.ts";
import { openCommand } from "./command-channel.ts";
import type { Channel, OpenChannel } from "./channel.ts";
import { openSocket } from "./socket-channel.ts";
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
  const { baseUrl, timeoutMs, onExchange } = options;
  const isSocket = carrierOf(baseUrl) === "websocket";
  const open = isSocket ? openSocket : openCommand;
  const address = isSocket ? baseUrl.replace(/\/$/, "") : baseUrl.slice(commandPrefix.length);
  const pool = createPool(open, isSocket ? options.connectionsMax : 1);
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
      const maySilent = isNotification(wire.body);
      if (maySilent) channel.send(Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, method: "conform.end" })));
      const text = await channel.answer(timeoutMs);
      const isSilent = maySilent && memberOf(parsed(text), "id") === id;
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
function isNotification(body: Buffer): boolean {
  const message = parsed(body.toString());
  const calls: readonly unknown[] = Array.isArray(message) ? message : [message];
  return (
    calls.length > 0 &&
    calls.every(
      (call) =>
        isJsonObject(call) && !Object.hasOwn(call, "id") && typeof memberOf(call, "method") === "string",
    )
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Channels by address and headers: each is in one exchange at a time, and no more than so many are open. */
function createPool(open: OpenChannel, max: number) {
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
