import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { snippetsOf } from "../../generator/emit/reference/snippets.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { modelOf } from "../vectors/models.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "snippets-"));
const snippets = snippetsOf(modelOf("spec/ledger"));
/** What shows whether this machine has what a program needs. */
const probes: Readonly<Record<string, readonly string[]>> = {
  curl: ["sh", "-c", "command -v curl openssl base64"],
  typescript: [process.execPath, "--version"],
  python: ["python3", "-c", "import cryptography"],
  java: ["java", "--version"],
  go: ["go", "version"],
};
let server: RunningServer;

beforeAll(async () => {
  server = await startServer(join(folder, "data"));
  writeFileSync(join(folder, "key.pem"), server.access.privateKeyPem, { mode: 0o600 });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

describe("the programs of the reference, against the real service", () => {
  test.for(snippets)("$language makes a signed call", async ({ id, command, text }, { skip }) => {
    const [probe = "", ...options] = probes[id] ?? [];
    const isThere = await run(probe, options).then(
      () => true,
      () => false,
    );
    if (!isThere) skip(`this machine cannot run ${command}`);
    const [program = "", ...words] = command.split(" ");
    const file = words.at(-1) ?? "";
    writeFileSync(join(folder, file), text);
    const { access } = server;
    const env = {
      PATH: process.env["PATH"],
      HOME: folder,
      BASE_URL: access.baseUrl,
      USER_NAME: access.userName,
      API_KEY: access.apiKey,
      KEY_ID: access.keyId,
      KEY_FILE: join(folder, "key.pem"),
    };
    const { stdout } = await run(program === "node" ? process.execPath : program, words, {
      cwd: folder,
      env,
    });
    // The example's object is none of this service: whoever signs wrong never learns that.
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: expect.stringMatching(/^NOT_FOUND_/) } });
    expect(JSON.parse(stdout).error.code).not.toBe("NOT_FOUND_USER_DEVICE");
  });
});
