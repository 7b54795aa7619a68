import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { z } from "zod";
import { repository } from "./project.ts";

const Line = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("stopped") }),
  z.object({
    kind: z.enum(["started", "round"]),
    ok: z.boolean(),
    message: z.string().optional(),
    changed: z.array(z.object({ path: z.string(), kind: z.string() })).optional(),
    interfaces: z.array(
      z.object({
        name: z.string(),
        written: z.array(z.string()),
        deleted: z.array(z.string()),
        moved: z.array(z.object({ from: z.string(), to: z.string() })),
      }),
    ),
    diagnostics: z.array(z.object({ code: z.string(), severity: z.string() })),
  }),
]);
export type WatchLine = Extract<z.infer<typeof Line>, { kind: "round" | "started" }>;

/** `ledger-rpc generate --watch --json` as its user starts it. */
export interface Watching {
  /** The next line that it prints about a round. Fails when it ends instead. */
  next(): Promise<WatchLine>;
  /** The lines that were printed and not asked for. */
  readonly unread: readonly WatchLine[];
  /** Sends a signal and gives the exit code, null where the signal ended it. */
  stop(signal?: "SIGINT" | "SIGTERM"): Promise<number | null>;
}

export function startWatching(root: string, ...options: readonly string[]): Watching {
  const program = join(repository, "generator/cli/main.ts");
  const child = spawn(process.execPath, [program, "generate", "--watch", "--json", ...options], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "close");
  const unread: WatchLine[] = [];
  let wake: (() => void) | undefined;
  createInterface({ input: child.stdout }).on("line", (text) => {
    const line = Line.parse(JSON.parse(text));
    if (line.kind !== "stopped") unread.push(line);
    wake?.();
  });
  void exited.then(() => wake?.());
  return {
    unread,
    async next() {
      for (;;) {
        const line = unread.shift();
        if (line !== undefined) return line;
        const ended = child.exitCode ?? child.signalCode;
        if (ended !== null) throw new Error(`the watch ended with ${ended}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async stop(signal = "SIGINT") {
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}
