import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  ConfigError,
  inspectConfig,
  loadConfig,
  settingsOf,
  unverifiedServer,
} from "../../runtime/operations/config/index.ts";
import { sealKeyText } from "../seal-key.ts";
import { application } from "../../ledger/application.ts";

const settings = settingsOf(application);
const { interfaces } = application;

const folder = mkdtempSync(join(tmpdir(), "ledger-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

function mistakesOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(application, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map(({ where, message }) => `${where}: ${message}`);
  }
}

function fileWith(content: string): string {
  const path = join(folder, "ledger-server.yaml");
  writeFileSync(path, content);
  return path;
}

const production = {
  LEDGER_PROFILE: "production",
  LEDGER_DATA_DIR: "/var/lib/ledger",
  LEDGER_HOST: "0.0.0.0",
  LEDGER_MAIL_TRANSPORT: "smtp",
  LEDGER_MAIL_FROM: "bank@example.com",
  LEDGER_SMTP_HOST: "smtp.example.com",
  LEDGER_SEAL_KEY: sealKeyText,
};

describe("configuration", () => {
  test("an empty environment is the sandbox on loopback", () => {
    expect(loadConfig(application, {})).toMatchObject({
      profile: "sandbox",
      dataDir: ".data",
      endpoints: new Map(
        interfaces
          .filter(({ beside }) => !beside)
          .map(({ descriptor }, row) => [descriptor.name, { host: "127.0.0.1", port: 8080 + row }]),
      ),
      audit: { rootMinutes: 60 },
      rateLimit: { perSecond: 0, burst: 200 },
      mail: { transport: "folder" },
    });
  });

  test("the environment wins over the file, the file over the defaults", () => {
    const path = fileWith(
      "http: { port: 9000 }\noperator: { port: 9001 }\naccounts: { closedIsFinal: true }\n",
    );
    const config = loadConfig(application, { LEDGER_CONFIG: path, PORT: "9100" });
    expect([
      config.endpoints.get("ledger")?.port,
      config.endpoints.get("operator")?.port,
      config.given.flag("accounts.closedIsFinal"),
    ]).toEqual([9100, 9001, true]);
  });

  test.each(
    settings.flatMap(({ env, kind }) =>
      kind.of === "integer" || kind.of === "number"
        ? [{ env, kind: kind.of, minimum: kind.minimum, maximum: kind.maximum }]
        : [],
    ),
  )("$env is a number from $minimum to $maximum", ({ env, kind, minimum, maximum }) => {
    const isRefused = (number: number) =>
      mistakesOf({ [env]: String(number) }).some((mistake) =>
        mistake.startsWith(`${env}: "${number}" is not a`),
      );
    const ends = [minimum - 1, minimum, maximum, maximum + 1].map(isRefused);
    expect(ends).toEqual([true, false, false, true]);
    expect(isRefused(minimum + 0.5)).toBe(kind === "integer");
  });

  test("a variable that is named after the path of a setting is led to the right one", () => {
    expect(mistakesOf({ LEDGER_PORT: "8081", LEDGER_CALLBACKS_ALLOWED_NETWORKS: "10.0.0.0/8" })).toEqual([
      "LEDGER_PORT: is not a setting: PORT sets ledger.port",
      "LEDGER_CALLBACKS_ALLOWED_NETWORKS: is not a setting: LEDGER_CALLBACK_NETWORKS sets callbacks.allowedNetworks",
    ]);
  });

  test("all mistakes are named at once", () => {
    const path = fileWith("http: { prot: 1 }\nlog: { level: loud }\nrateLimit: 5\n");
    expect(
      mistakesOf({ LEDGER_CONFIG: path, PORT: "http", LEDGER_HOST: "0.0.0.0", LEDGER_TYPO: "1" }),
    ).toEqual([
      `${path}: is not a mapping of settings`,
      `${path}: http.prot: is not a setting. \`ledger-server settings\` lists them`,
      "LEDGER_TYPO: is not a setting. `ledger-server settings` lists them",
      'PORT: "http" is not a whole number from 0 to 65535',
      `${path}: log.level: "loud" is not one of fatal, error, warn, info, debug, silent`,
      "ledger.host: 0.0.0.0 is not a loopback address: the sandbox serves this machine only",
    ]);
  });

  test("production names everything it lacks", () => {
    const lacking = mistakesOf({ LEDGER_PROFILE: "production" }).map((line) => line.split(":")[0]);
    expect(lacking).toEqual(settings.filter(({ needed }) => needed).map(({ env }) => env));
  });

  test("production starts with what it needs, rate-limited", () => {
    expect(loadConfig(application, production)).toMatchObject({
      referencePages: false,
      profile: "production",
      rateLimit: { perSecond: 100, burst: 200 },
    });
  });

  test("production refuses open flat bodies", () => {
    expect(mistakesOf({ ...production, LEDGER_FLAT_BODIES: "open" })).toEqual([
      "auth.flatBodies: open is for the sandbox profile only",
    ]);
  });

  test("mails have a sender that can be answered", () => {
    for (const LEDGER_MAIL_FROM of ["bank", "a bank@example.com", "@", "Bank <bank>"])
      expect(mistakesOf({ LEDGER_MAIL_FROM })).toEqual([
        "mail.from: is no address such as ledger@bank.example",
      ]);
    expect(loadConfig(application, { LEDGER_MAIL_FROM: "A Bank <bank@example.com>" })).toBeDefined();
  });

  test("production does not start where Node takes any certificate", () => {
    const variable = "NODE_TLS_REJECT_UNAUTHORIZED";
    const refused = new RegExp(`^${variable}: 0 takes any certificate.*: unset it`);
    expect(mistakesOf({ ...production, [variable]: "0" })).toEqual([expect.stringMatching(refused)]);
    expect(() => loadConfig(application, { ...production, [variable]: "1" })).not.toThrow();
    expect(() => loadConfig(application, { [variable]: "0" })).not.toThrow();
  });

  test("a secret is never in a message", () => {
    const path = fileWith("secrets: { sealKey: 12345 }\n");
    const lines = mistakesOf({ ...production, LEDGER_SEAL_KEY: "hunter2" });
    expect(lines).toEqual(["secrets.sealKey: is not the base64 of 32 bytes (openssl rand -base64 32)"]);
    expect(mistakesOf({ LEDGER_CONFIG: path }).join()).not.toContain("12345");
  });

  test("a setting of an earlier version is refused, and the answer says what to do", () => {
    const others = "west=postgres://ledger:hunter2@db.example/ledger";
    const path = fileWith(`database: { others: "${others}" }\n`);
    for (const [env, where] of [
      [{ LEDGER_DATABASE_OTHERS: others }, "LEDGER_DATABASE_OTHERS"],
      [{ LEDGER_CONFIG: path }, `${path}: database.others`],
    ] as const) {
      const [mistake, ...rest] = mistakesOf(env);
      expect(mistake).toContain(`${where}: one database has all institutions. Check out commit cb739801`);
      expect(mistake).not.toContain("hunter2");
      expect(rest).toEqual([]);
    }
    expect(mistakesOf({ LEDGER_DATABASE_OTHERS: "" })).toEqual([]);
  });

  test.each([
    ["zeros", Buffer.alloc(32)],
    ["one byte, repeated", Buffer.alloc(32, 0xa7)],
    ["a few bytes, repeated", Buffer.from("deadbeefcafef00d".repeat(4), "hex")],
    ["bytes that count up", Buffer.from(Array.from({ length: 32 }, (_, at) => at))],
    ["a pass phrase", Buffer.from("correct horse battery staple, ok")],
  ])("a seal key is refused that is no random one: %s", (_name, key) => {
    const weak = { ...production, LEDGER_SEAL_KEY: key.toString("base64") };
    expect(mistakesOf(weak)).toEqual([expect.stringMatching(/^secrets\.sealKey: is no random key/)]);
    expect(mistakesOf({ LEDGER_SEAL_KEY: weak.LEDGER_SEAL_KEY })).toHaveLength(1);
    // Else nothing could be sealed with another key.
    expect(loadConfig(application, weak, { acceptsWeakKey: true }).sealKey).toBe(weak.LEDGER_SEAL_KEY);
  });

  test("a file with secrets that others can read is refused in production, or warned of", () => {
    const { LEDGER_SEAL_KEY, ...rest } = production;
    const path = fileWith(`secrets: { sealKey: ${LEDGER_SEAL_KEY} }\n`);
    const named = { ...rest, LEDGER_CONFIG: path };
    chmodSync(path, 0o644);
    const fault = "holds secrets.sealKey, and its mode 0644 lets others read or change it: chmod 600 ";
    expect(mistakesOf(named)).toEqual([`${path}: ${fault}${path}`]);
    const overridden = { ...named, LEDGER_SEAL_KEY };
    for (const env of [overridden, { LEDGER_CONFIG: path }])
      expect(loadConfig(application, env).warnings).toEqual([{ where: path, message: fault + path }]);
    for (const mode of [0o600, 0o640, 0o400]) {
      chmodSync(path, mode);
      expect(loadConfig(application, named).warnings).toEqual([]);
    }
    chmodSync(fileWith("audit: { rootMinutes: 30 }\n"), 0o644);
    expect(loadConfig(application, { ...production, LEDGER_CONFIG: path }).warnings).toEqual([]);
  });

  test("production speaks to a database server of another machine over verified TLS alone", () => {
    const remote = "postgres://ledger:hunter2@db.example/ledger";
    const refused = mistakesOf({ ...production, LEDGER_DATABASE_URL: remote });
    expect(refused).toEqual([expect.stringMatching(/^database\.url: the server db\.example is on another/)]);
    expect(refused.join()).not.toContain("hunter2");
    const verified = { LEDGER_DATABASE_URL: `${remote}?sslmode=verify-full` };
    for (const env of [verified, { LEDGER_DATABASE_URL: remote, LEDGER_DATABASE_TLS: "optional" }])
      expect(mistakesOf({ ...production, ...env })).toEqual([]);
    expect(mistakesOf({ LEDGER_DATABASE_URL: remote })).toEqual([]);
  });

  test.each([
    ["postgres://localhost/bank", undefined],
    ["postgres://u@127.0.0.1:5432,[::1]:5433/bank", undefined],
    ["postgresql:///bank?host=/run/postgresql", undefined],
    ["postgres://%2Frun%2Fpostgresql/bank", undefined],
    ["postgres:///bank", undefined],
    ["postgres://one/bank?sslmode=verify-full&sslrootcert=/ca.pem", undefined],
    ["sqlite:/data/bank", undefined],
    ["postgres://localhost/bank?host=db.example", "db.example"],
    ["postgres://localhost,DB.example:5432/bank", "db.example"],
    ["postgres://u@localhost@db.example/bank", "db.example"],
    ["postgres://localhost.db.example/bank", "localhost.db.example"],
    ["postgres://db.example/bank?sslmode=require", "db.example"],
    ["postgres://db.example/bank?sslmode=verify-full&sslmode=disable", "db.example"],
    ["postgres://db.example/bank#?sslmode=verify-full", "db.example"],
    ["POSTGRES://10.0.0.7/bank?sslmode=no-verify", "10.0.0.7"],
  ])("%s: %s is spoken to without verified TLS", (url, host) => {
    const fault = unverifiedServer(url);
    if (host === undefined) expect(fault).toBeUndefined();
    else expect(fault).toContain(`the server ${host} is`);
  });

  test("a URL that names no host has the one of PGHOST", () => {
    expect(unverifiedServer("postgres:///bank", "db.example")).toContain("db.example");
  });

  test("passwords in addresses are not in messages", () => {
    const LEDGER_QUEUE_MAX_MS = "https://ann:hunter2@bank.example/?token=hunter3";
    expect(mistakesOf({ LEDGER_QUEUE_MAX_MS }).join()).toContain("https://***@bank.example/?token=***");
    const file = fileWith('console: { report: "https://ann:hunter2@bank.example" }\n');
    expect(inspectConfig(application, { LEDGER_CONFIG: file }).mistakes).toEqual([]);
  });

  test("a file that is not YAML, or not there, is named", () => {
    expect(mistakesOf({ LEDGER_CONFIG: fileWith("a: [") })[0]).toMatch(/ledger-server\.yaml: /);
    expect(mistakesOf({ LEDGER_CONFIG: join(folder, "none.yaml") })[0]).toMatch(/none\.yaml: ENOENT/);
  });
});

test("the operator's port takes its own names alone, in both profiles; the public one any in production", () => {
  const namesOf = (env: Record<string, string>) =>
    [...loadConfig(application, env).endpoints].map(([name, { names }]) => `${name}: ${names.join(" ")}`);
  expect(namesOf({})).toEqual(["ledger: ", "operator: "]);
  expect(namesOf(production)).toEqual(["ledger: *", "operator: "]);
  expect(namesOf({ ...production, LEDGER_NAMES: "ledger.bank.example, ledger-1" })[0]).toBe(
    "ledger: ledger.bank.example ledger-1",
  );
  expect(mistakesOf({ OPERATOR_NAMES: "https://bank.example/" })).toEqual([
    expect.stringContaining("is no host name"),
  ]);
});

test("an origin is a scheme and a host, as a browser writes it", () => {
  const { endpoints } = loadConfig(application, { LEDGER_ORIGIN: "https://bank.example:8443" });
  expect([...endpoints.values()].map(({ origin }) => origin)).toEqual([
    "https://bank.example:8443",
    undefined,
  ]);
  for (const origin of [
    "bank.example",
    "https://bank.example/",
    "https://Bank.example",
    "https://u@bank.example",
  ])
    expect(mistakesOf({ LEDGER_ORIGIN: origin })).toEqual([
      `ledger.origin: ${origin} is no origin such as https://api.example`,
    ]);
});
