import { setTimeout as sleep } from "node:timers/promises";
import type { StepOf } from "./step-of.ts";

/** Lets seconds pass. */
export async function runWait({ seconds }: StepOf<"wait">): Promise<void> {
  await sleep(seconds * 1000);
}
