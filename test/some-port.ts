import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { until } from "./until.ts";

/** Below the ports that Linux gives to connections. */
const [portMin, portMax] = [20_000, 32_768];
const triesMax = 20;

/**
 * Starts a program that has to be told its port, and waits until it is ready. Nobody keeps a port free for it: one that
 * ends before it is ready did not get its port, and is started with another one.
 */
export async function startOnSomePort(
  start: (port: number) => ChildProcess,
  isReady: (port: number) => Promise<boolean>,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  for (let tries = 1; tries <= triesMax; tries += 1) {
    const port = randomInt(portMin, portMax);
    const child = start(port);
    let hasEnded = false;
    child.once("exit", () => (hasEnded = true));
    await until(async () => hasEnded || (await isReady(port).catch(() => false)));
    if (!hasEnded) return { child, port };
  }
  throw new Error(`a program ended ${triesMax} times before it was ready`);
}
