import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ledgerServer } from "./ledger-server.ts";
import { startServer } from "./server.ts";
import { sealKeyText } from "../seal-key.ts";

const folder = mkdtempSync(join(tmpdir(), "ledger-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("ledger-server", () => {
  test("starting again keeps the data and the credentials", async () => {
    const dataDir = join(folder, "again");
    const first = await startServer(dataDir);
    expect(await first.stop()).toBe(0);
    const second = await startServer(dataDir);
    expect(await second.stop()).toBe(0);
    expect({ ...second.access, baseUrl: "", operatorUrl: "" }).toEqual({
      ...first.access,
      baseUrl: "",
      operatorUrl: "",
    });
    expect(statSync(join(dataDir, "access.json")).mode & 0o077).toBe(0);
    expect(ledgerServer(["seed"], { LEDGER_DATA_DIR: dataDir }).out).toBe(
      "The demo data is there already.\n",
    );
  });

  test("what is in the way of the data folder is named with the way out", () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    const publicKey = join(folder, "operator.pub");
    const { publicKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    writeFileSync(publicKey, key.export({ type: "spki", format: "pem" }));
    const operator = `operator --institution 1 --institution-name B --user u --email u@b.example --public-key ${publicKey}`;
    for (const command of ["start", "serve", "migrate", "seed", "restore a-backup", operator]) {
      expect(ledgerServer(command.split(" "), { LEDGER_DATA_DIR: file })).toMatchObject({
        code: 1,
        err:
          `The data folder ${file} cannot be used: ${file} is a file. ` +
          "Put that right, or name another folder: LEDGER_DATA_DIR=<folder>\n",
      });
    }
    const dataDir = join(folder, "no-database");
    mkdirSync(join(dataDir, "ledger.sqlite"), { recursive: true });
    expect(ledgerServer(["verify"], { LEDGER_DATA_DIR: dataDir })).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${join(dataDir, "ledger.sqlite")} is no file`),
    });
    const damaged = join(folder, "damaged");
    mkdirSync(damaged);
    writeFileSync(
      join(damaged, "ledger.sqlite"),
      "this is no database, and long enough to be taken for none",
    );
    expect(ledgerServer(["start"], { LEDGER_DATA_DIR: damaged })).toMatchObject({
      code: 1,
      err: expect.stringContaining("ledger.sqlite is no SQLite database: name a file of this service"),
    });
    expect(ledgerServer(["verify"], { LEDGER_DATA_DIR: damaged })).toMatchObject({
      code: 1,
      out: expect.stringContaining("SQLite: file is not a database"),
    });
  });

  test("one port for both interfaces is told apart from a taken one", () => {
    const run = ledgerServer(["start"], {
      PORT: "18099",
      OPERATOR_PORT: "18099",
      LEDGER_DATA_DIR: join(folder, "same-port"),
    });
    expect(run.err).toContain("Two interfaces are to listen on port 18099.");
  });

  test("credentials whose database was removed are replaced; a database without its credentials is not", () => {
    const dataDir = join(folder, "torn");
    const env = { LEDGER_DATA_DIR: dataDir };
    const access = join(dataDir, "access.json");
    ledgerServer(["seed"], env);
    const before = readFileSync(access, "utf8");
    rmSync(join(dataDir, "ledger.sqlite"));
    expect(ledgerServer(["seed"], env)).toMatchObject({ code: 0, out: "Demo data added.\n" });
    expect(readFileSync(access, "utf8")).not.toBe(before);
    rmSync(access);
    const without = ledgerServer(["start"], env);
    expect(without.code).toBe(1);
    expect(without.err).toContain(`${dataDir} holds demo data but no access.json`);
    const elsewhere = join(folder, "torn-elsewhere");
    const beside = {
      LEDGER_DATA_DIR: elsewhere,
      LEDGER_DATABASE_URL: `sqlite:${join(dataDir, "ledger.sqlite")}`,
    };
    const sealKey = readFileSync(join(dataDir, "seal.key"), "utf8").trim();
    const { err } = ledgerServer(["start"], { ...beside, LEDGER_SEAL_KEY: sealKey });
    expect(err).toContain(
      `The database of LEDGER_DATABASE_URL holds demo data but ${elsewhere} has no access.json`,
    );
    expect(err).toContain("take an empty database to start over");
  });

  test("help is there for everything, and a wrong word is answered with the right one", () => {
    expect(ledgerServer(["--help"]).out).toContain("verify");
    expect(ledgerServer(["verify", "--help"]).out).toContain("--json");
    expect(ledgerServer(["settings"]).out).toContain("accounts.closedIsFinal  (LEDGER_CLOSED_IS_FINAL)");
    const sealKey = sealKeyText;
    const settings = ledgerServer(["settings", "--json"], { PORT: "9100", LEDGER_SEAL_KEY: sealKey });
    expect(settings.out).not.toContain(sealKey);
    const collector = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://ann:hunter2@collector.example/?token=hunter3",
    };
    const hidden = ledgerServer(["settings"], collector);
    expect(hidden.out).toContain("https://***@collector.example/?token=***, from OTEL_EXPORTER");
    expect(hidden.out + hidden.err).not.toContain("hunter");
    const rows: { path: string }[] = JSON.parse(settings.out);
    expect(rows.find(({ path }) => path === "ledger.port")).toMatchObject({ value: 9100, origin: "PORT" });
    expect(rows.find(({ path }) => path === "secrets.sealKey")).toMatchObject({ value: null, isSet: true });
    const mistaken = ledgerServer(["settings"], { PORT: "http" });
    expect(mistaken).toMatchObject({ code: 2, err: expect.stringContaining('PORT: "http" is not') });
    expect(mistaken.out).toContain("ledger.port  (PORT)");
    const wrong = ledgerServer(["verfy"]);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("Did you mean verify?") });
    for (const [args, err] of [
      [["events", "tail", "--since", "zz"], "--since zz is no time"],
      [["events", "tail", "--interval-ms", "soon"], "--interval-ms soon is no number"],
      [["move", "--from", ".", "--to", "sqlite:x"], "Name the PostgreSQL database to move to"],
      [["verify", "--file", "away.sqlite"], "away.sqlite cannot be read: it does not exist"],
      [["verify", "--roots-file", "away.log"], "away.log cannot be read: it does not exist"],
    ] as const)
      expect(ledgerServer(args)).toMatchObject({ code: 2, err: expect.stringContaining(err) });
  });
});
