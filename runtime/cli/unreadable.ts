/** The operating system's reason why a file cannot be read, in words: `cannot be read: it does not exist`. */
import { messageOf } from "../contract/index.ts";
export function unreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = messageOf(error);
  return `cannot be read: ${reasons.get(code) ?? message}`;
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it does not exist"],
  ["EACCES", "this user may not read it"],
  ["EISDIR", "it is a folder"],
]);
