/** The process of `warm-program.ts`. */
import { inspect } from "node:util";
import { runProgram } from "../../generator/cli/program.ts";
import type { Command, Run } from "./warm-program.ts";

process.on("message", (command: Command) => void answer(command));
process.on("disconnect", () => process.exit());

async function answer({ cwd, args }: Command): Promise<void> {
  const printed = { stdout: "", stderr: "" };
  const [stdout, stderr] = [process.stdout.write, process.stderr.write];
  process.stdout.write = into("stdout");
  process.stderr.write = into("stderr");
  let exitCode = 1;
  try {
    process.chdir(cwd);
    exitCode = await runProgram(args);
  } catch (error) {
    printed.stderr += inspect(error);
  }
  process.stdout.write = stdout;
  process.stderr.write = stderr;
  process.send?.({ exitCode, ...printed } satisfies Run);

  function into(stream: keyof typeof printed): typeof process.stdout.write {
    return (chunk: Uint8Array | string) => {
      printed[stream] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      return true;
    };
  }
}
