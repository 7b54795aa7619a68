import { isDeepStrictEqual } from "node:util";
import pg from "pg";
import type { RawAnswer } from "../e2e/raw-caller.ts";
import type { Acknowledged, CallAny } from "./killed-callers.ts";
import type { KilledService } from "./killed-service.ts";

/** A process that was frozen, or a machine that was, leaves a read without an answer: it is repeated. */
const readsMax = 5;

/**
 * Looks everything acknowledged up through the documented interface, and counts it in the database: what is not there,
 * there otherwise, or there more than once. The balances of the accounts have to be those that the transactions make.
 */
export async function auditFromOutside(
  service: KilledService,
  call: CallAny,
  acknowledged: readonly Acknowledged[],
  numbers: readonly string[],
): Promise<readonly string[]> {
  const read = async (method: string, payload: object): Promise<RawAnswer> => {
    let failure: unknown;
    for (let attempt = 1; attempt <= readsMax; attempt += 1) {
      try {
        return await call("read", method, payload);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
  const faults: string[] = [];
  const cents = new Map(numbers.map((number) => [number, 0]));
  for (const { kind, key, result } of acknowledged) {
    if (kind === "account") {
      const { json } = await read("AccountService.GetAccount", { ID: result.ID });
      const { name, number } = json.result?.account ?? {};
      if (name !== key || number !== result.accountNumber)
        faults.push(`account ${key} was acknowledged as ${result.accountNumber}: ${JSON.stringify(json)}`);
      continue;
    }
    const { json } = await read("TransactionService.GetTransactionsByRef", { ReferenceId: key });
    if (!isDeepStrictEqual(json.result, result))
      faults.push(`transaction ${key}: ${JSON.stringify(json)} instead of ${JSON.stringify(result)}`);
    const amount = Math.round(result.InstructedAmount.Amount * 100);
    for (const [side, sign] of [
      ["DebtorAccount", -1],
      ["CreditorAccount", 1],
    ] as const) {
      const number = String(result[side].AccountNumber);
      cents.set(number, (cents.get(number) ?? 0) + sign * amount);
    }
  }
  return [...faults, ...(await countedFaults(service.databaseUrl, acknowledged, cents))];
}

/** Every caller went on until it had an answer: there is nothing but what was acknowledged. */
async function countedFaults(
  databaseUrl: string,
  acknowledged: readonly Acknowledged[],
  cents: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const [kind, sql] of [
      ["account", "SELECT name AS key FROM accounts WHERE name LIKE 'Killed %'"],
      ["transaction", "SELECT reference_id AS key FROM transactions WHERE reference_id LIKE 'Killed %'"],
    ] as const) {
      const { rows } = await client.query<{ key: string }>(sql);
      const found = rows.map(({ key }) => key).toSorted();
      const expected = acknowledged.filter((each) => each.kind === kind).map(({ key }) => key);
      if (!isDeepStrictEqual(found, expected.toSorted()))
        faults.push(`${found.length} rows of ${kind}s, ${expected.length} acknowledged`);
    }
    const balances = "SELECT number, ledger_minor::text AS minor FROM accounts WHERE number = ANY($1)";
    const { rows } = await client.query<{ number: string; minor: string }>(balances, [[...cents.keys()]]);
    for (const { number, minor } of rows)
      if (Number(minor) !== cents.get(number))
        faults.push(`account ${number} has ${minor} cents, its transactions make ${cents.get(number)}`);
    const sums =
      "SELECT currency, sum(amount_minor)::text AS sum FROM postings GROUP BY currency HAVING sum(amount_minor) <> 0";
    for (const { currency, sum } of (await client.query<{ currency: string; sum: string }>(sums)).rows)
      faults.push(`postings in ${currency} add up to ${sum}`);
  } finally {
    await client.end();
  }
  return faults;
}
