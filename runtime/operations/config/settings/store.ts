import { both, choice, integer, text, type Setting } from "./setting.ts";

/** The profile, and where the service keeps its records. */
export const storeSettings: readonly Setting[] = [
  {
    path: "profile",
    env: "LEDGER_PROFILE",
    kind: choice("sandbox", "production"),
    ...both("sandbox"),
    doc: "sandbox: demo data, this machine only. production: refuses incomplete settings.",
  },
  {
    path: "dataDir",
    env: "LEDGER_DATA_DIR",
    kind: text,
    sandbox: ".data",
    needed: true,
    doc: "Folder of the database and of mails.",
  },
  {
    path: "database.url",
    env: "LEDGER_DATABASE_URL",
    kind: text,
    secret: true,
    doc: "Database: `sqlite:<path>`, `postgres://<user>@<host>[,<host>]/<database>` or `memory:`; absent: `sqlite:<dataDir>/ledger.sqlite`.",
  },
  {
    path: "database.tls",
    env: "LEDGER_DATABASE_TLS",
    kind: choice("required", "optional"),
    sandbox: "optional",
    production: "required",
    doc: "required: PostgreSQL on another machine needs `sslmode=verify-full`. optional: also without, on a private network.",
  },
  {
    path: "database.poolSize",
    env: "LEDGER_DATABASE_POOL_SIZE",
    kind: integer(2, 1_000),
    ...both(10),
    doc: "Connections to PostgreSQL.",
  },
  {
    path: "database.statementTimeoutMs",
    env: "LEDGER_DATABASE_STATEMENT_TIMEOUT_MS",
    kind: integer(100, 600_000),
    ...both(10_000),
    doc: "Time limit of a statement on PostgreSQL.",
  },
  {
    path: "database.connectTimeoutMs",
    env: "LEDGER_DATABASE_CONNECT_TIMEOUT_MS",
    kind: integer(100, 600_000),
    ...both(5_000),
    doc: "How long a call waits for a connection to PostgreSQL.",
  },
];

/** Settings of earlier versions that no value can satisfy any more. */
export const retiredSettings: readonly {
  readonly path: string;
  readonly env: string;
  readonly message: string;
}[] = [
  {
    path: "database.others",
    env: "LEDGER_DATABASE_OTHERS",
    message:
      "one database has all institutions. Check out commit cb739801, and with the settings that you have run " +
      "`ledger-server move --institution <id> --to first` for each institution that is in another database; then unset " +
      "this setting. See docs/upgrading.md",
  },
];
