import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../environment.ts";
import type { StepOf } from "./step-of.ts";

/** In seconds: the rest of a short run is over too soon to show anything. */
const restSecondsMin = 5;

/** Lets seconds pass. */
export async function runWait({ seconds }: StepOf<"wait">): Promise<void> {
  await sleep(seconds * 1000);
}

/** Waits until everything else of the run is done, and for at least some seconds. */
export async function runRest({ rest }: Environment): Promise<void> {
  await Promise.all([rest.promise, sleep(restSecondsMin * 1000)]);
}
