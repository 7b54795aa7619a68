import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { figuresOf } from "../harness/figures.ts";
import { callClosed, roundsOf } from "../harness/http-load.ts";
import { cores, pinLoad, stop, temporaryFolder } from "../harness/processes.ts";
import { repository, startService, type Service } from "../harness/service.ts";
import type { Part } from "./part.ts";
import { addAccounts, getAccounts, isResult, type Calls } from "./sides.ts";

const size = { callers: 64, perRound: 6_000 };
const writesPerRound = 3_000;
const alone = "verifications on one core alone";
const reads = "signed GetAccount, service and callers on both cores";
const writes = "durable AddAccount, service and callers on both cores";

/** The throughput of both cores of a small machine, the callers being on them too. */
export const bothCores: Part = {
  name: "cores",
  title: "signed calls a second on both cores, beside verifications on one",
  measure: async ({ rounds, progress }) => {
    const both = [...new Set([cores.server, cores.load])].join(",");
    const service = await startService(temporaryFolder(), { core: both });
    const keyFile = join(temporaryFolder(), "key.pem");
    writeFileSync(keyFile, service.access.privateKeyPem, { mode: 0o600 });
    const found = new Map([alone, reads, writes].map((name): [string, number[]] => [name, []]));
    spawnSync("taskset", ["-acp", both, String(process.pid)]);
    for (const { round, name } of roundsOf(rounds, writesPerRound)) {
      progress(`both cores, ${name}`);
      const perSecond = new Map([
        [alone, verificationsPerSecond(keyFile)],
        [reads, await callsPerSecond(service, getAccounts(service, size), round)],
        [
          writes,
          await callsPerSecond(service, addAccounts(service, { ...size, perRound: writesPerRound }), round),
        ],
      ]);
      if (round > 0) for (const [side, value] of perSecond) found.get(side)?.push(value);
    }
    pinLoad();
    await stop(service.child);
    return figuresOf({
      part: "both cores",
      measure: "throughput",
      unit: "a second",
      better: "higher",
      base: alone,
      goals: { [reads]: { of: "ratio", atLeast: 0.9 }, [writes]: { of: "ratio", atLeast: 0.55 } },
      rounds: found,
    });
  },
};

function verificationsPerSecond(keyFile: string): number {
  const args = ["-c", cores.server, process.execPath, "bench/floor.ts", "verify", keyFile, "10000"];
  return 1e6 / Number(spawnSync("taskset", args, { cwd: repository, encoding: "utf8" }).stdout);
}

async function callsPerSecond(
  { url }: Service,
  { callers, requests }: Calls,
  round: number,
): Promise<number> {
  const load = { url, connections: callers, requests: requests(round), check: isResult };
  const { answered, seconds } = await callClosed(load);
  return answered / seconds;
}
