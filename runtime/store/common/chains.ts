import { hash } from "node:crypto";
import type { AuditRecord } from "../records/audit.ts";

/**
 * Hashes of append-only records, version 1 (docs/verify.md). Every hash is SHA-256, in lower-case hex, over the UTF-8
 * bytes of a JSON array in RFC 8785 form. The array holds texts, integers, `null` and arrays of these. Amounts are
 * texts, because JSON numbers lose digits.
 */
export type HashedValue = string | number | null | readonly HashedValue[];

/** Where a link is: after the one with `previousHash`, which is "" at position 1. */
export interface LinkPlace {
  readonly position: number;
  readonly previousHash: string;
}

/** The last link of a chain: `position` is 0 before the first. */
export interface ChainHead {
  readonly position: number;
  readonly hash: string;
}

/** The fields of an audit entry that its hash covers beside its place. */
export interface AuditContent extends Omit<
  AuditRecord,
  "sequence" | "number" | "position" | "hash" | "subjectType"
> {
  readonly subjectType: string;
}

/** The root before the first entry. */
export const firstRoot = digest(["ledger-root/1"]);

/** The root over one entry more: over all audit entries so far. */
export function nextRoot(root: string, entryHash: string): string {
  return digest(["ledger-root/1", root, entryHash]);
}

/** The link of an audit entry in the chain of its subject. */
export function auditHash(entry: AuditContent, place: LinkPlace): string {
  return digest([
    "ledger-chain/1",
    "audit_entries",
    entry.institutionId,
    entry.subjectType,
    entry.subjectId,
    place.position,
    place.previousHash,
    entry.operation,
    entry.changedAt,
    entry.userName ?? null,
    entry.keyId ?? null,
    entry.changes.map(({ field, from, to }) => [field, from ?? null, to ?? null]),
    entry.contentHash ?? null,
  ]);
}

/** The hash of one array. */
export function digest(values: readonly HashedValue[]): string {
  return hash("sha256", JSON.stringify(values));
}
