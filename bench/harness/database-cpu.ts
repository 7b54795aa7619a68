import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

/** CPU time of the processes of the PostgreSQL server on a port of this machine, those that have ended too. Linux only. */
export function databaseSeconds(url: string): number {
  const port = new URL(url).port;
  const stats = readdirSync("/proc").flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return [];
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
      return [{ pid, fields, command: readFileSync(`/proc/${pid}/cmdline`, "utf8") }];
    } catch {
      return [];
    }
  });
  const main = stats.find(({ command }) => command.includes(`-p\0${port}\0`));
  const own = stats.filter(({ pid, fields }) => pid === main?.pid || fields[1] === main?.pid);
  const ticks = own.flatMap(({ pid, fields }) => fields.slice(11, pid === main?.pid ? 15 : 13).map(Number));
  return ticks.reduce((sum, tick) => sum + tick, 0) / ticksPerSecond;
}
