import { createRequire } from "node:module";
import type * as Undici from "undici";
import type { Clock } from "../../store/ports/index.ts";
import { guardedConnector, type GuardedConnectorOptions } from "./guarded-connector.ts";

/** Connections by origin, kept alive between deliveries. */
export interface ConnectionPools {
  /** `https://hooks.example:8443`. */
  of(origin: string): Undici.Dispatcher;
  /** Closes the pools of origins that were not used for 60 s. */
  sweep(): void;
  close(): Promise<void>;
}

const idleMs = 60_000;
/** Shorter than the servers' usual 5 s: a connection that they close at that moment would fail the attempt. */
const keepAliveMs = 4_000;

interface PooledOrigin {
  readonly pool: Undici.Pool;
  usedAtMs: number;
}

type PoolOpener = (origin: string) => Undici.Pool;

/** A hundred modules, loaded with the first delivery: many services have none when they start. */
function loadUndici(): typeof Undici {
  return createRequire(import.meta.url)("undici");
}

/** The guarded connector alone opens connections. The in-flight limiter bounds how many are open at once. */
export function createConnectionPools(clock: Clock, connector: GuardedConnectorOptions): ConnectionPools {
  const pools = new Map<string, PooledOrigin>();
  let open: PoolOpener | undefined;

  function poolOpener(): PoolOpener {
    const { Pool, buildConnector } = loadUndici();
    const connect = guardedConnector(connector, buildConnector);
    return (origin) =>
      new Pool(origin, {
        connect,
        connections: null,
        pipelining: 1,
        allowH2: false,
        keepAliveTimeout: keepAliveMs,
      });
  }

  return {
    of(origin) {
      const nowMs = clock.now();
      const known = pools.get(origin);
      if (known !== undefined) {
        known.usedAtMs = nowMs;
        return known.pool;
      }
      open ??= poolOpener();
      const pool = open(origin);
      pools.set(origin, { pool, usedAtMs: nowMs });
      return pool;
    },
    sweep() {
      const oldestMs = clock.now() - idleMs;
      for (const [origin, { pool, usedAtMs }] of pools) {
        if (usedAtMs >= oldestMs) continue;
        pools.delete(origin);
        pool.close().catch(() => undefined);
      }
    },
    async close() {
      const left = [...pools.values()];
      pools.clear();
      await Promise.all(left.map(({ pool }) => pool.destroy()));
    },
  };
}
