import type { ServerResponse } from "node:http";

/** Those who read events as they come. */
export interface Listeners {
  /** Begins an answer that does not end, with its first line; false where too many listen already. */
  add(response: ServerResponse, head: string): boolean;
  send(line: string): void;
  count(): number;
}

const listenersMax = 16;
/** One that does not read is dropped when so much waits for it. */
const waitingBytesMax = 8 * 1024 * 1024;

export function createListeners(): Listeners {
  const all = new Set<ServerResponse>();
  return {
    add(response, head) {
      if (all.size >= listenersMax) return false;
      all.add(response);
      response.on("close", () => all.delete(response));
      response.writeHead(200, { "Content-Type": "application/x-ndjson", "Cache-Control": "no-store" });
      response.write(`${head}\n`);
      return true;
    },
    send(line) {
      for (const response of all) {
        response.write(`${line}\n`);
        if (response.writableLength > waitingBytesMax) response.destroy();
      }
    },
    count: () => all.size,
  };
}
