import { compose, databaseFile, type Listening, type Service } from "../compose.ts";
import { loadConfig, type Config } from "../config/index.ts";
import { readAccess, seedDemo, writeAccess, type Access } from "../seed/index.ts";
import { migrate as applyMigrations, openSqliteReader } from "../storage/sqlite/index.ts";
import { createLogger } from "./logger.ts";
import { invitation } from "./invitation.ts";

/** `start`: everything a newcomer needs, in one go. */
export async function start(): Promise<void> {
  const config = loadConfig(process.env);
  const service = await serviceOf(config, true);
  const seeded = config.profile === "sandbox" ? await seedOnce(config, service) : undefined;
  const listening = await listen(config, service);
  if (seeded === undefined) return;
  const access = { ...seeded, baseUrl: listening.ledgerUrl, operatorUrl: listening.operatorUrl };
  writeAccess(config.dataDir, access);
  console.error(invitation(config.dataDir, access));
}

/** `serve`. */
export async function serve(): Promise<void> {
  const config = loadConfig(process.env);
  await listen(config, await serviceOf(config, false));
}

/** `migrate`. */
export async function migrate(): Promise<void> {
  const { dataDir } = loadConfig(process.env);
  const applied = await applyMigrations(databaseFile(dataDir));
  for (const name of applied) console.log(`applied ${name}`);
  console.log(`The database in ${dataDir} is up to date.`);
}

/** `seed`. */
export async function seed(): Promise<void> {
  const config = loadConfig(process.env);
  if (config.profile !== "sandbox") throw new Error("Demo data is for the sandbox profile only.");
  const service = await serviceOf(config, true);
  try {
    const before = readAccess(config.dataDir);
    await seedOnce(config, service);
    console.log(before === undefined ? "Demo data added." : "The demo data is there already.");
  } finally {
    await service.close();
  }
}

/** `verify`: exit 1 if a balance differs from its postings or the postings do not sum to zero. */
export async function verify({ json }: { readonly json?: boolean }): Promise<void> {
  const config = loadConfig(process.env);
  const store = await openSqliteReader({ file: databaseFile(config.dataDir) });
  try {
    const { accounts, postings, sums, differences } = await store.verify();
    const off = sums.filter(({ sumMinor }) => sumMinor !== 0n);
    const sound = off.length === 0 && differences.length === 0;
    if (json) {
      console.log(JSON.stringify({ sound, accounts, postings, sums, differences }, withBigIntText));
    } else {
      for (const { accountId, storedMinor, derivedMinor } of differences) {
        console.log(
          `account ${accountId}: stored ${storedMinor}, its postings give ${derivedMinor} (minor units)`,
        );
      }
      for (const { currency, sumMinor } of off)
        console.log(`${currency}: all postings sum to ${sumMinor}, not to 0`);
      console.log(`${sound ? "Sound" : "NOT SOUND"}: ${accounts} accounts, ${postings} postings.`);
    }
    process.exitCode = sound ? 0 : 1;
  } finally {
    await store.close();
  }
}

function withBigIntText(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

function serviceOf(config: Config, migrating: boolean): Promise<Service> {
  return compose({ config, logger: createLogger(config.logLevel), migrate: migrating });
}

async function seedOnce(config: Config, service: Service): Promise<Access> {
  const known = readAccess(config.dataDir);
  if (known !== undefined) return known;
  const access = await seedDemo(service);
  writeAccess(config.dataDir, access);
  return access;
}

/** Serves until SIGINT or SIGTERM, then finishes what is in flight. A second signal ends at once. */
async function listen(config: Config, service: Service): Promise<Listening> {
  let listening: Listening;
  try {
    listening = await service.listen();
  } catch (error) {
    await service.close();
    throw explained(error, config);
  }
  let closing = false;
  const shutDown = (): void => {
    if (closing) process.exit(1);
    closing = true;
    void listening.close();
  };
  process.on("SIGINT", shutDown);
  process.on("SIGTERM", shutDown);
  return listening;
}

function explained(error: unknown, { http, operator }: Config): unknown {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "EADDRINUSE") return error;
  return new Error(
    `Port ${http.port} or ${operator.port} is taken by another program. Stop it, or choose others: ` +
      "PORT=9080 OPERATOR_PORT=9081 npm start",
    { cause: error },
  );
}
