/**
 * `npm run house`: measures how the code is cut, each measure beside its target; `-- --files` lists what is counted.
 * A call enters a file of ours if V8 saw a function of it run in the main thread, in each of several warm calls.
 */
import { execFileSync } from "node:child_process";
import { sign } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { Session, type Profiler } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { compose } from "../runtime/server/index.ts";
import { loadConfig } from "../runtime/operations/config/index.ts";
import { seedDemo, type Access } from "../ledger/seed/index.ts";
import { importGraph, root, textOf } from "./import-graph.ts";
import { application } from "../ledger/application.ts";

const { values } = parseArgs({ options: { files: { type: "boolean", default: false } } });

const productFolders = ["runtime", "ledger", "generator", "tools", "conformance", "templates", "web"];
/** What a service over HTTP without the engine's store and events needs. */
const smallRuntime = ["auth", "contract", "json", "protocol", "service", "transport/http"].map(
  (name) => `runtime/${name}`,
);
/** The entry of a service over HTTP. */
const smallService = "runtime/transport/http/endpoint.ts";
/** What the command `ledger-rpc` loads before it knows what to do. */
const commands = "generator/cli/program.ts";
const scheme = "client-cert";
/** A small table of the bank. Handlers and commands that use it are no part of adding it. */
const smallTable = { name: "categories", users: /^ledger\/(?:cli|handlers|seed)\// };

/** Committed, or about to be. */
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => existsSync(join(root, file)));
const product = files.filter((file) => isIn(file, productFolders));
const generated = files.filter((file) => isIn(file, ["generated"]));
const sources = product.filter((file) => file.endsWith(".ts"));

const shareHolder = {
  identification: { type: "SSN", value: "123456789" },
  contact: { email: "holder@example.com", phoneNumber: "+14155550100" },
  address: { country: "US", addressLine1: "1 Main Street", city: "Springfield", state: "IL", zip: "62701" },
};

type Row = readonly [measure: string, now: string, target: string];

const rows: readonly Row[] = [
  ["imports from engine to bank", thousands(importsIntoBank().length), "0"],
  ...(await filesOfCalls()),
  ["lines of the runtime with a word of banking", thousands(bankingLines()), "0"],
  ["files that a new table touches, beside what uses it", thousands(tableFiles().length), "≤ 3"],
  ["files that a new authentication scheme touches", thousands(schemeFiles().length), "1"],
  ["files that branch on the protocol's name elsewhere", thousands(branches("files").length), "0"],
  ["branches on the protocol's name elsewhere", thousands(branches("lines").length), "0"],
  ["lines of the small runtime", thousands(linesIn(product.filter(isSmall))), "≤ 6,500"],
  ["lines of it that a standard service loads", thousands(linesIn(loadedFiles(smallService))), "≤ 6,500"],
  ["modules of ours that `ledger-rpc --help` loads", thousands(loadedFiles(commands).length), "≤ 40"],
  ["files with a memo among targets and protocols", thousands(memos().length), "0"],
  ["product lines", thousands(linesIn(product)), "≤ 108,000"],
  ["median file of runtime and ledger", thousands(medianOf(["runtime", "ledger"])), "≥ 90"],
  ["median file of the product", thousands(medianOf(productFolders)), "≥ 90"],
  ["committed generated lines", thousands(linesIn(generated)), "≤ 65,000"],
];
const [first, second] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
for (const [measure, now, target] of rows)
  console.log(`${measure.padEnd(first ?? 0)}  ${now.padStart(second ?? 0)}  target ${target}`);

function isIn(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => file.startsWith(`${folder}/`));
}

function linesIn(some: readonly string[]): number {
  return some.reduce((sum, file) => sum + linesOf(file), 0);
}

function linesOf(file: string): number {
  return textOf(file).split("\n").length - 1;
}

function thousands(count: number): string {
  return count.toLocaleString("en");
}

function isSmall(file: string): boolean {
  return isIn(file, smallRuntime);
}

function medianOf(folders: readonly string[]): number {
  const lengths = sources.filter((file) => isIn(file, folders)).map(linesOf);
  return lengths.toSorted((one, other) => one - other)[Math.floor(lengths.length / 2)] ?? 0;
}

function importsIntoBank(): readonly string[] {
  return [...importGraph(["runtime"]).values()].flatMap((imports) =>
    [...new Set(imports)].filter((imported) => imported.startsWith("ledger/")),
  );
}

/** The lines of the runtime that speak of accounts, customers and other things of a bank. */
function bankingLines(): number {
  const word = /account|customer|beneficiar|shareholder|legalrep|business|balance|posting|money/i;
  const lines = sources.filter((file) => isIn(file, ["runtime"])).flatMap((file) => textOf(file).split("\n"));
  return lines.filter((line) => word.test(line)).length;
}

/** The files of runtime and bank whose code names the small table. */
function tableFiles(): readonly string[] {
  const { name, users } = smallTable;
  const named = new RegExp(String.raw`^(?!\s*(?:/?\*|//)).*\b${name}\b`, "m");
  const inBoth = sources.filter((file) => isIn(file, ["runtime", "ledger"]) && !users.test(file));
  return inBoth.filter((file) => named.test(textOf(file)));
}

