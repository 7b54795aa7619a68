import { runContest } from "../harness/contest.ts";
import { stop, temporaryFolder } from "../harness/processes.ts";
import { ownName, startService } from "../harness/service.ts";
import type { Part } from "./part.ts";
import { answerOf, floorName, floorSide, getAccounts, isResult, serviceSide, startProgram } from "./sides.ts";

const size = { callers: 32, perRound: 4_000 };
const mountedName = `${ownName} mounted in Express`;

/** Signed reads by our own server, and by an Express app that mounts the endpoint: `app.use("/jsonrpc", rpc(pipeline))`. */
export const mounted: Part = {
  name: "mounted",
  title: "the endpoint in an Express app beside our own server",
  measure: async ({ rounds, progress }) => {
    const service = await startService(temporaryFolder());
    const once = await startService(temporaryFolder());
    await stop(once.child);
    const app = await startProgram(["bench/contestants/mounted.ts"], [once.dataDir]);
    const calls = getAccounts(service, size);
    const sides = [
      await floorSide(service, calls, await answerOf(service, calls)),
      serviceSide(ownName, service, calls, isResult),
      serviceSide(mountedName, { ...once, ...app }, getAccounts(once, size), isResult),
    ];
    const found = await runContest(sides, {
      part: "signed GetAccount, mounted",
      floor: floorName,
      base: ownName,
      rounds,
      perRound: size.perRound,
      progress,
    });
    for (const { child } of sides) await stop(child);
    return found;
  },
};
