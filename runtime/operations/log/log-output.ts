import { constants, fstatSync, openSync, write, writeSync } from "node:fs";

/** Where log lines go. A reader that stops reading them stops no call, and no end of the process. */
export interface LogOutput {
  /** Takes a line, which ends with a line feed. Drops it where too much is held. */
  write(line: string): void;
  /** Writes what is held, as long as that may take, and nothing more after it. To be called when the process ends. */
  end(): void;
}

/** Each write wakes a thread, which costs as much as twenty lines. */
const flushBytes = 32 * 1024;
const flushEveryMs = 200;
/** Held while the reader has stopped. Lines beyond are dropped, and counted in the first line after them. */
const heldMax = 4 * 1024 * 1024;
const fullRetryMs = 50;
const failedRetryMs = 1000;
/** Of errors that say that the reader is gone. */
const goneCodes: ReadonlySet<string | undefined> = new Set(["EPIPE", "EBADF", "ECONNRESET", "EDESTADDRREQ"]);

/**
 * Writes lines to a file descriptor, some 32 kB at a time and at the latest after 200 ms. The destination of pino waits
 * without a bound: for a pipe that is full, and at the end for one whose reader is gone.
 */
// oxlint-disable-next-line max-lines-per-function -- one state machine over what is held and what is on its way
export function logOutput(fd: number, flushAtEndMs = 2000): LogOutput {
  let held = "";
  let dropped = 0;
  let sending: Uint8Array = new Uint8Array();
  let state: "idle" | "writing" | "waiting" | "gone" | "ended" = "idle";
  const flushing = setInterval(send, flushEveryMs).unref();

  function send(): void {
    if (state === "idle" && prepare()) writeOn();
  }

  /** Whether there is something to write. */
  function prepare(): boolean {
    if (sending.length === 0 && held !== "") {
      sending = Buffer.from(held);
      held = "";
      if (dropped > 0) held = droppedLine(dropped);
      dropped = 0;
    }
    return sending.length > 0;
  }

  function writeOn(): void {
    state = "writing";
    write(fd, sending, (error, written) => {
      // The descriptor may be another file's by now.
      if (state === "ended") return;
      state = "idle";
      if (error !== null) return failed(error);
      sending = sending.subarray(written);
      if (sending.length > 0 || held.length >= flushBytes) send();
    });
  }

  function failed({ code }: NodeJS.ErrnoException): void {
    state = goneCodes.has(code) ? "gone" : "waiting";
    if (state === "gone") return;
    const retry = (): void => {
      if (state !== "waiting") return;
      state = "idle";
      send();
    };
    setTimeout(retry, code === "EAGAIN" ? fullRetryMs : failedRetryMs).unref();
  }

  return {
    write(line) {
      if (state === "gone" || state === "ended") return;
      if (held.length + line.length > heldMax) {
        dropped += 1;
        return;
      }
      held += line;
      if (held.length >= flushBytes) send();
    },
    end() {
      clearInterval(flushing);
      if (state === "gone" || state === "ended") return;
      // Lines on their way are written by a thread that the end of the process waits for.
      if (state === "writing") sending = new Uint8Array();
      state = "ended";
      const endsAt = performance.now() + flushAtEndMs;
      while (prepare()) {
        const written = writtenUntil(endsAt, fd, sending);
        if (written === undefined) return;
        sending = sending.subarray(written);
      }
    },
  };
}

/** Writes some of `bytes`; gives how many, or `undefined` where none can be written until then. */
function writtenUntil(endsAt: number, fd: number, bytes: Uint8Array): number | undefined {
  for (;;) {
    try {
      return writeSync(fd, bytes);
    } catch (error) {
      if (codeOf(error) !== "EAGAIN" || performance.now() > endsAt) return undefined;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullRetryMs);
    }
  }
}

function droppedLine(dropped: number): string {
  const time = new Date().toISOString();
  const msg = "log lines were dropped, because they were not read";
  return `${JSON.stringify({ level: "warn", time, dropped, msg })}\n`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/**
 * Standard output, opened anew if it is a pipe or a terminal, so that no write waits for it. The given one is shared
 * with other processes, which would have to know of it.
 */
export function standardOutput(): number {
  const given = 1;
  try {
    const status = fstatSync(given);
    if (!status.isFIFO() && !status.isCharacterDevice()) return given;
    return openSync("/proc/self/fd/1", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return given;
  }
}
