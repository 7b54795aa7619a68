import type { Sealer } from "./system.ts";

/**
 * The kind of fault: `file` — the database's pages or indexes; `schema` — its tables; `reference` — a record refers to
 * none; `chain` — a link of a chain; `record` — a record against its last audit entry; `derived` — a value that is kept
 * twice for speed differs; `sealed` — a sealed text does not open; `root` — the audit entries against a root; any other:
 * a rule of the application.
 */
export type FindingKind = string;

/** Something that is wrong with the books. */
export interface Finding {
  readonly kind: FindingKind;
  readonly table: string;
  /** The record's key; absent where no single record is meant. */
  readonly record?: string;
  /** Names identifiers, amounts, states and hashes; no personal data. */
  readonly what: string;
  readonly todo: string;
}

export interface LedgerVerification {
  /** Whether nothing was found. */
  readonly isSound: boolean;
  /** How many records the application's rules looked at, by the names that it counts them under. */
  readonly records: Readonly<Record<string, number>>;
  readonly auditEntries: number;
  /** Sealed texts that were opened; absent without the key. */
  readonly sealedTexts?: number;
  /** The application's sums, by currency: every value is 0 in sound books. */
  readonly sums: readonly { readonly currency: string; readonly sumMinor: bigint }[];
  /** How many findings there are of each kind. */
  readonly counts: Readonly<Record<FindingKind, number>>;
  /** The first of each kind. */
  readonly findings: readonly Finding[];
  /** The root over all audit entries, for comparison by a later verification: `<number of entries>:<hash>`. */
  readonly root: string;
}

export interface VerifyOptions {
  /** Roots that were kept elsewhere, as `root` gives them. */
  readonly roots?: readonly string[];
  /** Gives the key that the database says it is sealed with. Without it nothing sealed is looked at. */
  readonly sealer?: (keyId: string) => Sealer | undefined;
  readonly onProgress?: (progress: VerifyProgress) => void;
}

export interface VerifyProgress {
  /** The part that is being verified, in words. */
  readonly part: string;
  readonly done: number;
  /** Absent where it is not known. */
  readonly total?: number;
}
