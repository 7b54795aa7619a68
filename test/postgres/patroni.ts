import { spawn, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { randomPort } from "./postgres-server.ts";

/** Servers of which another one takes writes when the first is gone. */
export interface Cluster {
  /** Names every server; the database `ledger` is there. */
  readonly url: string;
  /** Ends the machine of the primary, as it were. */
  fail(): Promise<void>;
  /** Resolves when another server takes writes. */
  promoted(): Promise<void>;
  close(): Promise<void>;
}

const nodeCount = 3;
const startMsMax = 300_000;
const promotionMsMax = 90_000;

const neededText =
  "The test with Patroni needs PostgreSQL (`apt-get install postgresql-15`, or PG_BIN=<folder of its programs>) and Patroni with " +
  "Raft (`apt-get install patroni python3-pysyncobj`). Nothing has to be installed as root for Patroni: `apt-get download patroni " +
  "python3-pysyncobj python3-psycopg2 python3-cdiff python3-click python3-dateutil python3-pkg-resources python3-prettytable " +
  "python3-psutil python3-urllib3 python3-yaml python3-six python3-wcwidth python3-cryptography libpq5`, unpack each with " +
  "`dpkg-deb -x <file> <folder>`, and say PATRONI_ROOT=<folder>.";

interface Programs {
  readonly patroni: string;
  readonly binaries: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Throws, saying what to install, where something is missing. */
function programs(): Programs {
  const { PATRONI_ROOT: root = "", PG_BIN: binaries = "/usr/lib/postgresql/15/bin" } = process.env;
  const patroni = join(root, "/usr/bin/patroni");
  for (const needed of [patroni, join(binaries, "initdb"), "/usr/bin/python3"]) {
    if (!existsSync(needed)) throw new Error(`${needed} is missing. ${neededText}`);
  }
  const libraries = `${root}/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`;
  return {
    patroni,
    binaries,
    environment: {
      PATH: process.env.PATH,
      LC_ALL: "C.UTF-8",
      ...(root !== "" && { PYTHONPATH: `${root}/usr/lib/python3/dist-packages`, LD_LIBRARY_PATH: libraries }),
    },
  };
}

interface Node {
  readonly name: string;
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly child: ChildProcess;
}

/** Three servers that Patroni runs, which agree on their leader by Raft. A commit waits for a standby. */
export async function startPatroni(): Promise<Cluster> {
  const found = programs();
  const folder = mkdtempSync(join(tmpdir(), "patroni-"));
  // PostgreSQL refuses to run as root: then its processes are those of `nobody`.
  const owner = process.getuid?.() === 0 ? 65_534 : undefined;
  const identity = owner === undefined ? {} : { uid: owner, gid: owner };
  if (owner !== undefined) chownSync(folder, owner, owner);
  // Each server has to know the ports of the others before any has bound its own: nobody else has this address.
  const host = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const first = randomPort();
  const ports = Array.from({ length: nodeCount * 3 }, (_, at) => first + at);
  const nodes = Array.from({ length: nodeCount }, (_, index): Node => {
    const [port = 0, restPort = 0] = ports.slice(index * 3);
    const own = join(folder, `node-${index}`);
    mkdirSync(own, { mode: 0o700 });
    const rafts = Array.from({ length: nodeCount }, (_one, at) => `${host}:${ports[at * 3 + 2]}`);
    const config = configOf({ index, own, host, port, restPort, rafts, binaries: found.binaries });
    writeFileSync(join(own, "patroni.json"), JSON.stringify(config));
    if (owner !== undefined) chownSync(own, owner, owner);
    const child = spawn("/usr/bin/python3", [found.patroni, join(own, "patroni.json")], {
      ...identity,
      env: { ...found.environment, HOME: own },
      stdio: "ignore",
    });
    return { name: `node-${index}`, data: join(own, "data"), host, port, child };
  });
  const leader = (among: readonly Node[], msMax: number) => primaryOf(among, msMax);
  let failed: Node | undefined;
  const close = async (): Promise<void> => {
    for (const { data, child } of nodes) {
      kill(child.pid);
      kill(postmasterOf(data));
    }
    await sleep(500);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  try {
    const primary = await leader(nodes, startMsMax);
    await execute(primary, "CREATE DATABASE ledger");
    await untilSynchronous(primary);
    return {
      url: `postgres://ledger@${nodes.map(({ port }) => `${host}:${port}`).join(",")}/ledger?target_session_attrs=read-write`,
      fail: async () => {
        failed = await leader(nodes, startMsMax);
        kill(failed.child.pid);
        kill(postmasterOf(failed.data));
      },
      promoted: async () => {
        const after = await leader(
          nodes.filter((node) => node !== failed),
          promotionMsMax,
        );
        console.log(`Patroni promoted ${after.name} in place of ${failed?.name}`);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface NodePlan {
  readonly index: number;
  readonly own: string;
  readonly host: string;
  readonly port: number;
  readonly restPort: number;
  readonly rafts: readonly string[];
  readonly binaries: string;
}

/** JSON is YAML. The leader's lock is kept for 20 s, the shortest time that Patroni allows. */
function configOf({ index, own, host, port, restPort, rafts, binaries }: NodePlan): object {
  return {
    scope: "ledger",
    name: `node-${index}`,
    restapi: { listen: `${host}:${restPort}`, connect_address: `${host}:${restPort}` },
    raft: {
      data_dir: join(own, "raft"),
      self_addr: rafts[index],
      partner_addrs: rafts.filter((_, at) => at !== index),
    },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: {
          parameters: { max_connections: 200, shared_buffers: "32MB", synchronous_commit: "on" },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, { auth: "trust" }],
      pg_hba: ["host all all 127.0.0.0/8 trust", "host replication all 127.0.0.0/8 trust"],
    },
    postgresql: {
      listen: `${host}:${port}`,
      connect_address: `${host}:${port}`,
      data_dir: join(own, "data"),
      bin_dir: binaries,
      pgpass: join(own, "pgpass"),
      authentication: {
        superuser: { username: "ledger", password: "ledger" },
        replication: { username: "replicator", password: "replicator" },
      },
      parameters: { unix_socket_directories: own },
    },
  };
}

/** The node that takes writes, as soon as one does. */
async function primaryOf(nodes: readonly Node[], msMax: number): Promise<Node> {
  const endsAtMs = performance.now() + msMax;
  while (performance.now() < endsAtMs) {
    for (const node of nodes) {
      const [row] = await execute(node, "SELECT pg_is_in_recovery() AS standby").catch(() => []);
      if (row?.standby === false) return node;
    }
    await sleep(20);
  }
  throw new Error(`none of ${nodes.length} nodes took writes within ${msMax / 1_000} s`);
}

async function untilSynchronous(node: Node): Promise<void> {
  const endsAtMs = performance.now() + startMsMax;
  const sql = "SELECT 1 AS synchronous FROM pg_stat_replication WHERE sync_state = 'sync'";
  while ((await execute(node, sql)).length === 0) {
    if (performance.now() > endsAtMs) throw new Error("no standby became synchronous");
    await sleep(100);
  }
}

async function execute(
  { host, port }: Node,
  sql: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({
    connectionString: `postgres://ledger@${host}:${port}/postgres`,
    connectionTimeoutMillis: 2_000,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

function postmasterOf(data: string): number | undefined {
  try {
    return Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return undefined;
  }
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
