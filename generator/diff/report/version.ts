import type { Change } from "../rules/change.ts";
import { biggest, type Bump } from "../rules/rule.ts";

/** The advice on the next version of the client package. */
export interface VersionAdvice {
  /** Absent where nothing changed. */
  readonly bump?: Bump;
  readonly from: string;
  readonly to: string;
}

/**
 * Semantic versioning: what breaks callers or receivers is a new major version, what they may use or stumble over a
 * minor one. Below 1.0.0 each moves one place down. Exceptions approve a change; they do not make it smaller.
 */
export function versionAdvice(changes: readonly Pick<Change, "bump">[], from: string): VersionAdvice {
  const bump = biggest(changes.map((change) => change.bump));
  return bump === undefined ? { from, to: from } : { bump, from, to: next(from, bump) };
}

function next(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const place = ["major", "minor", "patch"].indexOf(bump) + (major === 0 && bump !== "patch" ? 1 : 0);
  if (place === 0) return `${major + 1}.0.0`;
  return place === 1 ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
