import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { moveStore, requireMoveTarget } from "../../store/move/index.ts";
import { inspectConfig, serviceNames, unverifiedServer } from "../config/index.ts";
import type { Application } from "../../server/index.ts";
import { messageOf } from "../../contract/index.ts";
import { progressLine } from "./progress.ts";
import { countsText } from "./verify.ts";
import { UsageError } from "./startup-error.ts";

export interface MoveCommandOptions {
  readonly from: string;
  readonly to?: string;
  readonly json?: boolean;
}

/** In production the target is spoken to as the service will speak to it. */
function requireVerifiedTarget(application: Application, to: string): void {
  if (inspectConfig(application, process.env).values.get("database.tls") !== "required") return;
  const fault = unverifiedServer(to, process.env["PGHOST"]);
  if (fault !== undefined) throw new Error(fault);
}

/** `move`: everything in an SQLite database to an empty PostgreSQL database, compared row by row and verified. */
export async function move(
  application: Application,
  { from, to = process.env[`${serviceNames(application).variables}DATABASE_URL`], json }: MoveCommandOptions,
): Promise<void> {
  try {
    requireMoveTarget(to);
    requireVerifiedTarget(application, to);
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
  const file = statSync(from, { throwIfNoEntry: false })?.isDirectory()
    ? join(from, serviceNames(application).databaseFile)
    : from;
  if (!existsSync(file)) throw new Error(`${file} does not exist: --from is the data folder of a service`);
  const progress = progressLine("moving");
  const startedAtMs = performance.now();
  const { rows, sealKeyId, verification } = await moveStore({
    schema: application.schema,
    file,
    url: to,
    onProgress: progress.show,
  }).finally(progress.end);
  const ms = Math.round(performance.now() - startedAtMs);
  const { records, auditEntries, root } = verification;
  if (json === true) {
    console.log(JSON.stringify({ rows, ms, sealKeyId, ...records, auditEntries, root }));
    return;
  }
  console.log(
    `Moved ${rows} rows in ${Math.round(ms / 1000)} s; every row was compared. The books are sound: ` +
      `${countsText(verification)}.\nRoot: ${root}`,
  );
  if (sealKeyId !== undefined) {
    console.log(
      `Secrets stay sealed with key ${sealKeyId}: give it to every process, in LEDGER_SEAL_KEY or, in the sandbox, as ` +
        "seal.key of the data folder.",
    );
  }
  console.log(
    `Start services with LEDGER_DATABASE_URL now, and none on ${file}: it would go on with books of its own.`,
  );
}
