/** Runs steps at the same time and waits for all of them. Throws what the first in the list threw. */
export async function runAtOnce(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const running = steps.map((run) => run());
  await Promise.allSettled(running);
  for (const step of running) await step;
}
