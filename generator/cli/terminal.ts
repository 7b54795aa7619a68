import pc from "picocolors";

/** Where a command prints, and how. */
export interface Terminal {
  /** Results. */
  print(text: string): void;
  /** Diagnostics and progress. */
  note(text: string): void;
  /** One line that the next one replaces; nothing where stderr is no terminal. */
  progress(text: string): void;
  readonly isTty: boolean;
  /** Whether stderr is a terminal, so that progress is shown. */
  readonly isLive: boolean;
  readonly color: ReturnType<typeof pc.createColors>;
}

/** `color`: as asked for on the command line; otherwise as NO_COLOR, FORCE_COLOR and the terminal have it; a build server is no terminal. */
export function processTerminal(color: boolean | undefined): Terminal {
  const isTty = process.stdout.isTTY;
  const watches = process.stderr.isTTY;
  let pending = false;
  const clear = (): void => {
    if (pending) process.stderr.write("\r\u001b[K");
    pending = false;
  };
  return {
    isTty,
    isLive: Boolean(watches),
    color: pc.createColors(color ?? (pc.isColorSupported && (isTty || Boolean(process.env["FORCE_COLOR"])))),
    print(text) {
      clear();
      process.stdout.write(`${text}\n`);
    },
    note(text) {
      clear();
      process.stderr.write(`${text}\n`);
    },
    progress(text) {
      if (!watches) return;
      clear();
      process.stderr.write(text);
      pending = text !== "";
    },
  };
}
