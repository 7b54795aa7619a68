import { resolve } from "node:path";
import { terminalText } from "../../conformance/base/terminal-text.ts";
import { createColors, type Colors } from "../language/diagnostics/colors.ts";

/** What a command finds around it: of the process, unless a program calls it. */
export interface Surroundings {
  /** The folder that it was called in. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
}

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Where a command was called, where it prints, and how. What it prints goes through `terminalText`. */
export interface Terminal extends Pick<Surroundings, "cwd" | "env"> {
  /** Results. */
  print(text: string): void;
  /** Diagnostics and progress. */
  note(text: string): void;
  /** One line that the next one replaces; nothing where stderr is no terminal. */
  progress(text: string): void;
  readonly isTty: boolean;
  /** Whether stderr is a terminal, so that progress is shown. */
  readonly isLive: boolean;
  readonly color: Colors;
}

/** The surroundings of the process. */
export function processSurroundings(): Surroundings {
  return { cwd: process.cwd(), env: process.env, stdout: process.stdout, stderr: process.stderr };
}

/** `color`: as asked for on the command line; otherwise as NO_COLOR, FORCE_COLOR and the terminal have it; a build server is no terminal. */
export function terminalIn({ cwd, env, stdout, stderr }: Surroundings, color: boolean | undefined): Terminal {
  const isTty = stdout.isTTY === true;
  const watches = stderr.isTTY === true;
  let pending = false;
  const clear = (): void => {
    if (pending) stderr.write("\r\u001b[K");
    pending = false;
  };
  return {
    cwd,
    env,
    isTty,
    isLive: watches,
    color: createColors(color ?? isColored(env, isTty)),
    print(text) {
      clear();
      stdout.write(`${terminalText(text)}\n`);
    },
    note(text) {
      clear();
      stderr.write(`${terminalText(text)}\n`);
    },
    progress(text) {
      if (!watches) return;
      clear();
      stderr.write(terminalText(text));
      pending = text !== "";
    },
  };
}

function isColored(env: Surroundings["env"], isTty: boolean): boolean {
  if (env["NO_COLOR"]) return false;
  return Boolean(env["FORCE_COLOR"]) || (isTty && (env["TERM"] !== "dumb" || Boolean(env["CI"])));
}

/** The path by which this process reaches a file that the command line names: as given, unless it was called elsewhere. */
export function reached({ cwd }: Pick<Terminal, "cwd">, path: string): string {
  return cwd === process.cwd() ? path : resolve(cwd, path);
}
