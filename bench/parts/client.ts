import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { names, type ClientCpu } from "../client/cpu.ts";
import { bundleSizes } from "../client/sizes.ts";
import { typeCheckSeconds } from "../generate/type-check.ts";
import { runForJson } from "../harness/command.ts";
import { figuresOf, type Figure, type Goal } from "../harness/figures.ts";
import { temporaryFolder } from "../harness/processes.ts";
import { ownName, repository } from "../harness/service.ts";
import type { Part } from "./part.ts";

const emptyName = "an empty project";
const callGoal: Goal = { of: "ratio", atMost: 1.3 };
/** Bytes that bundles of ours are held to. */
const sizeGoals: Readonly<Record<string, number>> = { "all operations": 4000, "one operation": 2250 };

/** The cost of a signed call of the generated client beside signing alone, and the client's size beside others'. */
export const client: Part = {
  name: "client",
  title: "a signed call of the client beside signing alone; bundles beside others'",
  async measure({ rounds, progress }) {
    progress("calls of the client");
    const cpu: ClientCpu = runForJson(join(import.meta.dirname, "../client/cpu.ts"), [String(rounds)]);
    progress("bundles of clients");
    const sizes = await bundleSizes();
    return [
      ...figuresOf({
        part: "client, the answer at hand",
        measure: "CPU",
        unit: "µs a call",
        better: "lower",
        base: names.webCrypto,
        goals: { [names.pem]: callGoal, [names.kept]: callGoal },
        rounds: new Map(Object.entries(cpu.atOnce)),
      }),
      ...figuresOf({
        part: "client, over a socket",
        measure: "CPU",
        unit: "µs a call",
        better: "lower",
        base: names.nodeFloor,
        rounds: new Map(Object.entries(cpu.socket)),
      }),
      ...figuresOf({
        part: "types of the client",
        measure: "tsc",
        unit: "s of CPU",
        better: "lower",
        base: emptyName,
        rounds: typeChecks(rounds),
      }),
      ...[...sizes].flatMap(([content, bytes]): readonly Figure[] => {
        const most = sizeGoals[content];
        return figuresOf({
          part: "client in a browser's bundle",
          measure: content,
          unit: "bytes of gzip",
          better: "lower",
          base: ownName,
          goals: most === undefined ? {} : { [ownName]: { of: "value", atMost: most } },
          rounds: new Map([...bytes].map(([name, size]) => [name, [size]])),
        });
      }),
    ];
  },
};

/** Seconds that a compilation takes without the client and with a call of it. */
function typeChecks(rounds: number): ReadonlyMap<string, readonly number[]> {
  const folder = temporaryFolder();
  const modules = join(repository, ".cache/bench-generators/node_modules");
  const index = JSON.stringify(join(repository, "generated/ledger/client/index.ts"));
  writeFileSync(join(folder, "empty.ts"), "export const nothing = 1;\n");
  writeFileSync(
    join(folder, "used.ts"),
    `import { LedgerClient, type ClientOptions } from ${index};
export const call = (options: ClientOptions) => new LedgerClient(options).account.get({ ID: "" });
`,
  );
  const found = Array.from({ length: rounds }, () => ({
    empty: typeCheckSeconds(folder, "empty.ts", modules),
    used: typeCheckSeconds(folder, "used.ts", modules),
  }));
  return new Map([
    [emptyName, found.flatMap(({ empty }) => empty)],
    ["one that calls the client", found.flatMap(({ used }) => used)],
  ]);
}
