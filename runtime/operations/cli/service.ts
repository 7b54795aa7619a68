import { mkdir } from "node:fs/promises";
import type { Server } from "node:net";
import type { Command } from "commander";
import type { Logger } from "pino";
import { omitUndefined } from "../../contract/index.ts";
import { type Config, loadConfig } from "../config/index.ts";
import {
  type Application,
  compose,
  type Listening,
  type Service,
  storeOptionsOf,
} from "../../server/index.ts";
import { migrateStore, planMigrations } from "../../store/index.ts";
import { createLogger } from "../log/logger.ts";
import { answerCommands, controlSocketOf } from "./control-socket.ts";
import { answerLocalWork, type Managed } from "./local-work.ts";
import { migrationDisplay } from "./progress.ts";
import { starting } from "./startup-error.ts";
import { readFileSync } from "node:fs";

/** An application with what its command line needs beside. */
export interface Program {
  readonly application: Application;
  /** One sentence at the head of the help. */
  readonly description: string;
  readonly demo: DemoData;
  /** The users that commands manage, beside a service or without one. */
  readonly managed: Managed;
  /** Adds the commands that call the running service. */
  addCalls?(program: Command, argv: readonly string[]): Promise<void>;
}

/** What a sandbox begins with. */
export interface DemoData {
  /** Adds the data where it is not there yet. `welcome` is what `start` prints once the service listens. */
  addOnce(
    config: Config,
    service: Service,
  ): Promise<{ readonly isNew: boolean; welcome(urls: ReadonlyMap<string, string>): string }>;
  /** Names of its users who could call the service. */
  usersServed(service: Service): Promise<readonly string[]>;
  /** Ends what its users can do. Gives their names. */
  revokeUsers(service: Service): Promise<readonly string[]>;
}

/** `start`: everything a newcomer needs, in one go. */
export async function start(program: Program): Promise<void> {
  const config = loadConfig(program.application, process.env);
  const service = await serviceOf(program, config, true);
  const seeded = config.profile === "sandbox" ? await addDemo(program, config, service) : undefined;
  const listening = await listen(program, config, service);
  if (seeded !== undefined) console.error(seeded.welcome(listening.urls));
}

/** `serve`. */
export async function serve(program: Program): Promise<void> {
  const config = loadConfig(program.application, process.env);
  await listen(program, config, await serviceOf(program, config, false));
}

/** `migrate`; with `plan`, prints the SQL that it would execute. */
export async function migrate(
  application: Application,
  { plan = false }: { readonly plan?: boolean },
): Promise<void> {
  const config = loadConfig(application, process.env);
  const { url } = config.database;
  const options = storeOptionsOf(config, true);
  await starting(config, () => mkdir(config.dataDir, { recursive: true, mode: 0o700 }));
  if (plan) {
    const steps = await starting(config, () => planMigrations(url, application.schema, options));
    for (const { number, name, sql } of steps) console.log(`-- ${number} ${name}\n${sql.trim()}\n`);
    console.log(steps.length === 0 ? "-- The database is up to date." : `-- ${steps.length} to be applied.`);
    return;
  }
  const display = migrationDisplay();
  const applied = await starting(config, () =>
    migrateStore(url, application.schema, { ...options, onMigration: display.show }).finally(display.end),
  );
  for (const { name } of applied) console.log(`applied ${name}`);
  console.log(`${placeOf(config)} is up to date.`);
}

/** The database in words that hold no password. */
export function placeOf({ database, dataDir }: Config): string {
  return database.isInDataDir ? `The database in ${dataDir}` : "The database of LEDGER_DATABASE_URL";
}

/** `seed`; with `revoke`, ends what the demo users can do. */
export async function seed(
  program: Program,
  { revoke = false }: { readonly revoke?: boolean },
): Promise<void> {
  const config = loadConfig(program.application, process.env);
  if (!revoke && config.profile !== "sandbox") throw new Error("Demo data is for the sandbox profile only.");
  const service = await serviceOf(program, config, !revoke);
  try {
    if (revoke) {
      const revoked = await program.demo.revokeUsers(service);
      console.log(revoked.length === 0 ? "No demo user can call." : `Revoked: ${revoked.join(", ")}.`);
      return;
    }
    const { isNew } = await addDemo(program, config, service);
    console.log(isNew ? "Demo data added." : "The demo data is there already.");
  } finally {
    await service.close();
  }
}

