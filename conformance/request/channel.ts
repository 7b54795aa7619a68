import { isJsonObject } from "../values/index.ts";
import { NoAnswer } from "./transport.ts";

/** A connection on which messages travel both ways. */
export interface Channel {
  isOpen(): boolean;
  /** Sends a message; one that is not open yet sends it then. */
  send(message: Buffer): void;
  /** The next message that is no notification. @throws NoAnswer */
  answer(timeoutMs: number): Promise<string>;
  close(): void;
}

export type OpenChannel = (address: string, headers: Readonly<Record<string, string>>) => Channel;

/** Messages as they come, and those who wait for the next one. */
export function createInbox() {
  const messages: string[] = [];
  let waiting: PromiseWithResolvers<string> | undefined;
  let end: NoAnswer | undefined;
  return {
    /** Takes in a message; notifications of the service are about nothing that was asked. */
    push(message: string): void {
      if (isFromService(message)) return;
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

function isFromService(text: string): boolean {
  try {
    const message: unknown = JSON.parse(text);
    return isJsonObject(message) && "method" in message && !("id" in message);
  } catch {
    return false;
  }
}
