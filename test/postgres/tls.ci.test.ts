import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { openStore } from "../bank-stores.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { newFolder, startOver, type PostgresServer } from "./postgres-server.ts";

const docker = join(import.meta.dirname, "../../deploy/docker");
/** Certificates for `localhost` as deploy/docker makes those for `database`, and ones of another authority. */
const folder = mkdtempSync(join(tmpdir(), "ledger-tls-"));
const [certificates, others] = [join(folder, "certificates"), join(folder, "others")];
let database: PostgresServer;
let port: string;

const makeCertificates = (into: string) =>
  execFileSync("sh", [join(docker, "certificates.sh"), into, "localhost"], { stdio: "pipe" });

/** The settings with which compose.yaml starts the database, `/certificates` and `/run` being the folders given. */
function composeSettings(run: string): Readonly<Record<string, string>> {
  const { services } = parse(readFileSync(join(docker, "compose.yaml"), "utf8"), { merge: true });
  const flags: readonly string[] = services.database.command;
  const settings = flags
    .filter((flag) => flag.includes("="))
    .map((flag) => flag.replace("=/certificates/", `=${certificates}/`).replace("=/run/", `=${run}/`));
  return Object.fromEntries(settings.map((setting) => setting.split("=")));
}

beforeAll(async () => {
  chmodSync(folder, 0o755);
  for (const each of [certificates, others]) makeCertificates(each);
  // Again: the certificate is renewed, and the authority that the service knows stays.
  const authority = readFileSync(join(certificates, "ca.pem"));
  const former = readFileSync(join(certificates, "server.pem"));
  makeCertificates(certificates);
  expect(readFileSync(join(certificates, "ca.pem"))).toEqual(authority);
  expect(readFileSync(join(certificates, "server.pem"))).not.toEqual(former);
  const place = await newFolder();
  const access = join(place.data, "pg_hba.conf");
  writeFileSync(access, `host all clear all password\n${readFileSync(access, "utf8")}`);
  // As the entrypoint of compose.yaml does.
  const key = join(folder, "server.key");
  copyFileSync(join(certificates, "server.key"), key);
  chmodSync(key, 0o600);
  const { uid, gid } = place.identity;
  if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
  const settings = composeSettings(folder);
  expect(Object.keys(settings)).toEqual(["ssl", "ssl_cert_file", "ssl_key_file"]);
  database = await startOver(place, { fsync: "off", ...settings });
  ({ port } = new URL(database.url("")));
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const opened = (host: string, authority: string, user = "ledger", mode = "verify-full") =>
  openStore(
    `postgres://${user}@${host}:${port}/postgres?sslmode=${mode}&sslrootcert=${join(authority, "ca.pem")}`,
    optionsUnderTest,
  );

test("a server is talked to over TLS, and its name and authority are verified", async () => {
  const store = await opened("localhost", certificates);
  await store.ping();
  // Fails unless every connection of a store is encrypted.
  await database.execute(
    "SELECT 1 / (count(*) FILTER (WHERE ssl))::int, 1 / (count(*) FILTER (WHERE NOT ssl) = 0)::int " +
      "FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'ledger-rpc%'",
  );
  await store.close();
  await expect(opened("localhost", others)).rejects.toThrow("TLS to the database server fails");
  await expect(opened("127.0.0.1", certificates)).rejects.toThrow(
    "TLS to the database server fails: hostname-mismatch",
  );
});

test("a server that asks for the password in clear gets it where its certificate is verified", async () => {
  await database.execute("CREATE USER clear SUPERUSER PASSWORD 'hunter2'");
  await (await opened("localhost", certificates, "clear:hunter2")).close();
  await expect(opened("localhost", certificates, "clear:hunter3")).rejects.toThrow(
    "password authentication failed",
  );
  await expect(opened("localhost", others, "clear:hunter2", "no-verify")).rejects.toThrow("it was not sent");
});
