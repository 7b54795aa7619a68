import type { Connection } from "./connection.ts";

const leftOpen = new Set<Connection>();

/**
 * Keeps a connection open to the very end of the process. Closing the last connection to a file moves its log into it,
 * damage and all, and removes the log. Node closes connections at its end, unless the process is ended before.
 */
export function leaveOpen(connection: Connection): void {
  if (leftOpen.size === 0) process.once("exit", () => process.exit());
  leftOpen.add(connection);
}
