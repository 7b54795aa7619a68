/**
 * The cost of one call of each operation on PostgreSQL: CPU time of the service's process and of the database's processes.
 * CPU time, not elapsed time: other programs on the machine change it little. Linux only (/proc).
 *
 *     node bench/scale/measure.ts [calls]      prints JSON, which bench/scale.ts --costs takes
 */
import { createPrivateKey, sign } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { seedDemo } from "../../ledger/seed/index.ts";
import { compose } from "../../runtime/server/index.ts";
import { loadConfig } from "../../runtime/operations/config/index.ts";
import { databaseSeconds } from "../harness/database-cpu.ts";
import { startPostgres } from "../../test/postgres/postgres-server.ts";
import { application } from "../../ledger/application.ts";

const calls = Number(process.argv[2] ?? 600);
const callers = 16;
const dataDir = mkdtempSync(join(tmpdir(), "ledger-scale-"));
const server = await startPostgres();
await server.execute("CREATE DATABASE scale");
const url = server.url("scale");
const env = { LEDGER_DATA_DIR: dataDir, LEDGER_DATABASE_URL: url, LEDGER_PARTNER_INTERFACE: "on" };
const config = loadConfig(application, env);
const service = await compose(application, { config, logger: pino({ level: "silent" }), migrate: true });
try {
  const access = await seedDemo(service);
  const { accountId, referenceId, businessCustomerId: customerID } = access.samples;
  const newAccount = { customerID, name: "Bench", accountType: "CHECKING", currency: "USD" };
  const operations: readonly (readonly [string, object])[] = [
    ["AccountService.GetAccount", { ID: accountId }],
    ["TransactionService.GetTransactionsByRef", { ReferenceId: referenceId }],
    ["AccountService.ListAccounts", { pageNumber: 1, pageSize: 25 }],
    ["CustomerService.AddAccount", newAccount],
  ];
  const costs: Record<string, object> = {};
  for (const [method, payload] of operations) {
    await run(method, signedCalls(method, payload, 200));
    const bodies = signedCalls(method, payload, calls);
    const before = [process.cpuUsage(), databaseSeconds(url)] as const;
    await run(method, bodies);
    const { user, system } = process.cpuUsage(before[0]);
    const serviceMs = (user + system) / 1000 / calls;
    const databaseMs = ((databaseSeconds(url) - before[1]) * 1000) / calls;
    costs[method.split(".")[1] ?? method] = {
      serviceMs: rounded(serviceMs),
      databaseMs: rounded(databaseMs),
    };
  }
  console.log(JSON.stringify(costs, undefined, 2));

  function signedCalls(method: string, payload: object, count: number): Buffer[] {
    return Array.from({ length: count }, (_, n) => signed(`${method}-${count}-${n}`, method, payload));
  }

  async function run(method: string, bodies: Buffer[]): Promise<void> {
    const pipeline = service.pipelines.get("ledger");
    if (pipeline === undefined) throw new Error("the service has no ledger interface");
    await Promise.all(
      Array.from({ length: callers }, async () => {
        for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
          const request = { body, requestId: "bench", httpMethod: "POST", target: pipeline.path };
          const answer = await pipeline.answer({ ...request, header: () => [] });
          if (answer.trace.code !== undefined) throw new Error(`${method} answered ${answer.body}`);
        }
      }),
    );
  }

  function signed(id: string, method: string, payload: object): Buffer {
    const text = JSON.stringify(payload);
    const signature = sign("sha256", Buffer.from(text), createPrivateKey(access.privateKeyPem)).toString(
      "base64",
    );
    const credential = `Basic ${Buffer.from(`${access.userName}:${access.apiKey}`).toString("base64")}`;
    const api = JSON.stringify({ credential, apiKey: access.apiKey, keyId: access.keyId, signature });
    return Buffer.from(`{"method":"${method}","id":"${id}","params":{"api":${api},"payload":${text}}}`);
  }
} finally {
  await service.close();
  await server.close();
  rmSync(dataDir, { recursive: true });
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
