import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyDatabase } from "../postgres/databases.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "operators-guide-"));
const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  rmSync(folder, { recursive: true });
});

/** A reader's shell with the command on its path; it ends at the first failure. */
const prelude = `set -eu
ledger-server() { "${process.execPath}" "${root}/ledger/cli/main.ts" "$@"; }
`;

/** Changes of an account until `events tail` shows one, at most. */
const changesMax = 40;

/** What this test answers, or waits for, in place of the reader. A delivery that is never tried ends the script. */
const confirmed = /^(?=.*(?:keys revoke|credentials revoke|set-status ACH))(.*)$/gm;
const untilFailed = `polls=0
until ledger-server deliveries why "$(ledger-server deliveries list --account-number $account \\
  --print deliveries.0.deliveryId)" 2>&1 | grep -q 'failed:'; do polls=$((polls + 1)); test $polls -lt 100; done
`;

const otherShells = /^.*complete (?:zsh|fish).*\n/gm;
/** What the page says of the commands before it. */
const audited = `ledger-server audit list --subject credential --subject-id $apiKeyId | grep -q RevokeCredential
ledger-server audit list --subject key --subject-id $keyId | grep -q RevokeKey
test $(grep -c '"entries": ' audit.json) -gt 1
grep -q NOT_FOUND error.txt
complete -p ledger-server
`;

interface Block {
  readonly language: string;
  readonly text: string;
}

/** The blocks of a page, in their order. */
function blocksOf(page: string): readonly Block[] {
  const guide = readFileSync(join(root, page), "utf8");
  return [...guide.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}

/** Runs a script to its end. The failure shows all that it printed. */
async function run(script: string): Promise<string> {
  const child = spawn("bash", ["-c", prelude + script], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = await once(child, "close");
  expect(code, `${script}\n${printed}`).toBe(0);
  return printed;
}

/** The first line of a command that goes on until Ctrl-C. Meanwhile the account changes, so that there is something to follow. */
async function tailed(settings: string, command: string): Promise<string> {
  const program = `"${process.execPath}" "${root}/ledger/cli/main.ts"`;
  const child = spawn("bash", ["-c", `${settings}${command.replace("ledger-server", `exec ${program}`)}`], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const found: unknown[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => found.push(line));
  for (let change = 0; change < changesMax && found.length === 0 && child.exitCode === null; change += 1) {
    const status = change % 2 === 0 ? "BLOCKED" : "ACTIVE";
    await run(`${settings}ledger-server accounts set-status $account --status ${status}`);
  }
  child.kill("SIGINT");
  expect(await ended, command).toEqual([0, null]);
  return String(found[0]);
}

/** Starts `serve` with the settings of the guide, on ports that are free. Gives its addresses. */
async function serve(): Promise<{ readonly ledgerUrl: string; readonly operatorUrl: string }> {
  const script = `. ./service.env; exec "${process.execPath}" "${root}/ledger/cli/main.ts" serve`;
  const child = spawn("bash", ["-c", script], {
    cwd: folder,
    env: { ...process.env, PORT: "0", OPERATOR_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  stops.push(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const said: unknown = JSON.parse(line);
    if (typeof said !== "object" || said === null || !("ledgerUrl" in said) || !("operatorUrl" in said))
      continue;
    child.stdout.resume();
    return { ledgerUrl: String(said.ledgerUrl), operatorUrl: String(said.operatorUrl) };
  }
  throw new Error("serve ended");
}

/** The commands of the guide that end by themselves, before and after those that tail events. */
let before = "";
let after = "";
let tails: readonly string[] = [];
let printed = "";
const variables = "declare -p customer user keyId account subscription > variables.sh";
const settingsOf = ". ./service.env; export OPERATOR_ACCESS_FILE=$PWD/operator.yaml; . ./variables.sh\n";

/** Two processes over one PostgreSQL database, with the settings of the guide. */
beforeAll(async () => {
  const { url } = await emptyDatabase();
  const blocks = blocksOf("docs/operators.md");
  for (const { language, text } of blocks) {
    const [, name] = /^# (\w+\.yaml)\n/.exec(text) ?? [];
    if (language === "yaml" && name !== undefined) writeFileSync(join(folder, name), text);
  }
  const commands = blocks.flatMap(({ language, text }) => (language === "sh" ? [text] : []));
  const [settings = "", starts = "", ...rest] = commands.slice(
    commands.findIndex((text) => text.includes("service.env")),
  );
  expect(starts.match(/ledger-server serve/g)).toHaveLength(2);
  await run(
    settings
      .replace("postgres://ledger@127.0.0.1:5432/ledger", url)
      .replace("LEDGER_PROFILE=production", "LEDGER_PROFILE=production LEDGER_CALLBACK_NETWORKS=127.0.0.0/8"),
  );
  const [first, second] = [await serve(), await serve()];
  const text = rest
    .join("")
    .replaceAll("http://127.0.0.1:8080", first.ledgerUrl)
    .replaceAll("http://127.0.0.1:8081", first.operatorUrl)
    .replaceAll("http://127.0.0.1:8091", second.operatorUrl)
    .replaceAll(confirmed, "$1 --yes")
    .replace(/^(?=ledger-server deliveries list)/m, untilFailed)
    .replaceAll(otherShells, "");
  tails = text.match(/^ledger-server events tail .*$/gm) ?? [];
  expect(tails).toHaveLength(2);
  [before = "", after = ""] = text.split(`${tails.join("\n")}\n`);
});

// Each needs what the one before did.
test("every command of the operator's guide does what it says, in its order", async () => {
  printed = await run(`. ./service.env\n${before}\n${variables}\n`);
});

test("the guide's commands that follow events show them", async () => {
  const lines: string[] = [];
  for (const tail of tails) lines.push(await tailed(settingsOf, tail));
  expect(lines[0]).toMatch(/ FAILED +Account\.UPDATE .* connect: /);
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ eventName: "Account.UPDATE" });
});

test("the guide's last commands find what those before did", async () => {
  printed += await run(`${settingsOf}${after}\n${audited}`);
  expect(printed).toContain("No customers.");
  expect(printed).toMatch(/holdBalance +120\n/);
  expect(printed).toContain("nothing accepted the connection");
  expect(printed).toMatch(
    /\nSound: 2 accounts, 2 transactions, 4 postings, \d+ audit entries, \d+ sealed texts\./,
  );
});
