import { expect, onTestFinished, test } from "vitest";
import { UnavailableError } from "../../runtime/store/ports/index.ts";
import { openStore } from "../bank-stores.ts";
import { serversOf } from "../../runtime/store/postgres/connections.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { insertParties, user } from "../store-contract/samples.ts";
import { testDatabase } from "./databases.ts";
import { userByName } from "../../runtime/store/tables/index.ts";

test("a URL of several servers is one URL for each, and its other parameters are those of all", () => {
  expect(
    serversOf("postgres://u:p@one:1,two/bank?target_session_attrs=read-write&sslmode=verify-full"),
  ).toEqual(["postgres://u:p@one:1/bank?sslmode=verify-full", "postgres://u:p@two/bank?sslmode=verify-full"]);
  expect(serversOf("postgres://one,[::1]:2/bank")).toEqual([
    "postgres://one/bank",
    "postgres://[::1]:2/bank",
  ]);
  expect(serversOf("postgres:///bank?host=/run")).toEqual(["postgres:///bank?host=/run"]);
  const standby = "postgres://one,two/bank?target_session_attrs=prefer-standby";
  expect(() => serversOf(standby)).toThrow("target_session_attrs is prefer-standby");
});

test("a server that does not answer is passed over", async () => {
  const { url, dispose } = await testDatabase();
  const store = await openStore(url.replace("@", "@127.0.0.1:1,"), optionsUnderTest);
  onTestFinished(async () => {
    await store.close();
    await dispose();
  });
  await store.write(insertParties);
  expect(await store.read((view) => view.one(userByName, user.userName))).toEqual(user);
});

test("servers that take no writes are refused until one of them does", async () => {
  const { url, execute, dispose } = await testDatabase();
  const database = new URL(url).pathname.slice(1);
  const { host } = new URL(url);
  const readOnly = (state: string) =>
    execute(`ALTER DATABASE ${database} SET default_transaction_read_only = ${state}`);
  const store = await openStore(url.replace(host, `${host},${host}`), optionsUnderTest);
  onTestFinished(async () => {
    await store.close();
    await dispose();
  });
  await readOnly("on");
  await execute(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND application_name LIKE 'ledger-rpc%'`,
  );
  const refused = store.write(insertParties);
  await expect(refused).rejects.toBeInstanceOf(UnavailableError);
  const reason = () =>
    store.write(insertParties).then(
      () => "written",
      (error: unknown) => (error instanceof UnavailableError ? error.reason : error),
    );
  await expect.poll(reason).toBe("read-only");
  // What a standby answers may be older than the last answered write.
  const read = store.read((view) => view.one(userByName, user.userName));
  await expect(read).rejects.toMatchObject({ reason: "read-only" });
  await readOnly("off");
  await expect.poll(reason).toBe("written");
});
