import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { until } from "../until.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "ledger-stop-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts the service by a command in a process group of its own, and waits until it answers. */
async function startedBy(
  command: readonly [string, ...string[]],
  more: Readonly<Record<string, string>> = {},
): Promise<{ child: ChildProcess; url: string }> {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, PORT: "0", OPERATOR_PORT: "0", LEDGER_DATA_DIR: folder, ...more },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let printed = "";
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const found = /answers on (http:\/\/[0-9.:]+)\/jsonrpc/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", () => reject(new Error(`it ended at once:\n${printed}`)));
  });
  return { child, url };
}

async function untilRefused(url: string): Promise<void> {
  await until(() =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
}

const npmStart = ["npm", "start", "--ignore-scripts"] as const;

describe("whoever started the service can end it", () => {
  test.each([
    ["npm start, ended by SIGTERM", npmStart, "SIGTERM"],
    ["npm start, ended by SIGINT", npmStart, "SIGINT"],
    ["npm start, killed", npmStart, "SIGKILL"],
    ["the program of the package, ended by SIGTERM", ["node", "bin/ledger-server.mjs", "start"], "SIGTERM"],
    ["the program of the package, killed", [process.execPath, "bin/ledger-server.mjs", "start"], "SIGKILL"],
  ] as const)("%s", async (_name, command, signal) => {
    const { child, url } = await startedBy(command);
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    await untilRefused(url);
  });

  test("Ctrl-C, which npm passes on a second time, lets a request in flight finish", async () => {
    // However busy the machine is: the rest of the request comes once the port takes no connection any more.
    const { child, url } = await startedBy(npmStart, { LEDGER_SHUTDOWN_GRACE_MS: "100000" });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.write(
      "POST /jsonrpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{",
    );
    // The service has read the head: the request is in flight.
    const [going] = await once(socket, "data");
    expect(String(going)).toMatch(/^HTTP\/1\.1 100 /);
    const exited = once(child, "exit");
    process.kill(-(child.pid ?? 0), "SIGINT");
    await untilRefused(url);
    socket.write("}");
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    await exited;
  });
});
