import { mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { startServer } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "ledger-drain-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** So few on each that the operating system takes them all, though the service reads none of them. */
const connections = 64;
const callsEach = 100;

/** A call that is refused for its credential: cheap for both sides, and in order as far as HTTP is concerned. */
function call(id: number): string {
  const body = JSON.stringify({
    method: "AccountService.GetAccount",
    id: String(id),
    params: {
      api: { credential: "Basic bm9ib2R5Om5vdGhpbmc=", keyId: "none", signature: "none" },
      payload: { ID: "1" },
    },
  });
  return `POST /jsonrpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

test("SIGTERM answers everything that was sent before, parsed or not, and says so", async () => {
  // However busy the machine is: what is cut off here was not waited for.
  const server = await startServer(folder, { LEDGER_SHUTDOWN_GRACE_MS: "100000" });
  const { hostname, port } = new URL(server.access.baseUrl);
  const callers = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(Number(port), hostname);
      let text = "";
      socket.on("data", (chunk) => (text += chunk.toString()));
      // A connection that answers has been accepted.
      socket.write(call(0));
      await once(socket, "data");
      return { socket, answers: () => text.split('"BAD_CREDENTIAL"').length - 1 };
    }),
  );
  // The service reads nothing of them before the signal, and all of them have left this process by then.
  server.child.kill("SIGSTOP");
  const calls = Array.from({ length: callsEach }, (_, n) => call(n)).join("");
  await Promise.all(callers.map(({ socket }) => new Promise((resolve) => socket.write(calls, resolve))));
  const closed = callers.map(({ socket }) => once(socket, "close"));
  const stopped = server.stop();
  server.child.kill("SIGCONT");
  expect(await stopped).toBe(0);
  await Promise.all(closed);
  expect(callers.map(({ answers }) => answers())).toEqual(callers.map(() => 1 + callsEach));

  const lines = server
    .printed()
    .split("\n")
    .filter((line) => line.startsWith('{"level"') && !line.includes('"answered"}'))
    .map((line): unknown => JSON.parse(line));
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: "started",
      ledgerUrl: server.access.baseUrl,
      operatorUrl: server.access.operatorUrl,
      revision: ledgerInterface.revision,
      profile: "sandbox",
      dataDir: folder,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: "stopped", reason: "SIGTERM", cut: 0, answered: expect.any(Number) }),
  );
});