function addDemo({ demo }: Program, config: Config, service: Service): ReturnType<DemoData["addOnce"]> {
  return starting(config, () => demo.addOnce(config, service));
}

/** Refuses to serve the users of a sandbox's demo data in production: their keys lie in its access file. */
async function requireNoDemo({ demo }: Program, config: Config, service: Service): Promise<void> {
  if (config.profile !== "production") return;
  const served = await demo.usersServed(service);
  if (served.length === 0) return;
  throw new Error(
    `${placeOf(config)} was a sandbox's: ${served.join(" and ")} of its demo data could call this service. ` +
      "Revoke them first, with the same settings: ledger-server seed --revoke",
  );
}

function serviceOf({ application }: Program, config: Config, migrating: boolean): Promise<Service> {
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

/** Serves until SIGINT or SIGTERM, then answers what has arrived. A second signal ends at once. */
async function listen(program: Program, config: Config, service: Service): Promise<Listening> {
  const { logger } = service;
  let listening: Listening;
  try {
    listening = await starting(config, async () => {
      await requireNoDemo(program, config, service);
      return service.listen();
    });
  } catch (error) {
    await service.close();
    throw error;
  }
  const { profile, dataDir, warnings } = config;
  for (const { where, message } of warnings) logger.warn({ where }, message);
  const { version, eventInterface } = program.application;
  logger.info(
    {
      ...urlFields(listening),
      ...omitUndefined({ revision: eventInterface?.descriptor.revision }),
      profile,
      dataDir,
      version,
      node: process.version,
    },
    "started",
  );
  const control = await openControl(program, config, service);
  onStopSignal((reason) => {
    control?.close();
    void stop(reason, listening, logger);
  });
  return listening;
}

/** The socket for commands that only the writer of a SQLite file can do. The service works without it, too. */
async function openControl(
  program: Program,
  { database }: Config,
  service: Service,
): Promise<Server | undefined> {
  const path = controlSocketOf(database.url);
  if (path === undefined) return undefined;
  try {
    return await answerCommands(path, answerLocalWork(program, service));
  } catch (error) {
    service.logger.warn(
      { err: error, path },
      `no socket for commands: \`${program.managed.command}\` and \`service-keys\` need the service stopped`,
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

/** Ctrl-C reaches a process under npm twice, from the terminal and from npm. */
const sameSignalMs = 1000;
const parentCheckMs = 500;

/**
 * Calls `stop` once, with the reason, at the first SIGINT or SIGTERM. It also does so when the npm that started this
 * process is gone: it may have been killed. A second signal ends at once, unless it echoes the first: npm passes a
 * SIGINT on once, and on a busy machine late.
 */
function onStopSignal(stop: (reason: string) => void): void {
  const isUnderNpm = process.env["npm_lifecycle_event"] !== undefined;
  let signals = 0;
  let stoppingSinceMs: number | undefined;
  const stopOnce = (reason: string): void => {
    stoppingSinceMs ??= performance.now();
    stop(reason);
  };
  const onSignal = (signal: string): void => {
    signals += 1;
    if (stoppingSinceMs === undefined) return stopOnce(signal);
    const isOfNpm = isUnderNpm && signal === "SIGINT" && signals === 2;
    if (!isOfNpm && performance.now() - stoppingSinceMs > sameSignalMs) process.exit(1);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);

  if (!isUnderNpm) return;
  const above = processesAbove();
  const watch = setInterval(() => {
    if (processesAbove() === above) return;
    clearInterval(watch);
    if (stoppingSinceMs === undefined) stopOnce("npm has ended");
  }, parentCheckMs);
  watch.unref();
}

/** The parent, which is npm or the shell that npm starts scripts by, and on Linux the parent of that, which then is npm. */
function processesAbove(): string {
  const { ppid } = process;
  try {
    // The name in parentheses may hold anything: what follows the last one is the state and the parent.
    const [, grandparent = ""] =
      readFileSync(`/proc/${ppid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return `${ppid} ${grandparent}`;
  } catch {
    return String(ppid);
  }
}
