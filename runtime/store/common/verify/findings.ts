import { messageOf } from "../../../contract/index.ts";
import type { Finding, FindingKind } from "../../ports/index.ts";

/** A finding before it is said what to do. */
export type FindingDraft = Omit<Finding, "todo">;

const restore =
  "Stop the service and keep a copy of the database (a file's -wal and -shm files, too). Compare what is named with the last " +
  "backup that verifies as sound; restore that backup, and record again what came after it.";

const todos: Readonly<Record<FindingKind, string>> = {
  file:
    "Stop the service, keep a copy of the database (a file's -wal and -shm files, too), check the disk, and restore the last " +
    "backup that verifies as sound.",
  root:
    "Stop the service and keep a copy of the database. Entries that were once there are lost or rewritten: restore the " +
    "newest backup that verifies against the root.",
};

/** Collects what is found: counts all of it, keeps the first of each kind. */
export interface Findings {
  add(finding: FindingDraft): void;
  /** Runs a part of the verification; an error of it, such as an unreadable page, is a finding. */
  during(table: string, work: () => void): void;
  counts(): Readonly<Record<FindingKind, number>>;
  kept(): readonly Finding[];
}

const keptOfEachKind = 100;

export function createFindings(): Findings {
  const counts: Record<FindingKind, number> = {};
  const kept: Finding[] = [];

  function add(finding: FindingDraft): void {
    const count = (counts[finding.kind] ?? 0) + 1;
    counts[finding.kind] = count;
    if (count <= keptOfEachKind) kept.push({ ...finding, todo: todos[finding.kind] ?? restore });
  }

  return {
    add,
    during: (table, work) => {
      try {
        work();
      } catch (error) {
        const reason = messageOf(error);
        add({ kind: "file", table, what: `cannot be read to its end: ${reason}` });
      }
    },
    counts: () => counts,
    kept: () => kept,
  };
}
