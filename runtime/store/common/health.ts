import { UnavailableError, type StoreHealth } from "../ports/index.ts";

/** Whether the file can be read and written: one for an open store, reported by all code that uses the file. */
export interface Health {
  now(): StoreHealth;
  /** Something failed. Errors that say nothing of the disk or the file are ignored. */
  failed(error: unknown): void;
  /** A commit has reached the disk. */
  wrote(): void;
  /** Throws the `UnavailableError` of a file that nothing must be read from. */
  requireReadable(): void;
  /** Throws the `UnavailableError` of a file that nothing must be written to. */
  requireWritable(): void;
  /** Resolves if a commit reached the disk within the last seconds or does now; else rejects, saying why not. */
  probed(): Promise<void>;
  close(): void;
}

export interface HealthOptions {
  /** Writes something, through everything that a transaction goes through. */
  probe(): Promise<void>;
  /**
   * Whether a disk that was full has room again. A commit alone does not show it: a small one fits into room that the
   * log has already.
   */
  hasRoom?(): boolean;
  /** Called once for each change. */
  onChange(health: StoreHealth, cause: unknown): void;
}

/** While the store fails, it is written to this often, so that its recovery is noticed without a request. */
const probeEveryMs = 1_000;
/** A commit within so long shows that the disk takes writes. */
const provenMs = 5_000;
/** A single success just after a failure proves little: the log's own room may take a small write. */
const stableMs = 900;

/** Watches over one file. What is damaged or was replaced stays so until the store is opened again. */
// oxlint-disable-next-line max-lines-per-function -- every part shares what is known of one store
export function createHealth({ probe, hasRoom, onChange }: HealthOptions): Health {
  let health: StoreHealth = { kind: "well" };
  let failedAtMs = -Infinity;
  let wroteAtMs = -Infinity;
  let last: UnavailableError | undefined;
  let timer: NodeJS.Timeout | undefined;
  let probing: Promise<void> | undefined;
  let isClosed = false;

  return {
    now: () => health,
    failed,
    wrote: () => {
      wroteAtMs = performance.now();
      if (health.kind !== "failing" || isFinal(health) || wroteAtMs - failedAtMs < stableMs) return;
      if (health.reason === "disk-full" && hasRoom?.() === false) return;
      recovered();
    },
    requireReadable: () => {
      if (last?.reason === "damaged") throw last;
    },
    requireWritable: () => {
      if (last !== undefined && isFinal(last)) throw last;
    },
    probed: async () => {
      if (last === undefined && performance.now() - wroteAtMs >= provenMs) await tryWrite();
      if (last !== undefined) throw last;
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };

  function failed(error: unknown): void {
    if (!(error instanceof UnavailableError)) return;
    failedAtMs = performance.now();
    if (last !== undefined && isFinal(last)) return;
    // The latest failure says what is wrong now; the first may have been a commit that was cut off.
    const isKnown = last?.reason === error.reason;
    last = error;
    if (isKnown) return;
    health = { kind: "failing", reason: error.reason, sinceMs: Date.now() };
    onChange(health, error.cause);
    probeLater();
  }

  function recovered(): void {
    last = undefined;
    health = { kind: "well" };
    clearTimeout(timer);
    timer = undefined;
    onChange(health, undefined);
  }

  function probeLater(): void {
    if (timer !== undefined || isClosed || last === undefined || isFinal(last)) return;
    timer = setTimeout(() => {
      timer = undefined;
      void tryWrite().then(probeLater);
    }, probeEveryMs);
    timer.unref();
  }

  /** How it ended, `failed` and `wrote` were called on the way. */
  function tryWrite(): Promise<void> {
    probing ??= probe()
      .catch(() => undefined)
      .finally(() => {
        probing = undefined;
      });
    return probing;
  }
}

function isFinal({ reason }: { readonly reason: UnavailableError["reason"] }): boolean {
  return reason === "damaged" || reason === "file-replaced";
}
