import { fail, type Cursor } from "./tokens.ts";

/** The member names seen so far of one object. A list while short: comparing a few strings beats hashing them. */
interface Names {
  readonly list: string[];
  set: Set<string> | undefined;
}

const listedMax = 12;

export function createNames(): Names {
  return { list: [], set: undefined };
}

/** Reads the name just scanned and adds it; nothing, and a violation, if the object has it already or may not have it. */
export function takeName(cursor: Cursor, names: Names, open: number, end: number): string | undefined {
  const name = nameAt(cursor, open, end);
  if (isForbidden(cursor.rules.forbiddenNames, name)) {
    fail(cursor, "forbidden-key", open);
    return undefined;
  }
  if (names.set === undefined ? names.list.includes(name) : names.set.has(name)) {
    fail(cursor, "duplicate-key", open);
    return undefined;
  }
  if (names.set !== undefined) names.set.add(name);
  else if (names.list.push(name) > listedMax) names.set = new Set(names.list);
  return name;
}

/** A loop compares lengths first; `includes` took three times as long. */
function isForbidden(forbidden: readonly string[], name: string): boolean {
  for (let at = 0; at < forbidden.length; at += 1) if (forbidden[at] === name) return true;
  return false;
}

function nameAt({ bytes, ascii, escaped }: Cursor, open: number, end: number): string {
  if (escaped) {
    const name: unknown = JSON.parse(bytes.toString("utf8", open, end));
    return String(name);
  }
  return ascii?.slice(open + 1, end - 1) ?? bytes.toString("utf8", open + 1, end - 1);
}
