/** Exit codes of the command. */
export const exitCode = {
  ok: 0,
  /** Drift, or errors in the spec or among the files. */
  failed: 1,
  /** A command, option or config that makes no sense. */
  usage: 2,
} as const;

/** The meanings of a command's exit codes, for the end of its help. A line break in a meaning is kept. */
export function exitCodesHelp(
  ok: string,
  failed: string,
  usage = "an option, an argument or a config that makes no sense",
): string {
  const meanings = [
    [exitCode.ok, ok],
    [exitCode.failed, failed],
    [exitCode.usage, usage],
  ] as const;
  const lines = meanings.map(([code, meaning]) => `  ${code}  ${meaning.replaceAll("\n", "\n     ")}`);
  return `Exit codes:\n${lines.join("\n")}`;
}
