import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Lists accounts in a process of that niceness, and gives the niceness of the threads that read. */
const program = `
  import { readdirSync, readFileSync } from "node:fs";
  import { setPriority } from "node:os";
  import { openSqliteStore } from ${JSON.stringify(new URL("../bank-stores.ts", import.meta.url).href)};
  import { accountPage } from ${JSON.stringify(new URL("../../ledger/books/listing/index.ts", import.meta.url).href)};
  setPriority(Number(process.argv[2]));
  const store = await openSqliteStore({ file: process.argv[3], migrate: true });
  const query = { institutionId: "none", offset: 1_000, limit: 1 };
  await store.read((view) => view.page(accountPage(query)));
  const tasks = readdirSync("/proc/self/task").map((id) => readFileSync("/proc/self/task/" + id + "/stat", "utf8"));
  const readers = tasks.filter((stat) => stat.includes("(list reader)"));
  console.log(readers.map((stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]).join());
  await store.close();
`;

// A process that may not raise a priority would lose the thread: it only ever lowers its own.
test.skipIf(process.platform !== "linux")(
  "a thread that reads goes after the service, however nice that is",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "reader-priority-"));
    const script = join(folder, "program.mjs");
    writeFileSync(script, program);
    const readersAt = (niceness: number): string => {
      const args = [script, String(niceness), join(folder, "ledger.sqlite")];
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      return stdout.trim() || stderr;
    };
    const own = getPriority();
    const higher = Math.min(own + 8, 19);
    expect([readersAt(own), readersAt(higher)]).toEqual(
      [own, higher].map((niceness) => String(Math.min(niceness + 5, 19))),
    );
    rmSync(folder, { recursive: true });
  },
);
