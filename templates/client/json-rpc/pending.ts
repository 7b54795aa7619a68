import type { ResponseLike } from "../exchange.ts";
import { isObject } from "../json.ts";
import type { Id } from "./message.ts";

/** Called with what a notification of the service carries. */
export type Listener = (payload: never) => void;

/** The calls and notifications that one connection waits for. */
export interface Pending {
  /** Waits for a message that answers one of these ids, until the signal ends. Throws a `TypeError` for an id in use. */
  wait(ids: readonly Id[], signal?: AbortSignal | null): Promise<ResponseLike>;
  /** Takes a message that came. */
  take(text: string): void;
  /** Ends everything that waits. */
  fail(reason: Error): void;
  /** Gives a function that ends listening. */
  listen(name: string, listener: Listener): () => void;
  /** Whether anything listens. */
  isHeard(): boolean;
}

interface Waiting {
  resolve(response: ResponseLike): void;
  reject(reason: Error): void;
}

export function pending(): Pending {
  const waiting = new Map<Id, Waiting>();
  const listeners = new Map<string, Set<Listener>>();
  return {
    async wait(ids, signal) {
      if (ids.some((id) => waiting.has(id))) throw new TypeError("id: another call waits under it");
      try {
        return await new Promise<ResponseLike>((resolve, reject) => {
          for (const id of ids) waiting.set(id, { resolve, reject });
          signal?.addEventListener("abort", () => reject(new Error("given up")), { once: true });
        });
      } finally {
        for (const id of ids) waiting.delete(id);
      }
    },
    take(text) {
      const value = parsed(text);
      if (isObject<Readonly<Record<string, unknown>>>(value) && typeof value["method"] === "string") {
        if (value["id"] === undefined) tell(listeners.get(value["method"]) ?? [], value["params"]);
      } else {
        answered(waiting, value)?.resolve(carriedBy(text));
      }
    },
    fail(reason) {
      for (const one of waiting.values()) one.reject(reason);
    },
    listen(name, listener) {
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(listener));
      return () => void own.delete(listener);
    },
    isHeard: () => [...listeners.values()].some((own) => own.size > 0),
  };
}

/** A message of a WebSocket, as HTTP would have brought it. */
export function carriedBy(body: string): ResponseLike {
  return { status: 200, headers: new Headers(), text: async () => body };
}

/** The call that a message answers. An error without an id answers the only call that waits. */
function answered(waiting: ReadonlyMap<unknown, Waiting>, value: unknown): Waiting | undefined {
  const answers: readonly unknown[] = Array.isArray(value) ? value : [value];
  const known = answers.map((one) => Object(one).id).find((id) => waiting.has(id));
  if (known !== undefined) return waiting.get(known);
  const { id = null, error = null } = Object(value);
  return id === null && error !== null && waiting.size === 1 ? [...waiting.values()][0] : undefined;
}

function tell(listeners: Iterable<Listener>, payload: unknown): void {
  for (const listener of listeners) {
    try {
      Reflect.apply(listener, undefined, [payload]);
    } catch {
      // A listener's own failure ends no connection.
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
