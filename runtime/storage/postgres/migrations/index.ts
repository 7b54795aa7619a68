import type { MigrationStep } from "../../common/adapter.ts";
import type { Session } from "../connections.ts";
import { initial } from "./001-initial.ts";
import { generations } from "./014-generations.ts";
import { auditNumbers, auditNumbersOfFormer } from "./012-audit-numbers.ts";
import { accountMarks } from "./005-account-marks.ts";
import { institutionPlaces } from "./003-institution-places.ts";
import { keptMails } from "./011-kept-mails.ts";
import { keyUses } from "./006-key-uses.ts";
import { lanes } from "./010-lanes.ts";
import { movedChanges } from "./007-moved-changes.ts";
import { restateRecords } from "./008-restate-records.ts";
import { publisher } from "./004-publisher.ts";
import { traceParents } from "./002-trace-parents.ts";
import { transactionMarks } from "./009-transaction-marks.ts";

export interface PostgresMigration extends MigrationStep {
  /** A step that SQL cannot express, after it in the same transaction. */
  readonly fill?: (session: Session) => Promise<void>;
}

/** All steps, oldest first. Forward only. */
export const migrations: readonly PostgresMigration[] = [
  { number: 1, name: "initial", sql: initial },
  { number: 2, name: "trace-parents", sql: traceParents },
  { number: 3, name: "institution-places", sql: institutionPlaces },
  { number: 4, name: "publisher", sql: publisher },
  { number: 5, name: "account-marks", sql: accountMarks },
  { number: 6, name: "key-uses", sql: keyUses },
  { number: 7, name: "moved-changes", sql: movedChanges },
  { number: 8, name: "restate-records", sql: "", fill: restateRecords },
  { number: 9, name: "transaction-marks", sql: transactionMarks },
  { number: 10, name: "lanes", sql: lanes },
  { number: 11, name: "kept-mails", sql: keptMails },
  { number: 12, name: "audit-numbers", sql: auditNumbers },
  { number: 13, name: "audit-numbers-of-former", sql: auditNumbersOfFormer },
  { number: 14, name: "generations", sql: generations },
];
