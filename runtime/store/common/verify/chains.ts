import { omitUndefined } from "../../../contract/index.ts";
import { auditHash, firstRoot, nextRoot } from "../chains.ts";
import type { AuditChange } from "../../ports/index.ts";
import type { AuditBook, Books, NumberedBook } from "./books.ts";
import type { Findings } from "./rules.ts";
import type { Root } from "../chain-roots.ts";

/** The state that the entries of a subject add up to. */
export interface AuditState {
  /** How many entries there are. */
  readonly entries: number;
  readonly contentHash?: string;
  /** The last values of fields that changed. */
  readonly values: ReadonlyMap<string, string | undefined>;
}

/** Follows the chain of one subject, and says what of it does not hold. */
export function followAuditChain(entries: Iterable<AuditBook>, findings: Findings): AuditState {
  let last: AuditBook | undefined;
  let count = 0;
  const values = new Map<string, string | undefined>();
  for (const entry of entries) {
    const wrong = (what: string) =>
      findings.add({ kind: "chain", table: "audit_entries", record: recordOf(entry), what });
    const expected = (last?.position ?? 0) + 1;
    if (entry.position !== expected) {
      wrong(`follows entry ${expected - 1} of its subject: entries between them are missing`);
    }
    const changes = changesOf(entry);
    if (changes === undefined) wrong("the changes are no JSON array of changes");
    else {
      const place = { position: entry.position, previousHash: last?.hash ?? "" };
      if (auditHash({ ...entry, changes }, place) !== entry.hash) {
        wrong("the hash is not that of the entry and the one before: one of them was changed");
      }
      for (const { field, to } of changes) values.set(field, to);
    }
    last = entry;
    count += 1;
  }
  return omitUndefined({
    entries: count,
    values,
    contentHash: last?.contentHash,
  });
}

/** Names an entry: its number, and its place in the chain of its subject. */
export function recordOf({ sequence, subjectType, subjectId, position }: AuditBook): string {
  return `${sequence} (entry ${position} of ${subjectType} ${subjectId})`;
}

function changesOf({ changes }: AuditBook): readonly AuditChange[] | undefined {
  try {
    const read: unknown = JSON.parse(changes);
    return Array.isArray(read) && read.every(isChange) ? read : undefined;
  } catch {
    return undefined;
  }
}

function isChange(value: unknown): value is AuditChange {
  return typeof value === "object" && value !== null && "field" in value;
}

/** Reads `<number of entries>:<hash>`. */
export function parseRoot(text: string): Root | undefined {
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  return sequence === undefined || hash === undefined ? undefined : { sequence: Number(sequence), hash };
}

/** All audit entries in their order, with their numbers, against the roots in the store and those kept elsewhere. Gives the root of now. */
export function verifyRoots(
  books: Books,
  kept: readonly Root[],
  findings: Findings,
  onEntry: () => void,
): Root {
  const wrong = (table: string, record: string, what: string) =>
    findings.add({ kind: "root", table, record, what });
  const due = [
    ...books.roots().map(({ sequence, hash }) => ({ sequence, hash, from: "chain_roots" })),
    ...kept.map((root) => ({ ...root, from: "the root kept elsewhere" })),
  ].toSorted((left, right) => left.sequence - right.sequence);
  const numbers = createNumberCheck(wrong);
  let place = 0;
  let root: Root = { sequence: 0, hash: firstRoot };

  function compare(): void {
    for (let next = due[place]; next?.sequence === root.sequence; next = due[place]) {
      place += 1;
      if (next.hash === root.hash) continue;
      const what = `${next.from} says ${next.hash}, the first ${root.sequence} entries give ${root.hash}`;
      wrong("audit_entries", `1 to ${root.sequence}`, `${what}: one of them was changed, removed or added`);
    }
  }

  compare();
  for (const entry of books.auditInOrder()) {
    onEntry();
    const expected = root.sequence + 1;
    if (entry.sequence !== expected) {
      wrong("audit_entries", String(expected), `${gap(expected, entry.sequence)} missing: removed`);
      numbers.expectMissing(entry.sequence - expected);
      // Numbers are followed from here on, so that one gap is one finding.
      while ((due[place]?.sequence ?? Infinity) < entry.sequence) place += 1;
    }
    numbers.follow(entry);
    root = { sequence: entry.sequence, hash: nextRoot(root.hash, entry.hash) };
    compare();
  }
  for (const { sequence, from } of due.slice(place)) {
    const what = `there are ${root.sequence} entries, ${from} is over ${sequence}: the last ones were lost or removed`;
    wrong("audit_entries", String(sequence), what);
  }
  return root;
}

/** Follows the numbers of each institution's entries, which have a gap only where entries are missing. */
function createNumberCheck(wrong: (table: string, record: string, what: string) => void) {
  const last = new Map<string, number>();
  let missing = 0;
  return {
    /** Entries of unknown institutions are missing. */
    expectMissing: (count: number): void => {
      missing += count;
    },
    follow: ({ sequence, institutionId, number = 0 }: NumberedBook): void => {
      const expected = (last.get(institutionId) ?? 0) + 1;
      const skipped = number - expected;
      const isWrong = skipped < 0 || skipped > missing;
      last.set(institutionId, isWrong ? expected : number);
      if (isWrong) {
        const what = `has the number ${number} in institution ${institutionId} and not ${expected}`;
        return wrong("audit_entries", String(sequence), `${what}: it was changed`);
      }
      missing -= skipped;
    },
  };
}

function gap(first: number, next: number): string {
  return next - first === 1 ? `entry ${first} is` : `entries ${first} to ${next - 1} are`;
}
