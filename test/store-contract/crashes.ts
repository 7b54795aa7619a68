import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { isSoak } from "../seed.ts";
import { openAnew } from "./openers.ts";
import { accountWith, bank, insertParties, ledgerFindings } from "./samples.ts";
import { accounts, postingsOfTransaction, accountById } from "../../ledger/tables/index.ts";

const runs = isSoak ? 4 : 2;
const acknowledgementsBeforeTheKill = 20;

/** A new store. `settled` resolves once nothing of a process that was killed is under way any more. */
interface Place {
  readonly url: string;
  settled?(): Promise<void>;
  dispose(): Promise<void>;
}

/** What must survive the death of the process, for adapters that outlive it. */
export function describeCrashes(adapter: string, place: () => Promise<Place>): void {
  describe(`after a kill, ${adapter}`, () => {
    test("has every acknowledged commit, no half of any other, and can go on", async () => {
      const { url, settled, dispose } = await place();
      const opened = () => openAnew(url);
      const first = await opened();
      await first.write(async (tx) => {
        await insertParties(tx);
        for (const id of ["a", "b"]) await tx.insert(accounts, accountWith(id));
      });
      await first.close();
      const acknowledged: string[] = [];
      for (let run = 1; run <= runs; run += 1) {
        acknowledged.push(...(await acknowledgedUntilKilled([url, `run${run}`])));
        await settled?.();
        const store = await opened();
        const found = await store.read((view) =>
          Promise.all(
            acknowledged.map(async (id) => (await view.many(postingsOfTransaction, bank.id, id)).length),
          ),
        );
        expect(found).toEqual(acknowledged.map(() => 2));
        const { sums, records, ...verification } = await store.verify();
        expect(ledgerFindings(verification)).toEqual([]);
        expect(sums).toEqual([{ currency: "USD", sumMinor: 0n }]);
        const account = await store.read((view) => view.one(accountById, bank.id, "b"));
        expect(account?.ledgerMinor).toBe(BigInt(Number(records["postings"]) / 2));
        await store.close();
      }
      await dispose();
    });
  });
}

/** Lets a process write, kills it in the middle and gives what it had acknowledged. */
async function acknowledgedUntilKilled(args: readonly string[]): Promise<readonly string[]> {
  const script = new URL("crash-writer.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  child.on("close", (_code, signal) => end(signal));
  const acknowledged: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line);
    if (acknowledged.length === acknowledgementsBeforeTheKill) child.kill("SIGKILL");
  }
  expect(await ended).toBe("SIGKILL");
  return acknowledged;
}
