/**
 * `npm run soak:client [calls]` makes that many calls (100,000 by default) over real sockets on Node 20, 22 and 24,
 * Bun and Chromium. Each call has a signal that outlives it. Prints the heap before and after. Installs engines that
 * are missing. Ends with 1 where a heap is above 15 MB.
 */
import { once } from "node:events";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";
import { enginePath } from "./engines.ts";
import { launchBrowser } from "../web/browser.ts";

const repository = join(import.meta.dirname, "../..");

interface Heaps {
  /** Bytes of the heap after a warm-up of a tenth of the calls, collected. */
  readonly before: number;
  readonly after: number;
}

type Command = readonly [string, ...string[]];

const engines: Readonly<Record<string, () => Command | undefined>> = {
  node20: () => [enginePath("node20", "node"), "--expose-gc"],
  node22: () => [enginePath("node22", "node"), "--expose-gc"],
  node24: () => [process.execPath, "--expose-gc"],
  bun: () => [enginePath("bun")],
  chromium: () => undefined,
};

/** What runs in each engine: `calls` calls, sixteen at a time, by one client and under one signal. */
const program = `
  import { LedgerClient } from ${JSON.stringify(join(repository, "generated/ledger/client/index.ts"))};
  export async function soak(baseUrl, calls, heap) {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    // No limits: a machine that sleeps, or is busy, leaks nothing.
    const limits = { attemptTimeoutMs: Infinity, totalTimeoutMs: Infinity };
    const clientOf = async (isExtractable) => {
      const { privateKey } = await crypto.subtle.generateKey(algorithm, isExtractable, ["sign", "verify"]);
      const signer = { keyId: "k", privateKey };
      return new LedgerClient({ baseUrl, credential: { userName: "u", apiKey: "k" }, signer, ...limits });
    };
    // One signs by WebCrypto, one by node:crypto where there is one.
    const clients = [await clientOf(false), await clientOf(true)];
    const { signal } = new AbortController();
    const make = async (count) => {
      let left = count;
      const lane = async (_, at) => {
        while (left-- > 0) await clients[at % 2].account.get({ ID: "1" }, left % 2 ? { signal } : {});
      };
      await Promise.all(Array.from({ length: 16 }, lane));
    };
    await make(Math.ceil(calls / 10));
    const before = await heap();
    await make(calls);
    return { before, after: await heap() };
  }
`;

async function soakEngine(command: Command | undefined, calls: number): Promise<Heaps> {
  const folder = mkdtempSync(join(tmpdir(), "client-soak-"));
  const input = join(folder, "soak.ts");
  writeFileSync(input, program);
  const bundle = await rolldown({ input, platform: command === undefined ? "browser" : "node" });
  await bundle.write({ file: join(folder, "soak.mjs"), format: "es" });
  const service = await startService(join(folder, "soak.mjs"));
  try {
    return command === undefined
      ? await inChromium(service.baseUrl, calls)
      : await inProcess(command, folder, service.baseUrl, calls);
  } finally {
    service.stop();
    rmSync(folder, { recursive: true });
  }
}

async function inProcess(
  [command, ...args]: Command,
  folder: string,
  baseUrl: string,
  calls: number,
): Promise<Heaps> {
  const main = join(folder, "main.mjs");
  writeFileSync(
    main,
    `import { soak } from "./soak.mjs";
    const heap = async () => {
      for (let at = 0; at < 5; at += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        globalThis.Bun ? Bun.gc(true) : gc();
      }
      return globalThis.Bun ? (await import("bun:jsc")).heapStats().heapSize : process.memoryUsage().heapUsed;
    };
    console.log(JSON.stringify(await soak(${JSON.stringify(baseUrl)}, ${calls}, heap)));
    process.exit(0);`,
  );
  const { stdout } = await promisify(execFile)(command, [...args, main]);
  return JSON.parse(stdout);
}

async function inChromium(baseUrl: string, calls: number): Promise<Heaps> {
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage();
    const session = await tab.context().newCDPSession(tab);
    await tab.exposeFunction("heap", async () => {
      for (let at = 0; at < 3; at += 1) await session.send("HeapProfiler.collectGarbage");
      return (await session.send("Runtime.getHeapUsage")).usedSize;
    });
    const local = baseUrl.replace("127.0.0.1", "localhost");
    await tab.goto(local);
    return await tab.evaluate(
      `import("/soak.mjs").then(({ soak }) => soak(${JSON.stringify(local)}, ${calls}, window.heap))`,
    );
  } finally {
    await browser.close();
  }
}

/** Answers every call at once, and gives the page its module. */
async function startService(module: string) {
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      const { id } = JSON.parse(await text(request));
      const account = { id: "1", number: "900000000000106", status: "ACTIVE" };
      response.setHeader("content-type", "application/json");
      response.end(
        `${JSON.stringify({ id, result: { account } }).slice(0, -3)},"balance":1250.00}},"jsonrpc":"2.0"}`,
      );
    } else if (request.url === "/soak.mjs") {
      response.setHeader("content-type", "text/javascript");
      response.end(readFileSync(module));
    } else response.setHeader("content-type", "text/html").end("<!doctype html><title>soak</title>");
  });
  server.listen(0);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { baseUrl: `http://127.0.0.1:${port}`, stop };
}

/** A leak of a kilobyte a call is 100 MB over 100,000 calls. */
const heapMax = 15e6;

const calls = Number(process.argv[2] ?? 100_000);
for (const [engine, commandOf] of Object.entries(engines)) {
  const { before, after } = await soakEngine(commandOf(), calls);
  const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
  console.log(`${engine.padEnd(9)} ${mb(before)} MB → ${mb(after)} MB after ${calls} calls`);
  if (after > heapMax) process.exitCode = 1;
}
