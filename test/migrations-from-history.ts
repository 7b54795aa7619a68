/**
 * `npm run migrations:history -- [sqlite|postgres]`: for each schema version that the project has ever had, data that the code
 * of that time made, through its own interfaces, is migrated with the present code: `migrate --plan`, `migrate`, `verify`.
 * Then the present service gives every account and transaction as the former one did. On PostgreSQL the former process
 * goes on serving meanwhile. The code of a time runs with the present packages. Ends with 1 where a version failed.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rawCaller } from "./e2e/raw-caller.ts";
import { startServer, type RunningServer } from "./e2e/server.ts";
import { startPostgres } from "./postgres/postgres-server.ts";

const repository = join(import.meta.dirname, "..");
const [, , only, onlyNumber] = process.argv;
const engines = ["sqlite", "postgres"] as const;
type Engine = (typeof engines)[number];
const temporary = mkdtempSync(join(tmpdir(), "ledger-history-"));
const accountsAdded = 12;

/** Answers that the former service gave, by the call that asks for them again. */
type Known = readonly { readonly method: string; readonly payload: object; readonly result: object }[];

const server = only === "sqlite" ? undefined : await startPostgres();
try {
  const failed: string[] = [];
  for (const engine of engines.filter((each) => only === undefined || each === only)) {
    for (const version of versionsOf(engine)) {
      if (onlyNumber !== undefined && version.number !== Number(onlyNumber)) continue;
      const outcome = await migrateFrom(engine, version).catch(
        (error: unknown) => `FAILED: ${String(error)}`,
      );
      if (outcome.startsWith("FAILED")) failed.push(outcome);
      console.log(`${engine} ${version.number} (${version.commit}): ${outcome}`);
    }
  }
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  await server?.close();
  git("worktree", "prune");
  rmSync(temporary, { recursive: true });
}

interface Version {
  readonly number: number;
  /** The last commit that had it. */
  readonly commit: string;
}

function versionsOf(engine: Engine): readonly Version[] {
  const folder = `runtime/storage/${engine}/migrations`;
  const files = readdirSync(join(repository, folder)).filter((name) => /^\d{3}-/.test(name));
  const byNumber = new Map(files.map((name) => [Number(name.slice(0, 3)), `${folder}/${name}`]));
  return [...byNumber].flatMap(([number, file]) => {
    if (number === 1) return [];
    const [added = ""] = git("log", "--diff-filter=A", "--format=%h", "--reverse", "--", file).split("\n");
    const before = added === "" ? "HEAD" : `${added}^`;
    return [{ number: number - 1, commit: git("rev-parse", "--short", before) }];
  });
}

