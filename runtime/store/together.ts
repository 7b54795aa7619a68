/** Waits for all, so that nothing is under way when the first failure is thrown. */
export async function together<const All extends readonly Promise<unknown>[]>(
  all: All,
): Promise<{ -readonly [At in keyof All]: Awaited<All[At]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
