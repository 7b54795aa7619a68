/**
 * Projects the service to 10^9 accounts and 10^5 calls a second over N clusters. A cluster is a PostgreSQL primary
 * with standbys and service processes. docs/internals/measurements.md states the assumptions. The same seed gives the same output.
 *
 *     node bench/scale.ts [--clusters 16,24,32] [--seed 1] [--costs costs.json] [--svg scale.svg]
 *
 * `--costs` takes what bench/scale/measure.ts prints on the machine that is planned for.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { commandLine } from "./harness/command-line.ts";
import { assumptions as usual } from "./scale/assumptions.ts";
import { chartOf } from "./scale/chart.ts";
import { institutionShares, project, type OperationCost, type Projection } from "./scale/model.ts";

const { values } = commandLine(import.meta.filename, {
  options: {
    clusters: { type: "string", default: "16,20,24,32,48,64,96" },
    seed: { type: "string", default: "1" },
    costs: { type: "string" },
    svg: { type: "string" },
  },
});
const operations = values.costs === undefined ? usual.operations : measured(values.costs);
const assumptions = { ...usual, operations, seed: Number(values.seed) };
const projections = values.clusters.split(",").map((clusters) => project(assumptions, Number(clusters)));
const [largest = 0] = institutionShares(assumptions);

console.log(
  `seed ${assumptions.seed}: ${assumptions.accounts} accounts, ${assumptions.callsPerSecond} calls/s`,
);
console.log(
  `the largest of ${assumptions.institutions} institutions has ${(largest * 100).toFixed(1)} % of them\n`,
);
console.log(
  "| clusters | busiest service | busiest database | p50 | p99 | answered/s | GB, largest | $/month | $/10^6 calls |",
);
console.log(
  "| -------: | --------------: | ---------------: | --: | --: | ---------: | ----------: | ------: | -----------: |",
);
for (const projection of projections) console.log(rowOf(projection));
if (values.svg !== undefined) writeFileSync(values.svg, chartOf(projections));

function rowOf(projection: Projection): string {
  const { clusters, busiestService, busiestDatabase, p50Ms, p99Ms, answeredPerSecond } = projection;
  const { gbPerCluster, dollarsPerMonth, dollarsPerMillionCalls } = projection;
  const cells = [
    clusters,
    `${Math.round(busiestService * 100)} %`,
    `${Math.round(busiestDatabase * 100)} %`,
    `${p50Ms.toFixed(1)} ms`,
    `${p99Ms.toFixed(1)} ms`,
    Math.round(answeredPerSecond),
    Math.round(gbPerCluster),
    Math.round(dollarsPerMonth),
    dollarsPerMillionCalls.toFixed(2),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The usual mix at measured costs; an operation that was not measured keeps its usual cost. */
function measured(file: string): readonly OperationCost[] {
  const costs: Readonly<Record<string, Pick<OperationCost, "serviceMs" | "databaseMs">>> = JSON.parse(
    readFileSync(file, "utf8"),
  );
  return usual.operations.map((operation) => ({ ...operation, ...costs[operation.name] }));
}
