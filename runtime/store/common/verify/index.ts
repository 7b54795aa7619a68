import { omitUndefined } from "../../../contract/index.ts";
import {
  type LedgerVerification,
  type VerifyOptions,
  keyIdOfSealed,
  type Sealer,
} from "../../ports/index.ts";
import { compareCodePoints } from "../code-points.ts";
import { rootText, type Root } from "../chain-roots.ts";
import type { Schema } from "../../tables/schema.ts";
import type { Books, SealedPlace } from "./books.ts";
import type { Findings, BookSource } from "./rules.ts";
import { verifyRecords } from "./records.ts";
import { parseRoot, verifyRoots } from "./chains.ts";
import { sealedPlaces, mapPart } from "../sealing.ts";

export { verifyDerived, createFindings, type Findings } from "./rules.ts";
export type { AuditBook, AuditedRows, AuditSubjects, Books, NumberedBook } from "./books.ts";

/** Records between two reports of progress. */
const recordsBetweenProgress = 1024;

/** Verifies all there is to know from the books themselves, in passes over streams. Throws for a root that is no root. */
export function verifyBooks(
  schema: Schema,
  books: Books,
  source: BookSource,
  findings: Findings,
  options: VerifyOptions,
): LedgerVerification {
  const kept = (options.roots ?? []).map(readRoot);
  const records: Record<string, number> = noneCounted(schema);
  const totals = {
    count: (name: string, counted = 1) => void (records[name] = (records[name] ?? 0) + counted),
    auditEntries: 0,
    sums: new Map<string, bigint>(),
  };
  let institutions: readonly string[] = [];
  findings.during("institutions", () => {
    institutions = books.institutions();
  });

  for (const pass of schema.verify?.passes(source, books.audit) ?? []) {
    findings.during(pass.table, () => {
      const tell = progress(options, pass.part, pass.count());
      for (const id of institutions) pass.verify(id, findings, totals, tell);
    });
  }
  let root: Root | undefined;
  findings.during("audit_entries", () => {
    for (const id of institutions) totals.auditEntries += verifyRecords(schema, books, id, findings);
    root = verifyRoots(books, kept, findings, progress(options, "audit entries", totals.auditEntries));
  });
  let sealedTexts: number | undefined;
  findings.during("seal_keys", () => {
    const keyId = books.sealKeyId();
    const sealer = keyId === undefined ? undefined : options.sealer?.(keyId);
    if (sealer === undefined) return;
    sealedTexts = verifySealed(schema, books, sealer, findings, progress(options, "sealed texts"));
  });

  const sums = [...totals.sums]
    .map(([currency, sumMinor]) => ({ currency, sumMinor }))
    .toSorted((left, right) => compareCodePoints(left.currency, right.currency));
  return {
    ...outcomeOf(findings),
    records,
    auditEntries: totals.auditEntries,
    ...omitUndefined({ sealedTexts }),
    sums,
    root: root === undefined ? "" : rootText(root),
  };
}

/** What is known of books that cannot be read. */
export function unreadBooks(schema: Schema, findings: Findings): LedgerVerification {
  return { ...outcomeOf(findings), records: noneCounted(schema), auditEntries: 0, sums: [], root: "" };
}

function outcomeOf(findings: Findings): Pick<LedgerVerification, "isSound" | "counts" | "findings"> {
  const counts = findings.counts();
  return { isSound: Object.keys(counts).length === 0, counts, findings: findings.kept() };
}

function noneCounted({ verify }: Schema): Record<string, number> {
  return Object.fromEntries((verify?.counted ?? []).map((name) => [name, 0]));
}

function readRoot(text: string): Root {
  const root = parseRoot(text);
  if (root !== undefined) return root;
  throw new RangeError(`${text} is no root: expected <number of entries>:<64 hexadecimal digits>`);
}

function progress(options: VerifyOptions, part: string, total?: number): () => void {
  let done = 0;
  const tell = (): void => options.onProgress?.({ part, done, ...omitUndefined({ total }) });
  tell();
  return () => {
    done += 1;
    if (done % recordsBetweenProgress === 0) tell();
  };
}

/** Opens every text that is sealed at rest: a damaged one is lost, and nothing else says so. Gives how many there are. */
function verifySealed(
  schema: Schema,
  books: Books,
  sealer: Sealer,
  findings: Findings,
  tell: () => void,
): number {
  let texts = 0;
  for (const place of sealedPlaces(schema)) {
    const table = place.table.name;
    findings.during(table, () => {
      for (const [record, text] of books.sealedTexts(place)) {
        const fault = faultIn(place, text, sealer, () => (texts += 1));
        if (fault !== undefined)
          findings.add({ kind: "sealed", table, record, what: `${place.column} ${fault}` });
        tell();
      }
    });
  }
  return texts;
}

function faultIn(place: SealedPlace, text: string, sealer: Sealer, found: () => void): string | undefined {
  let fault: string | undefined;
  try {
    mapPart(place.part, text, (sealed) => {
      if (sealed !== "") {
        found();
        fault ??= faultOf(sealed, sealer);
      }
      return sealed;
    });
  } catch {
    return "is no JSON";
  }
  return fault;
}

function faultOf(sealed: string, sealer: Sealer): string | undefined {
  if (keyIdOfSealed(sealed) === undefined) return "is not sealed";
  try {
    sealer.open(sealed);
    return undefined;
  } catch {
    return `does not open with key ${sealer.keyId}`;
  }
}
