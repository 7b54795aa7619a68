import { demoInstitutionId, seedDemo } from "../ledger/seed/index.ts";
import { moveInstitution } from "../runtime/storage/move/institution/index.ts";
import { openDirectory, standardConnections, standardReads } from "../runtime/storage/index.ts";
import { compose } from "../ledger/server/compose.ts";
import { loadConfig } from "../ledger/server/config.ts";
import { createLogger } from "../runtime/cli/logger.ts";
import { startPostgres } from "../test/postgres/postgres-server.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GuardedClient } from "../runtime/storage/postgres/client.ts";

/**
 * `node bench/move-institution.ts [accounts…]`: how long an institution's writes pause while it is moved. Two databases of
 * one server; each account has two transactions of two postings. Chains of hashes are not made: nothing here reads them.
 * One writer changes an account again and again meanwhile: the longest time without a success is what it saw of the pause.
 */
const sizes = process.argv.slice(2).map(Number);
const server = await startPostgres();
const dataDir = mkdtempSync(join(tmpdir(), "move-institution-"));

console.log("accounts  postings     rows  copied in    pause  writer stood still  writes");
for (const accounts of sizes.length > 0 ? sizes : [10_000, 100_000]) {
  const names = [`first_${accounts}`, `west_${accounts}`];
  for (const name of names) await server.execute(`CREATE DATABASE ${name}`);
  const [first = "", west = ""] = names.map((name) => server.url(name));
  const service = await compose({
    config: loadConfig({
      LEDGER_DATA_DIR: dataDir,
      LEDGER_DATABASE_URL: first,
      LEDGER_DATABASE_OTHERS: `west=${west}`,
    }),
    logger: createLogger("warn"),
    migrate: true,
  });
  await seedDemo(service);
  await service.close();
  await fill(first, accounts);
  const writer = startWriter([first, west]);
  const startedAtMs = performance.now();
  const { rows, pauseMs } = await moveInstitution({
    institutionId: demoInstitutionId,
    databases: [
      { name: "first", url: first },
      { name: "west", url: west },
    ],
    to: "west",
    onProgress: () => undefined,
  });
  const copiedMs = performance.now() - startedAtMs;
  const written = await writer.stop();
  const [all, postings] = [accounts, accounts * 4].map((count) => String(count).padStart(8));
  console.log(
    `${all}  ${postings} ${String(rows).padStart(8)}  ${seconds(copiedMs)}${seconds(pauseMs)}` +
      `${seconds(written.longestMs).padStart(20)}${String(written.count).padStart(8)}`,
  );
}
await server.close();
rmSync(dataDir, { recursive: true });

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`.padStart(9);
}

/** Changes an account again and again, wherever its institution is. */
function startWriter([first = "", west = ""]: readonly string[]) {
  const over = new AbortController();
  const run = async () => {
    const databases = [
      { name: "first", url: first },
      { name: "west", url: west },
    ];
    const opening = { migrate: false, reads: standardReads, connections: standardConnections };
    const { store } = await openDirectory(databases, opening);
    let [count, longestMs, lastMs] = [0, 0, performance.now()];
    while (!over.signal.aborted) {
      const change = store.transact(
        async (tx) => {
          const account = await tx.accounts.find(demoInstitutionId, "a1");
          if (account !== undefined) await tx.accounts.replace({ ...account, updatedAt: Date.now() });
        },
        { about: { institutionId: demoInstitutionId } },
      );
      const isDone = await change.then(
        () => true,
        () => false,
      );
      if (!isDone) continue;
      count += 1;
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    }
    await store.close();
    return { count, longestMs };
  };
  const running = run();
  return {
    stop: () => {
      over.abort();
      return running;
    },
  };
}

/** Copies an account, and a transaction between each two, as often as said. */
async function fill(url: string, accounts: number): Promise<void> {
  const client = new GuardedClient(url);
  await client.connect();
  await copied("accounts", { id: "'a' || n", number: "'n' || n" }, accounts);
  const sides = {
    debtor_account_id: "'a' || (n / 2)",
    creditor_account_id: `'a' || ((n / 2 + 1) % ${accounts})`,
  };
  await copied("transactions", { id: "'t' || n", reference_id: "'r' || n", ...sides }, accounts * 2);
  for (const [side, sign] of [
    ["n / 2", "-"],
    [`(n / 2 + 1) % ${accounts}`, ""],
  ] as const) {
    const id = { id: `'p${sign}' || n`, transaction_id: "'t' || n" };
    const place = {
      account_id: `'a' || (${side})`,
      position: `100 + n${sign === "" ? "" : ` + ${accounts * 2}`}`,
    };
    await copied("postings", { ...id, ...place, amount_minor: `${sign}1` }, accounts * 2);
  }
  await client.query("ANALYZE");
  await client.end();

  async function copied(
    table: string,
    changes: Readonly<Record<string, string>>,
    count: number,
  ): Promise<void> {
    const { rows } = await client.query<{ column_name: string }>(
      `SELECT column_name FROM information_schema.columns WHERE table_name = '${table}' AND table_schema = 'public'`,
    );
    const columns = rows.map(({ column_name: name }) => name);
    const values = columns.map((name) => changes[name] ?? `sample.${name}`);
    await client.query(
      `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} ` +
        `FROM (SELECT * FROM ${table} LIMIT 1) AS sample, generate_series(0, ${count - 1}) AS n`,
    );
  }
}
