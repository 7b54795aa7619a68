import { mkdir } from "node:fs/promises";
import type { Server } from "node:net";
import type { Logger } from "pino";
import { loadConfig, type Config } from "../../runtime/config/index.ts";
import { compose, storeOptionsOf, type Listening, type Service } from "../../runtime/server/index.ts";
import { application } from "../application.ts";
import {
  demoUsersServed,
  isSeeded,
  readAccess,
  revokeDemoUsers,
  seedDemo,
  writeAccess,
  type Access,
} from "../seed/index.ts";
import { migrateStore, planMigrations } from "../../runtime/storage/index.ts";
import { omitUndefined } from "../../runtime/contract/index.ts";
import { createLogger } from "../../runtime/cli/logger.ts";
import { answerCommands, controlSocketOf } from "../../runtime/cli/control-socket.ts";
import { migrationDisplay } from "../../runtime/cli/migration-display.ts";
import { answerLocalWork } from "./local-work.ts";
import { welcomeMessage } from "./welcome-message.ts";
import { onStopSignal } from "../../runtime/cli/stop-signals.ts";
import { starting } from "../../runtime/cli/startup-error.ts";

/** `start`: everything a newcomer needs, in one go. */
export async function start(): Promise<void> {
  const config = loadConfig(application, process.env);
  const service = await serviceOf(config, true);
  const seeded = config.profile === "sandbox" ? await seedOnce(config, service) : undefined;
  const listening = await listen(config, service);
  if (seeded === undefined) return;
  const { ledgerUrl = "", operatorUrl = "" } = urlFields(listening);
  const { messageSignatures: _formerly, ...known } = seeded;
  const access = {
    ...known,
    baseUrl: ledgerUrl,
    operatorUrl,
    ...omitUndefined({ messageSignatures: config.replay === "strict" ? true : undefined }),
  };
  writeAccess(config.dataDir, access);
  console.error(welcomeMessage(config, access));
}

/** `serve`. */
export async function serve(): Promise<void> {
  const config = loadConfig(application, process.env);
  await listen(config, await serviceOf(config, false));
}

/** `migrate`; with `plan`, prints the SQL that it would execute. */
export async function migrate({ plan = false }: { readonly plan?: boolean }): Promise<void> {
  const config = loadConfig(application, process.env);
  const { url } = config.database;
  const options = storeOptionsOf(config, true);
  await starting(config, () => mkdir(config.dataDir, { recursive: true, mode: 0o700 }));
  if (plan) {
    const steps = await starting(config, () => planMigrations(url, options));
    for (const { number, name, sql } of steps) console.log(`-- ${number} ${name}\n${sql.trim()}\n`);
    console.log(steps.length === 0 ? "-- The database is up to date." : `-- ${steps.length} to be applied.`);
    return;
  }
  const display = migrationDisplay();
  const applied = await starting(config, () =>
    migrateStore(url, { ...options, onMigration: display.show }).finally(display.end),
  );
  for (const { name } of applied) console.log(`applied ${name}`);
  console.log(`${placeOf(config)} is up to date.`);
}

/** The database in words that hold no password. */
function placeOf({ database, dataDir }: Config): string {
  return database.isInDataDir ? `The database in ${dataDir}` : "The database of LEDGER_DATABASE_URL";
}

/** `seed`; with `revoke`, ends what the demo users can do. */
export async function seed({ revoke = false }: { readonly revoke?: boolean }): Promise<void> {
  const config = loadConfig(application, process.env);
  if (revoke) return revokeDemo(config);
  if (config.profile !== "sandbox") throw new Error("Demo data is for the sandbox profile only.");
  const service = await serviceOf(config, true);
  try {
    const before = await isSeeded(service);
    await seedOnce(config, service);
    console.log(before ? "The demo data is there already." : "Demo data added.");
  } finally {
    await service.close();
  }
}

