import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { createProject, linkRuntime } from "../e2e-generator/project.ts";
import { startReceiver } from "../e2e/receiver.ts";
import { until } from "../until.ts";
import { emptyDatabase } from "./databases.ts";

/** The service of a team: a project of `init --template service`, by two processes over one PostgreSQL. */
const folder = createProject();
const processes: ChildProcess[] = [];
afterAll(async () => {
  await Promise.all(processes.map((each) => ended(each, "SIGKILL")));
  folder.dispose();
});

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

/** Starts a process of the service. Gives it with its address. */
async function startProcess(command: string, databaseUrl: string) {
  const child = spawn(process.execPath, ["src/main.ts", command], {
    cwd: join(folder.root, "pay"),
    env: { ...process.env, NODE_OPTIONS: "", PORT: "0", PAY_DATABASE_URL: databaseUrl },
    stdio: ["ignore", "pipe", "inherit"],
  });
  processes.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const { payUrl }: { payUrl?: string } = line.startsWith("{") ? JSON.parse(line) : {};
    if (payUrl !== undefined) return { child, url: payUrl };
  }
  throw new Error(`${command} ended before it listened`);
}

async function call(url: string, method: string, payload: object): Promise<Record<string, string>> {
  const words = [
    "call",
    method,
    JSON.stringify(payload),
    "--access",
    ".data/access.json",
    "--url",
    `${url}/rpc`,
  ];
  const { exitCode, stdout, stderr } = await folder.run(words, {}, "pay");
  if (exitCode !== 0) throw new Error(`${method}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

test("webhooks of a team's service arrive although the process that recorded their events is killed", async () => {
  await folder.run(["init", "pay", "--template", "service"]);
  linkRuntime(folder, ["pay"]);
  const { url } = await emptyDatabase();
  const first = await startProcess("start", url);
  const second = await startProcess("serve", url);
  const heard = new Set<string>();
  const killed = Promise.withResolvers<void>();
  // Nothing is answered before the kill: what was sent until then has not arrived.
  const receiver = await startReceiver(async (_request, response, { json }) => {
    await killed.promise;
    response.writeHead(204).end(() => heard.add(json.payload.title));
  });
  await call(first.url, "Subscribe", { callbackUrl: receiver.url });
  const titles = ["one", "two", "three", "four"];
  const tasks = await Promise.all(titles.map((title) => call(second.url, "AddTask", { title })));
  await Promise.all(tasks.map(({ id }) => call(first.url, "FinishTask", { id })));
  await receiver.until(1);
  await ended(first.child, "SIGKILL");
  killed.resolve();
  await until(() => heard.size === titles.length);
  expect([...heard].toSorted()).toEqual(titles.toSorted());
  await receiver.close();
});
