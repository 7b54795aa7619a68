import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { PartnerClient } from "../../generated/partner/client/index.ts";
import { startServer } from "./server.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "partners-guide-"));
const guide = readFileSync(join(root, "docs/partners.md"), "utf8");
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
  rmSync(folder, { recursive: true });
});

/** A block of the guide, without its indentation. */
function blockWith(text: string): string {
  const blocks = [...guide.matchAll(/^( *)```\w+\n(.*?)^ *```/gms)].map(([, indent = "", block = ""]) =>
    block.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
  const [block = "", ...others] = blocks.filter((each) => each.includes(text));
  expect(others).toEqual([]);
  return block;
}

/** A program that runs until the test ends, and the first line that it prints which has this beginning. */
function started(command: string, env: Record<string, string>): (beginning: string) => Promise<string> {
  const child: ChildProcess = spawn("bash", ["-c", `exec ${command}`], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  stops.push(() => (child.kill("SIGTERM"), ended));
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  if (child.stdout === null) throw new Error("no output");
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  return (beginning) =>
    new Promise((resolve) => {
      const look = (): void => {
        const line = lines.find((each) => each.startsWith(beginning));
        if (line !== undefined) resolve(line);
      };
      waiting.add(look);
      look();
    });
}

test("the partners' tutorial leads to a verified webhook", async () => {
  const server = await startServer(folder, { LEDGER_PARTNER_INTERFACE: "on" });
  stops.push(server.stop);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const shown = execFileSync("bash", ["-euc", `${blockWith("get() {")}\necho "$KEY_ID $KEY_FILE"`], {
    cwd: folder,
    encoding: "utf8",
  });
  const { baseUrl, userName, apiKey, keyId, samples } = server.access;
  expect(shown).toBe(`${keyId} key.pem\n`);

  // What the partner's page does.
  const signer = { keyId, privateKey: readFileSync(join(folder, "key.pem"), "utf8") };
  const partner = new PartnerClient({ baseUrl, credential: { userName, apiKey }, signer });
  const { subscriptionId } = await partner.createSubscription({
    name: "Try",
    callbackUrl: "https://hooks.northwind.example/ledger",
    events: ["Account.UPDATE"],
    groupId: [samples.accountNumber],
  });
  const { secret } = await partner.revealSubscriptionSecret({ subscriptionId });

  const program = blockWith("receiver.mjs\nimport");
  const open = ".listen(0, function () { console.log(`port ${this.address().port}`); });";
  writeFileSync(join(folder, "receiver.mjs"), program.replace(".listen(3000);", open));
  const receiver = started("node receiver.mjs", { WEBHOOK_SECRET: secret });
  const [, port = ""] = (await receiver("port ")).split(" ");

  const [listen = "", trigger = ""] = blockWith("ledger-rpc listen")
    .replace("localhost:3000", `localhost:${port}`)
    .replaceAll(/^ledger-rpc/gm, `node ${join(root, "bin/ledger-rpc.mjs")}`)
    .split("\n");
  const env = { SUBSCRIPTION: subscriptionId };
  const listener = started(listen, env);
  await listener("Posting Account.UPDATE");
  started(trigger, env);
  expect(await listener("Test ")).toContain(": 204 in ");
  expect(await receiver("Test ")).toMatch(/^Test \w{26} \{ message: /);
});