/** Revokes the demo users of a database that was a sandbox's, while no service has it. */
async function revokeDemo(config: Config): Promise<void> {
  const service = await serviceOf(config, false);
  try {
    const revoked = await revokeDemoUsers(service);
    console.log(revoked.length === 0 ? "No demo user can call." : `Revoked: ${revoked.join(", ")}.`);
  } finally {
    await service.close();
  }
}

/** Refuses to serve the users of a sandbox's demo data in production: their keys lie in its access file. */
async function requireNoDemo(config: Config, service: Service): Promise<void> {
  if (config.profile !== "production") return;
  const served = await demoUsersServed(service);
  if (served.length === 0) return;
  throw new Error(
    `${placeOf(config)} was a sandbox's: ${served.join(" and ")} of its demo data could call this service. ` +
      "Revoke them first, with the same settings: ledger-server seed --revoke",
  );
}

function serviceOf(config: Config, migrating: boolean): Promise<Service> {
  const display = migrationDisplay();
  return starting(config, () =>
    compose(application, {
      config,
      logger: createLogger(application, config.logLevel),
      migrate: migrating,
      onMigration: display.show,
    }).finally(display.end),
  );
}

/** The access file of an earlier start, or new demo data where the database was removed since. */
async function seedOnce(config: Config, service: Service): Promise<Access> {
  const { dataDir } = config;
  const known = readAccess(dataDir);
  const seeded = await isSeeded(service);
  if (known !== undefined && seeded) return known;
  if (seeded) {
    const [holder, remedy] = config.database.isInDataDir
      ? [`${dataDir} holds demo data but`, `remove ${dataDir}`]
      : [`${placeOf(config)} holds demo data but ${dataDir} has`, "take an empty database"];
    throw new Error(
      `${holder} no access.json: that was removed, or adding the data was interrupted. Nothing else has its keys. ` +
        `Put the file back, or ${remedy} to start over with new demo data.`,
    );
  }
  return starting(config, async () => {
    const access = await seedDemo(service);
    writeAccess(dataDir, access);
    return access;
  });
}

/** Serves until SIGINT or SIGTERM, then answers what has arrived. A second signal ends at once. */
async function listen(config: Config, service: Service): Promise<Listening> {
  const { logger } = service;
  let listening: Listening;
  try {
    listening = await starting(config, async () => {
      await requireNoDemo(config, service);
      return service.listen();
    });
  } catch (error) {
    await service.close();
    throw error;
  }
  const { profile, dataDir, warnings } = config;
  for (const { where, message } of warnings) logger.warn({ where }, message);
  const revision = service.pipelines.get("ledger")?.revision;
  logger.info(
    {
      ...urlFields(listening),
      revision,
      profile,
      dataDir,
      version: application.version,
      node: process.version,
    },
    "started",
  );
  const control = await openControl(config, service);
  onStopSignal((reason) => {
    control?.close();
    void stop(reason, listening, logger);
  });
  return listening;
}

/** The socket for commands that only the writer of a SQLite file can do. The service works without it, too. */
async function openControl({ database }: Config, service: Service): Promise<Server | undefined> {
  const path = controlSocketOf(database.url);
  if (path === undefined) return undefined;
  try {
    return await answerCommands(path, answerLocalWork(service));
  } catch (error) {
    service.logger.warn(
      { err: error, path },
      "no socket for commands: `operator` and `service-keys` need the service stopped",
    );
    return undefined;
  }
}

/** `ledgerUrl`, `operatorUrl`: one field for each interface. */
function urlFields({ urls }: Listening): Readonly<Record<string, string>> {
  return Object.fromEntries([...urls].map(([name, url]) => [`${name}Url`, url]));
}

async function stop(reason: string, listening: Listening, logger: Logger): Promise<void> {
  const startedAtMs = performance.now();
  logger.info({ reason }, "stopping: answering what has arrived");
  const { answered, cut } = await listening.close();
  const outcome = { reason, answered, cut, ms: Math.round(performance.now() - startedAtMs) };
  if (cut > 0) logger.warn(outcome, "stopped: requests were cut off when the grace was over");
  else logger.info(outcome, "stopped");
}
