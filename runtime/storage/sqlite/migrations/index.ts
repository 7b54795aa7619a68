import type { DatabaseSync } from "node:sqlite";
import { initial } from "./001-initial.ts";
import { deliveries } from "./002-deliveries.ts";
import { revisions } from "./004-revisions.ts";
import { deliveriesByRow } from "./005-deliveries-by-row.ts";
import { chains } from "./006-chains.ts";
import { revokedUsers } from "./009-revoked-users.ts";
import { fillChains } from "./006-fill-chains.ts";
import { nonces } from "./007-nonces.ts";
import { accountLists } from "./008-account-lists.ts";
import { hashTokens, sealKeys } from "./010-seal-keys.ts";
import { traceParents } from "./013-trace-parents.ts";
import { whoseAnswers } from "./014-whose-answers.ts";
import { restateRecords } from "./015-restate-records.ts";
import { keyUses } from "./016-key-uses.ts";
import { transactionMarks } from "./017-transaction-marks.ts";
import { lanes } from "./018-lanes.ts";
import { keptMails } from "./019-kept-mails.ts";
import { claims } from "./020-claims.ts";
import { generations } from "./022-generations.ts";
import { auditNumbers } from "./021-audit-numbers.ts";
import { usersOfInstitution } from "./011-users-of-institution.ts";
import { realms } from "./012-realms.ts";
import { transactionsOfAccount } from "./003-transactions-of-account.ts";

/** A step from one shape of the database to the next. */
export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** A step that SQL cannot express, after it in the same transaction. */
  readonly fill?: (database: DatabaseSync) => void;
}

/** All steps, oldest first. Forward only. */
export const migrations: readonly Migration[] = [
  { number: 1, name: "initial", sql: initial },
  { number: 2, name: "deliveries", sql: deliveries },
  { number: 3, name: "transactions-of-account", sql: transactionsOfAccount },
  { number: 4, name: "revisions", sql: revisions },
  { number: 5, name: "deliveries-by-row", sql: deliveriesByRow },
  { number: 6, name: "chains", sql: chains, fill: fillChains },
  { number: 7, name: "nonces", sql: nonces },
  { number: 8, name: "account-lists", sql: accountLists },
  { number: 9, name: "revoked-users", sql: revokedUsers },
  { number: 10, name: "seal-keys", sql: sealKeys, fill: hashTokens },
  { number: 11, name: "users-of-institution", sql: usersOfInstitution },
  { number: 12, name: "realms", sql: realms },
  { number: 13, name: "trace-parents", sql: traceParents },
  { number: 14, name: "whose-answers", sql: whoseAnswers },
  { number: 15, name: "restate-records", sql: "", fill: restateRecords },
  { number: 16, name: "key-uses", sql: keyUses },
  { number: 17, name: "transaction-marks", sql: transactionMarks },
  { number: 18, name: "lanes", sql: lanes },
  { number: 19, name: "kept-mails", sql: keptMails },
  { number: 20, name: "claims", sql: claims },
  { number: 21, name: "audit-numbers", sql: auditNumbers },
  { number: 22, name: "generations", sql: generations },
];

/**
 * SHA-256 of the schema that they make: a start compares with it, because making the schema anew takes 20 ms. A file
 * that differs from it is compared in full; a test says the new one.
 */
export const schemaDigest = "e604af05f32999afdccbdbbb4f87864ac0cbf0ae8658a6c91c8f3c7ef9cd9dda";
