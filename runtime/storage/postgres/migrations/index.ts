import type { MigrationStep } from "../../common/adapter.ts";
import { initial } from "./001-initial.ts";
import { accountMarks } from "./005-account-marks.ts";
import { institutionPlaces } from "./003-institution-places.ts";
import { keyUses } from "./006-key-uses.ts";
import { movedChanges } from "./007-moved-changes.ts";
import { publisher } from "./004-publisher.ts";
import { traceParents } from "./002-trace-parents.ts";

/** All steps, oldest first. Forward only. */
export const migrations: readonly MigrationStep[] = [
  { number: 1, name: "initial", sql: initial },
  { number: 2, name: "trace-parents", sql: traceParents },
  { number: 3, name: "institution-places", sql: institutionPlaces },
  { number: 4, name: "publisher", sql: publisher },
  { number: 5, name: "account-marks", sql: accountMarks },
  { number: 6, name: "key-uses", sql: keyUses },
  { number: 7, name: "moved-changes", sql: movedChanges },
];
