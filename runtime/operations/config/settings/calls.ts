import { both, choice, flag, integer, type Setting } from "./setting.ts";

/** How calls are checked, answered and logged, and the limits of lists. */
export const callSettings: readonly Setting[] = [
  {
    path: "log.level",
    env: "LEDGER_LOG_LEVEL",
    kind: choice("fatal", "error", "warn", "info", "debug", "silent"),
    ...both("info"),
    doc: "Least severity that is logged.",
  },
  {
    path: "errors.httpStatus",
    env: "LEDGER_ERRORS_HTTP_STATUS",
    kind: choice("ok", "mapped"),
    ...both("ok"),
    doc: "ok: errors of parsed envelopes answer 200. mapped: 400, 401, 403, 404, 409, 500 by code (D-02).",
  },
  {
    path: "validation.unknownFields",
    env: "LEDGER_UNKNOWN_FIELDS",
    kind: choice("ignore", "reject"),
    ...both("ignore"),
    doc: "What happens to request fields the interface does not know (D-13).",
  },
  {
    path: "calls.timeMs",
    env: "LEDGER_CALL_TIME_MS",
    kind: integer(100, 600_000),
    ...both(30_000),
    doc: "Time that one call has; beyond, it is `UNAVAILABLE`, `timeout`, and what it wrote is rolled back.",
  },
  {
    path: "results.check",
    env: "LEDGER_CHECK_RESULTS",
    kind: flag,
    sandbox: true,
    production: false,
    doc: "Whether results are checked against the spec: one that does not fit is `INTERNAL`, and logged with its place.",
  },
  {
    path: "auth.flatBodies",
    env: "LEDGER_FLAT_BODIES",
    kind: choice("signed", "open"),
    ...both("signed"),
    doc: "open drops the authentication of flat bodies; sandbox only (D-22).",
  },
  {
    path: "auth.replay",
    env: "LEDGER_REPLAY",
    kind: choice("standard", "strict"),
    ...both("standard"),
    doc: "strict requires RFC 9421 message signatures on every call (D-24).",
  },
  {
    path: "reads.threads",
    env: "LEDGER_READ_THREADS",
    kind: integer(0, 64),
    ...both(0),
    doc: "Threads that read lists; 0: one fewer than there are processors, from 1 to 4.",
  },
  {
    path: "reads.rowsMax",
    env: "LEDGER_READ_ROWS_MAX",
    kind: integer(1_000, 1_000_000_000),
    ...both(30_000),
    doc: "Records that one list may look at to find its page; beyond, it is `BAD_INPUT`, `filter-too-expensive` (D-32).",
  },
  {
    path: "reads.timeMs",
    env: "LEDGER_READ_TIME_MS",
    kind: integer(10, 600_000),
    ...both(1_000),
    doc: "Time that a thread spends on one list; beyond, it is `UNAVAILABLE`.",
  },
];
