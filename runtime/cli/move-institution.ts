import { loadConfig } from "../server/config.ts";
import { databasesOf } from "../server/stores.ts";
import { moveInstitution as moveBetween } from "../storage/move/institution/index.ts";
import { progressLine } from "./progress-line.ts";

export interface MoveInstitutionCommandOptions {
  readonly institution: string;
  /** Name of a database. */
  readonly to: string;
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
