import { fail, type Cursor } from "./cursor.ts";

/** The member names seen so far of one object. A list while short: comparing a few strings beats hashing them. */
interface Names {
  list: string[];
  set: Set<string> | undefined;
}

const listedMax = 12;
/** Names that reach into JavaScript's prototypes (D-10). */
const forbidden: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

export function createNames(): Names {
  return { list: [], set: undefined };
}

/** Reads the name just scanned and adds it; nothing, and a violation, if the object has it already or may not have it. */
export function takeName(cursor: Cursor, names: Names, open: number, end: number): string | undefined {
  const name = nameAt(cursor, open, end);
  if (forbidden.has(name)) {
    fail(cursor, "forbidden-key", open);
    return undefined;
  }
  if (isTaken(names, name)) {
    fail(cursor, "duplicate-key", open);
    return undefined;
  }
  add(names, name);
  return name;
}

function nameAt({ bytes, ascii, escaped }: Cursor, open: number, end: number): string {
  if (escaped) return unescaped(bytes.toString("utf8", open, end));
  return ascii?.slice(open + 1, end - 1) ?? bytes.toString("utf8", open + 1, end - 1);
}

function unescaped(literal: string): string {
  const name: unknown = JSON.parse(literal);
  return String(name);
}

function isTaken(names: Names, name: string): boolean {
  return names.set === undefined ? names.list.includes(name) : names.set.has(name);
}

function add(names: Names, name: string): void {
  if (names.set !== undefined) names.set.add(name);
  else if (names.list.push(name) > listedMax) names.set = new Set(names.list);
}
