import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";

export interface CommandOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: StdioOptions;
  readonly cwd?: string;
}

/**
 * Starts a command that is told to end when this process is; this process then ends after it. A terminal tells both of
 * Ctrl+C by itself.
 */
export function startCommand(
  [command = "", ...args]: readonly string[],
  options: CommandOptions,
): ChildProcess {
  const child = spawn(command, args, options);
  const signals = ["SIGTERM", "SIGHUP"] as const;
  const listeners = signals.map((signal) => {
    const pass = (): void => {
      child.once("close", () => process.kill(process.pid, signal));
      child.kill(signal);
    };
    process.once(signal, pass);
    return () => process.off(signal, pass);
  });
  child.once("close", () => {
    for (const remove of listeners) remove();
  });
  return child;
}
