/** Exit codes of the command. */
export const exitCode = {
  ok: 0,
  /** Drift, or errors in the spec or among the files. */
  failed: 1,
  /** A command, option or config that makes no sense. */
  usage: 2,
} as const;
