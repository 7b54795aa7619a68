/**
 * `npm run docs:try` does what docs/your-first-operation.md says in a copy of the repository. It writes its files,
 * runs its commands as printed, and compares their output with the page. Ends with 1 where something differs.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { copyRepository } from "../repository-copy.ts";

const repository = join(import.meta.dirname, "../..");
const page = readFileSync(join(repository, "docs/your-first-operation.md"), "utf8");
const folder = copyRepository("first-operation-");
const services: ChildProcess[] = [];
let lastOutput = "";

try {
  for (const block of blocksOf(page)) await follow(block);
  console.log("ok   docs/your-first-operation.md");
} finally {
  for (const service of services) {
    service.kill("SIGTERM");
    await once(service, "exit");
  }
  rmSync(folder, { recursive: true, force: true });
}

interface Block {
  readonly language: string;
  readonly text: string;
  /** The path that the line before the block ends with. */
  readonly path: string | undefined;
}

function blocksOf(markdown: string): readonly Block[] {
  const found = markdown.matchAll(/(?:`([\w./-]+)`)?\n\n```(\w+)\n(.*?)```/gs);
  return [...found].map(([, path, language = "", text = ""]) => ({ path, language, text }));
}

async function follow({ language, text, path }: Block): Promise<void> {
  if (language === "text") return compare(text);
  if (language === "sh") {
    for (const command of text.trim().split("\n")) await execute(command);
    return;
  }
  if (path === undefined) throw new Error(`a block of ${language} says no file:\n${text}`);
  const file = join(folder, path);
  if (language === "ts" && !existsSync(file)) throw new Error(`the generator wrote no ${path}`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Runs a command; a service goes on until the end. */
async function execute(command: string): Promise<void> {
  // The packages are the repository's own: npm must not install any, so it runs no script before a script.
  const env = {
    ...process.env,
    npm_config_ignore_scripts: "true",
    PORT: "0",
    OPERATOR_PORT: "0",
    NO_COLOR: "1",
  };
  if (command === "npm start") return await startService(env);
  lastOutput = execFileSync("bash", ["-c", command], {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function startService(env: NodeJS.ProcessEnv): Promise<void> {
  const service = spawn("npm", ["start"], { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
  services.push(service);
  for await (const line of createInterface({ input: service.stdout })) {
    if (!line.includes('"msg":"started"')) continue;
    service.stdout.resume();
    return;
  }
  throw new Error("npm start ended without a service");
}

/** Compares the lines of the page, in which … stands for anything, with the last command's output. */
function compare(text: string): void {
  const lines = text.trim().split("\n");
  const pattern = lines.map((line) => line.split("…").map(RegExp.escape).join(".*")).join("\n(?:.*\n)*?");
  if (!new RegExp(`^${pattern}`, "m").test(lastOutput))
    throw new Error(`the page says:\n${text}\nand the command said:\n${lastOutput}`);
}
