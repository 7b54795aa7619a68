import { join } from "node:path";
import { describeConformance as describeSuite, type DescribeOptions } from "../describe.ts";
import type { RunReport } from "../runner/run.ts";

export * from "../index.ts";

/** Where the package has its cases. */
export const suiteFolder = join(import.meta.dirname, "../../suite");

/** Tries a service, and says each case as a test of its own: `await describeConformance({ describe, test, access })`. */
export async function describeConformance(options: Omit<DescribeOptions, "suite">): Promise<RunReport> {
  return await describeSuite({ suite: suiteFolder, ...options });
}