/** The files that know a scheme by its name. */
function schemeFiles(): readonly string[] {
  return sources.filter((file) => textOf(file).includes(`"${scheme}"`));
}

/** The files of ours that Node loads with a module. */
function loadedFiles(entry: string): readonly string[] {
  const program = `
    import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
    await import(${JSON.stringify(pathToFileURL(join(root, entry)))});`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" })
    .split("\n")
    .filter((url) => url.startsWith("file:") && !url.includes("/node_modules/"))
    .map((url) => relative(root, fileURLToPath(url)));
}

/** Targets keep nothing that is made of a model: each run makes it anew. */
function memos(): readonly string[] {
  const emitting = sources.filter((file) => isIn(file, ["generator/targets", "generator/protocols"]));
  return emitting.filter((file) => /\bWeakMap\(|\/once-per\.ts"/.test(textOf(file)));
}

/** Code that compares with a protocol's name, or holds something for one of them, outside the folders of protocols. */
function branches(of: "files" | "lines"): readonly string[] {
  const branch =
    /(?:[!=]== |case )"(?:json-rpc(?:-2\.0)?|signed-envelope)"|"(?:json-rpc-2\.0|signed-envelope)":|\bisStandard\b(?! =)/;
  const found = sources
    .filter((file) => !/\/protocols?\//.test(file))
    .map((file) => [
      file,
      ...textOf(file)
        .split("\n")
        .filter((line) => branch.test(line)),
    ]);
  return found.flatMap(([file = "", ...lines]) => (of === "lines" ? lines : lines.length > 0 ? [file] : []));
}

/** Serves the demo bank from this process and calls it over a socket. */
async function filesOfCalls(): Promise<readonly Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "ledger-house-"));
  const env = { LEDGER_DATA_DIR: dataDir, PORT: "0", OPERATOR_PORT: "0", LEDGER_PARTNER_INTERFACE: "on" };
  const logger = pino({ enabled: false });
  const service = await compose(application, { config: loadConfig(application, env), logger, migrate: true });
  const access = await seedDemo(service);
  const listening = await service.listen();
  const coverage = await startCoverage();
  try {
    const call = caller(`${listening.urls.get("ledger")}/jsonrpc`, access);
    const { accountId, shareHolderId, businessCustomerId } = access.samples;
    const getAccount = () => call("AccountService.GetAccount", { Id: accountId });
    let holders = 0;
    const updateShareHolder = () => {
      holders += 1;
      const changed = { ...shareHolder, name: `Holder ${holders}` };
      return call("CustomerService.UpdateShareHolder", {
        Id: shareHolderId,
        customerId: businessCustomerId,
        ...changed,
      });
    };
    const counted = [await coverage.filesOf(getAccount), await coverage.filesOf(updateShareHolder)];
    const listed = [...counted, tableFiles(), schemeFiles(), branches("files")];
    if (values.files) for (const each of listed) console.log(`${each.join("\n")}\n`);
    const [read, written] = counted.map((each) => String(each.length));
    return [
      ["own files that a signed GetAccount enters", read ?? "", "≤ 45"],
      ["own files that a signed UpdateShareHolder enters", written ?? "", "≤ 60"],
    ];
  } finally {
    coverage.end();
    await listening.close();
    rmSync(dataDir, { recursive: true });
  }
}

function caller(url: string, { userName, apiKey, keyId, privateKeyPem }: Access) {
  const credential = `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
  let calls = 0;
  return async (method: string, payload: object): Promise<void> => {
    calls += 1;
    const text = JSON.stringify(payload);
    const signature = sign("sha256", Buffer.from(text), privateKeyPem).toString("base64");
    const api = JSON.stringify({ credential, apiKey, keyId, signature });
    const body = `{"method":"${method}","id":"house-${calls}","params":{"api":${api},"payload":${text}}}`;
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body });
    const answered = await answer.text();
    if (!answered.includes('"result"')) throw new Error(`${method}: ${answered}`);
  };
}

/** The inspector's counts of calls of every function, set back by each look. */
async function startCoverage() {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const entered = async (): Promise<readonly string[]> => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result.filter(isEntered).map(({ url }) => relative(root, fileURLToPath(url)));
  };
  return {
    /** The files that each of several warm calls entered: what runs by its own clock is in some alone. */
    async filesOf(call: () => Promise<void>): Promise<readonly string[]> {
      for (let warm = 0; warm < 20; warm += 1) await call();
      let common: readonly string[] | undefined;
      for (let round = 0; round < 5; round += 1) {
        await entered();
        await call();
        const now = new Set(await entered());
        common = (common ?? [...now]).filter((file) => now.has(file));
      }
      return (common ?? []).toSorted();
    },
    end: () => session.disconnect(),
  };
}

function isEntered({ url, functions }: Profiler.ScriptCoverage): boolean {
  return (
    url.startsWith(String(pathToFileURL(`${root}/`))) &&
    !/\/(?:node_modules|test)\//.test(url.slice(root.length)) &&
    functions.some(({ ranges }) => ranges.some(({ count }) => count > 0))
  );
}
