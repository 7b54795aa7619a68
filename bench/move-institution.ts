import { demoInstitutionId, seedDemo } from "../runtime/seed/index.ts";
import { moveInstitution } from "../runtime/storage/move/institution/index.ts";
import { compose } from "../runtime/server/compose.ts";
import { loadConfig } from "../runtime/server/config.ts";
import { createLogger } from "../runtime/cli/logger.ts";
import { startPostgres } from "../test/postgres/postgres-server.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/**
 * `node bench/move-institution.ts [accounts…]`: how long an institution's writes pause while it is moved. Two databases of
 * one server; each account has two transactions of two postings. Chains of hashes are not made: nothing here reads them.
 */
const sizes = process.argv.slice(2).map(Number);
const server = await startPostgres();
const dataDir = mkdtempSync(join(tmpdir(), "move-institution-"));

console.log("accounts  postings     rows  copied in    pause");
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
  const [all, postings] = [accounts, accounts * 4].map((count) => String(count).padStart(8));
  console.log(
    `${all}  ${postings} ${String(rows).padStart(8)}  ${seconds(performance.now() - startedAtMs)}${seconds(pauseMs)}`,
  );
}
await server.close();
rmSync(dataDir, { recursive: true });

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(9);
}

/** Copies an account, and a transaction between each two, as often as said. */
async function fill(url: string, accounts: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
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
