import type { Connection } from "./connection.ts";
import type { RequestGate } from "./request-gate.ts";
import type { WorkLimiter } from "./work-limiter.ts";

/** What a port is busy with, and whether it is closing. */
export interface RequestTracker {
  closing: boolean;
  readonly gate: RequestGate;
  /** Shared by the ports of the process. */
  readonly work: WorkLimiter;
}

/** Turns of the event loop in which whatever a socket holds has been read. */
const turnsToRead = 2;

/**
 * Whether an answer is a connection's last: the port is closing and the caller has sent nothing since. Callers that
 * pipeline are ended when they are quiet, because more of theirs may be on its way.
 */
export async function isLastAnswer({ socket, pipelined, outstanding }: Connection): Promise<boolean> {
  if (pipelined || outstanding > 1) return false;
  const { bytesRead } = socket;
  for (let turn = 0; turn < turnsToRead; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return socket.bytesRead === bytesRead;
}
