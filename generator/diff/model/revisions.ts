import { compareRevisions } from "../../spec/index.ts";

/**
 * Whether something says that it is newer than a revision that already had something of its name: then it is another
 * thing. What said so before, too, is not.
 */
export function isNewerThan(
  since: string | undefined,
  before: string | undefined,
  revision: string,
): boolean {
  return since !== undefined && since !== before && compareRevisions(since, revision) > 0;
}
