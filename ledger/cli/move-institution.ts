import { loadConfig } from "../server/config.ts";
import { databasesOf } from "../server/stores.ts";
import { abortMove, moveInstitution as moveBetween } from "../../runtime/storage/move/institution/index.ts";
import type { NamedDatabase } from "../../runtime/storage/common/named-database.ts";
import { progressLine } from "../../runtime/cli/progress-line.ts";

export interface MoveInstitutionCommandOptions {
  readonly institution: string;
  /** Name of a database. Absent: an interrupted move is taken back. */
  readonly to: string | undefined;
  readonly json?: boolean;
}

/** `move --institution`: to another database of the deployment, while every process serves. */
export async function moveInstitution({
  institution,
  to,
  json,
}: MoveInstitutionCommandOptions): Promise<void> {
  const databases = databasesOf(loadConfig(process.env));
  if (databases.length === 1) {
    throw new Error(
      "There is one database: name others in LEDGER_DATABASE_OTHERS (west=postgres://…), here and for every process",
    );
  }
  if (to === undefined) return abort(institution, databases, json);
  const progress = progressLine("moving");
  const startedAtMs = performance.now();
  const { from, rows, pauseMs } = await moveBetween({
    institutionId: institution,
    databases,
    to,
    onProgress: (count) => progress.show(count, count),
  }).finally(progress.end);
  const ms = Math.round(performance.now() - startedAtMs);
  if (json === true) {
    console.log(JSON.stringify({ institution, from, to, rows, ms, pauseMs }));
  } else if (from === to) {
    console.log(`Institution ${institution} is in ${to}.`);
  } else {
    console.log(
      `Moved institution ${institution} from ${from} to ${to}: ${rows} rows in ${(ms / 1000).toFixed(1)} s; every row was ` +
        `compared. Its writes paused for ${(pauseMs / 1000).toFixed(1)} s. ${from} keeps its former rows, which are no longer read.`,
    );
  }
}

async function abort(
  institutionId: string,
  databases: readonly NamedDatabase[],
  json: boolean | undefined,
): Promise<void> {
  const { from, to } = await abortMove({ institutionId, databases });
  if (json === true) console.log(JSON.stringify({ institution: institutionId, from, aborted: to }));
  else if (to === undefined)
    console.log(`Institution ${institutionId} is in ${from}; no move was interrupted.`);
  else {
    console.log(
      `Took back the move of institution ${institutionId} to ${to}: it stays in ${from}, and its writes go on. What was copied ` +
        `stays in ${to} as former rows, which are not read.`,
    );
  }
}
