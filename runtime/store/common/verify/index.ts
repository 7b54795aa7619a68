import { omitUndefined } from "../../../contract/index.ts";
import type { LedgerVerification, VerifyOptions, VerifyProgress } from "../../ports/index.ts";
import { compareCodePoints } from "../../condition/code-points.ts";
import { rootText, type Root } from "../chain-roots.ts";
import { verifyRules } from "../../tables/all.ts";
import type { Books } from "./books.ts";
import type { Findings } from "./findings.ts";
import { verifyRecords } from "./records.ts";
import { parseRoot, verifyRoots } from "./roots.ts";
import { verifySealed } from "./sealed.ts";
import type { BookSource } from "./rules.ts";

export type { AuditBook, AuditedRows, AuditSubjects, Books, NumberedBook } from "./books.ts";
export { createFindings, type Findings } from "./findings.ts";

/** Records between two reports of progress. */
const recordsBetweenProgress = 1024;

/** Verifies all there is to know from the books themselves, in passes over streams. Throws for a root that is no root. */
export function verifyBooks(
  books: Books,
  source: BookSource,
  findings: Findings,
  options: VerifyOptions,
): LedgerVerification {
  const kept = (options.roots ?? []).map(readRoot);
  const totals = {
    accounts: 0,
    transactions: 0,
    postings: 0,
    auditEntries: 0,
    sums: new Map<string, bigint>(),
  };
  let institutions: readonly string[] = [];
  findings.during("institutions", () => {
    institutions = books.institutions();
  });

  for (const pass of verifyRules.passes(source, books.audit)) {
    findings.during(pass.table, () => {
      const tell = progress(options, pass.part, pass.count());
      for (const id of institutions) pass.verify(id, findings, totals, tell);
    });
  }
  let root: Root | undefined;
  findings.during("audit_entries", () => {
    for (const id of institutions)
      totals.auditEntries += verifyRecords(books, id, verifyRules.subjects, findings);
    root = verifyRoots(books, kept, findings, progress(options, "audit", totals.auditEntries));
  });
  let sealedTexts: number | undefined;
  findings.during("seal_keys", () => {
    const keyId = books.sealKeyId();
    const sealer = keyId === undefined ? undefined : options.sealer?.(keyId);
    if (sealer === undefined) return;
    sealedTexts = verifySealed(books, sealer, findings, progress(options, "sealed"));
  });

  const counts = findings.counts();
  return {
    isSound: Object.keys(counts).length === 0,
    ...totals,
    ...omitUndefined({ sealedTexts }),
    sums: [...totals.sums]
      .map(([currency, sumMinor]) => ({ currency, sumMinor }))
      .toSorted((left, right) => compareCodePoints(left.currency, right.currency)),
    counts,
    findings: findings.kept(),
    root: root === undefined ? "" : rootText(root),
  };
}

function readRoot(text: string): Root {
  const root = parseRoot(text);
  if (root !== undefined) return root;
  throw new RangeError(`${text} is no root: expected <number of entries>:<64 hexadecimal digits>`);
}

function progress(options: VerifyOptions, part: VerifyProgress["part"], total?: number): () => void {
  let done = 0;
  const tell = (): void => options.onProgress?.({ part, done, ...omitUndefined({ total }) });
  tell();
  return () => {
    done += 1;
    if (done % recordsBetweenProgress === 0) tell();
  };
}
