/**
 * `npm run postgres:kill -- [minutes] [seed] [failures, such as COMMIT]`: two processes of `serve` over one
 * PostgreSQL server, under load from callers written from the interface document alone. For that many minutes (20),
 * processes and database are killed, stopped and frozen at random, and answers to COMMIT are lost. A text selects
 * failures by name. Then everything acknowledged is looked up from outside. Ends with 1 if anything was lost, done
 * twice, answered otherwise than before, or refused otherwise than with UNAVAILABLE and `Retry-After`.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { verifyStore } from "../bank-stores.ts";
import { mulberry32 } from "../random.ts";
import { auditFromOutside } from "./killed-audit.ts";
import { callAny, keepCalling, repeat, type Acknowledged, type Seen } from "./killed-callers.ts";
import { startKilledService } from "./killed-service.ts";

const callers = 8;
/** The sandbox's access. */
const InstitutionId = "091311229";
const sharedAccounts = 6;
const quietMsMax = 4_000;
const [, , minutesText = "20", seedText = String(Date.now() % 2 ** 31), namePart = ""] = process.argv;
const [minutes, seed] = [Number(minutesText), Number(seedText)];
console.log(`${minutes} minutes, seed ${seed}`);
const random = mulberry32(seed);
const service = await startKilledService(2, random);
try {
  process.exitCode = (await run()).length === 0 ? 0 : 1;
} finally {
  await service.close();
}

async function run(): Promise<readonly string[]> {
  const seen: Seen = { acknowledged: [], unanswered: 0, unavailable: 0, repeated: 0, faults: [] };
  const call = callAny(service, random);
  const customerID = service.access.samples.consumerCustomerId;
  const account = (name: string) => ({ customerID, name, accountType: "SAVINGS", currency: "USD" });
  const numbers: string[] = [];
  for (let index = 0; index < sharedAccounts; index += 1) {
    const added = await call(
      "account",
      "CustomerService.AddAccount",
      account(`Shared ${index}`),
      `shared ${index}`,
    );
    numbers.push(added.json.result.accountNumber);
  }
  const known = await call("read", "TransactionService.GetTransactionsByRef", {
    ReferenceId: service.access.samples.referenceId,
  });
  const { Status: _status, TransactionId: _id, ...template } = known.json.result;
  const make = (key: string): Pick<Acknowledged, "kind" | "payload"> =>
    random() < 0.5
      ? { kind: "account", payload: account(key) }
      : { kind: "transaction", payload: transaction(template, numbers, customerID, key) };

  const over = new AbortController();
  const calling = Array.from({ length: callers }, (_, index) =>
    keepCalling(index, call, make, seen, over.signal, random),
  );
  const failed = await failAgainAndAgain(seen);
  over.abort();
  await Promise.all(calling);
  for (const before of seen.acknowledged.slice(-200)) await repeat(call, before, seen);
  const { isSound, findings } = await verifyStore(service.databaseUrl, {});
  const faults = [
    ...seen.faults,
    ...service.faults(),
    ...(await auditFromOutside(service, call, seen.acknowledged, numbers)),
    ...(isSound ? [] : [`verify: ${JSON.stringify(findings)}`]),
  ];
  console.log(failed.map(([name, count]) => `${name}: ${count}`).join(", "));
  console.log(
    `${seen.acknowledged.length} acknowledged, ${seen.repeated} of them sent again, ${seen.unavailable} answers UNAVAILABLE, ` +
      `${seen.unanswered} requests without an answer`,
  );
  for (const fault of faults.slice(0, 50)) console.error(fault);
  console.log(
    faults.length === 0
      ? "each is there, once, as it was acknowledged; sums are zero; verify finds nothing"
      : `${faults.length} faults`,
  );
  return faults;
}

async function failAgainAndAgain(seen: Seen): Promise<readonly (readonly [string, number])[]> {
  const counts = new Map<string, number>();
  const names = Object.keys(service.failures).filter((name) => name.includes(namePart));
  const endsAtMs = performance.now() + minutes * 60_000;
  for (let round = 1; performance.now() < endsAtMs; round += 1) {
    await sleep(random() * quietMsMax);
    const name = names[Math.floor(random() * names.length)] ?? "";
    const before = seen.acknowledged.length;
    await service.failures[name]?.();
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (round % 10 === 0 || seen.acknowledged.length === before)
      console.log(`${round} ${name}: ${seen.acknowledged.length} acknowledged, ${seen.faults.length} faults`);
  }
  return [...counts];
}

/** Between two of the accounts, of one cent to ten dollars. */
function transaction(
  template: object,
  numbers: readonly string[],
  CustomerId: string,
  ReferenceId: string,
): object {
  const from = Math.floor(random() * numbers.length);
  const to = (from + 1 + Math.floor(random() * (numbers.length - 1))) % numbers.length;
  return {
    ...template,
    ReferenceId,
    CustomerId,
    Status: "COMPLETED",
    Fees: [],
    InstructedAmount: { Amount: (1 + Math.floor(random() * 1_000)) / 100, Currency: "USD" },
    DebtorAccount: { AccountNumber: numbers[from], InstitutionId },
    CreditorAccount: { AccountNumber: numbers[to], InstitutionId },
  };
}
