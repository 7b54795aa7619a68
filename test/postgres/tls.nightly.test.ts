import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore } from "../../runtime/storage/index.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { newFolder, startOver, type PostgresServer } from "./postgres-server.ts";

/** Authorities and a certificate for `localhost`, made by openssl. */
const folder = mkdtempSync(join(tmpdir(), "ledger-tls-"));
const openssl = (...args: readonly string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
let database: PostgresServer;
let port: string;

beforeAll(async () => {
  for (const name of ["authority", "other"]) {
    openssl("req", "-x509", ...ec, "-keyout", `${name}.key`, "-out", `${name}.pem`, "-subj", `/CN=${name}`);
  }
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  openssl("req", ...ec, "-keyout", "server.key", "-out", "server.csr", ...names);
  const signedBy = ["-CA", "authority.pem", "-CAkey", "authority.key", "-copy_extensions", "copy"];
  openssl("x509", "-req", "-in", "server.csr", ...signedBy, "-out", "server.pem");
  const place = await newFolder();
  const { uid, gid } = place.identity;
  const key = join(folder, "server.key");
  chmodSync(folder, 0o755);
  chmodSync(key, 0o600);
  if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
  database = await startOver(place, {
    fsync: "off",
    ssl: "on",
    ssl_cert_file: join(folder, "server.pem"),
    ssl_key_file: key,
  });
  ({ port } = new URL(database.url("")));
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const opened = (host: string, authority: string) =>
  openStore(
    `postgres://ledger@${host}:${port}/postgres?sslmode=verify-full&sslrootcert=${join(folder, authority)}`,
    optionsUnderTest,
  );

test("a server is talked to over TLS, and its name and authority are verified", async () => {
  const store = await opened("localhost", "authority.pem");
  await store.ping();
  // Fails unless every connection of a store is encrypted.
  await database.execute(
    "SELECT 1 / (count(*) FILTER (WHERE ssl))::int, 1 / (count(*) FILTER (WHERE NOT ssl) = 0)::int " +
      "FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'ledger-rpc%'",
  );
  await store.close();
  await expect(opened("localhost", "other.pem")).rejects.toThrow("TLS to the database server fails");
  await expect(opened("127.0.0.1", "authority.pem")).rejects.toThrow(
    /TLS .*IP: 127\.0\.0\.1 is not in the cert/,
  );
});