function git(...args: readonly string[]): string {
  const { stdout, status, stderr } = spawnSync("git", args, { cwd: repository, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

/**
 * Of these only: for the first hour of chains of postings, on one day and in no release, a link covered other fields. No
 * migration may link anew what it cannot verify, so that `verify` names the postings.
 */
function isLinkedOtherwise(engine: Engine, number: number): boolean {
  return engine === "sqlite" && number >= 6 && number <= 9;
}

async function migrateFrom(engine: Engine, { number, commit }: Version): Promise<string> {
  const root = join(temporary, `${engine}-${number}`);
  const dataDir = `${root}-data`;
  git("worktree", "add", "--detach", root, commit);
  try {
    symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
    const environment = await newDatabase(engine, number);
    const former = await startServer(dataDir, environment, root);
    const known = await madeData(former);
    if (engine === "sqlite") await former.stop();
    const planned = command(dataDir, environment, "migrate", "--plan");
    command(dataDir, environment, "migrate");
    const again = command(dataDir, environment, "migrate", "--plan");
    if (engine === "postgres") {
      await requireKnown(former, known);
      await madeData(former, " since");
      await former.stop();
    }
    const verified = isLinkedOtherwise(engine, number)
      ? "not verified: postings were linked otherwise"
      : command(dataDir, environment, "verify");
    const present = await startServer(dataDir, environment);
    await requireKnown(present, known);
    await madeData(present, " now");
    await present.stop();
    return `${planned.split("\n").filter((line) => line.startsWith("-- ")).length} steps planned, then ${again.split("\n")[0]}; ${verified.split("\n")[0]}`;
  } finally {
    git("worktree", "remove", "--force", root);
  }
}

async function newDatabase(engine: Engine, number: number): Promise<Record<string, string>> {
  if (server === undefined || engine === "sqlite") return {};
  await server.execute(`CREATE DATABASE history_${number}`);
  return { LEDGER_DATABASE_URL: server.url(`history_${number}`) };
}

function command(dataDir: string, environment: Record<string, string>, ...args: readonly string[]): string {
  const env = { ...process.env, LEDGER_DATA_DIR: dataDir, ...environment };
  const given = { cwd: repository, env, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["ledger/cli/main.ts", ...args], given);
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout.slice(0, 2_000)}${stderr.slice(0, 2_000)}`);
  return stdout;
}

/** Accounts, statuses and transactions between accounts, beside the demo data that a service begins with. */
async function madeData({ access }: RunningServer, suffix = ""): Promise<Known> {
  const call = rawCaller(access.baseUrl, access);
  const operator = rawCaller(access.operatorUrl, access.operator);
  const known: { method: string; payload: object; result: object }[] = [];
  const asked = async (method: string, payload: object, id?: string) => {
    const { json } = await call(method, payload, id);
    if (json.result === undefined) throw new Error(`${method}: ${JSON.stringify(json)}`);
    return json.result;
  };
  const customerID = access.samples.consumerCustomerId;
  const numbers: string[] = [];
  const ids: string[] = [];
  for (let index = 0; index < accountsAdded; index += 1) {
    const name = `History ${index}${suffix}`;
    const payload = { customerID, name, accountType: "SAVINGS", currency: "USD" };
    const { accountNumber, ID } = await asked("CustomerService.AddAccount", payload, name);
    numbers.push(accountNumber);
    ids.push(ID);
  }
  await asked("AccountService.UpdateAccountStatus", { accountNumber: numbers[0], status: "SUSPENDED" });
  const referenceId = { ReferenceId: access.samples.referenceId };
  const {
    Status: _status,
    TransactionId: _id,
    ...template
  } = await asked("TransactionService.GetTransactionsByRef", referenceId);
  for (let index = 2; index < numbers.length; index += 1) {
    const ReferenceId = `history-${index}${suffix}`.replace(" ", "-");
    const [from, to] = [numbers[index - 1], numbers[index]];
    const { json } = await operator("RecordTransaction", {
      ...template,
      ReferenceId,
      CustomerId: customerID,
      Status: "COMPLETED",
      Fees: [],
      InstructedAmount: { Amount: index + 0.25, Currency: "USD" },
      DebtorAccount: { ...template.DebtorAccount, AccountNumber: from, InstitutionId: "091311229" },
      CreditorAccount: { ...template.CreditorAccount, AccountNumber: to, InstitutionId: "091311229" },
    });
    if (json.result === undefined) throw new Error(`RecordTransaction: ${JSON.stringify(json)}`);
    const method = "TransactionService.GetTransactionsByRef";
    known.push({ method, payload: { ReferenceId }, result: await asked(method, { ReferenceId }) });
  }
  for (const ID of ids) {
    const method = "AccountService.GetAccount";
    known.push({ method, payload: { ID }, result: await asked(method, { ID }) });
  }
  return known;
}

/** Throws unless a service gives at least what the former one gave. */
async function requireKnown({ access }: RunningServer, known: Known): Promise<void> {
  const call = rawCaller(access.baseUrl, access);
  for (const { method, payload, result } of known) {
    const { json } = await call(method, payload);
    const lost = Object.entries(flat(result)).filter(([at, value]) => flat(json.result ?? {})[at] !== value);
    if (lost.length > 0) throw new Error(`${method} ${JSON.stringify(payload)}: ${JSON.stringify(lost)}`);
  }
}

/** Values by their path. */
function flat(value: unknown, at = ""): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return { [at]: value };
  return Object.assign({}, ...Object.entries(value).map(([name, part]) => flat(part, `${at}/${name}`)));
}
