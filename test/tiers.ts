/** A command of a tier: it is green where it ends with 0. */
export interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

/** Lists of steps. The steps of one list run one after the other; the lists run side by side. */
type Tier = readonly (readonly Step[])[];

/** One checker: each further one reads the types of the same libraries again. */
const types = (project: string): readonly string[] => ["tsc", "-p", project, "--checkers", "1"];

/** The types of a part of the repository. Both parts, and `npm run typecheck`, look only at what changed since the last of them. */
const knownTypes = (project: string): readonly string[] => [
  ...types(project),
  "--incremental",
  "--preserveSymlinks",
  "--tsBuildInfoFile",
  ".cache/types.tsbuildinfo",
];

/** The two scores that have a lowest value. */
const heldScores = ["--measure", "document", "--measure", "all-strict-operator"];

/** The steps of each tier; docs/internals/testing.md says what they are for. */
export const tiers: Readonly<Record<string, Tier>> = {
  commit: [
    [{ name: "tests", command: ["vitest", "run", "--project", "unit", "--project", "postgres"] }],
    [
      { name: "lint", command: ["oxlint", "--deny-warnings", "--quiet"] },
      { name: "drift", command: ["node", "generator/cli/main.ts", "check"] },
      { name: "types", command: knownTypes("tsconfig.product.json") },
    ],
  ],
  ci: [
    [{ name: "tests of ci", command: ["vitest", "run", "--project", "ci"] }],
    [
      { name: "format", command: ["oxfmt", "--check", "."] },
      // As a package is compiled: an exported function whose type cannot be named is a mistake.
      { name: "types of tests", command: [...knownTypes("."), "--declaration"] },
      { name: "types of pages", command: types("web") },
      // After the types: it checks those of a copy of the repository, of which little differs.
      { name: "tutorial", command: ["node", "test/docs/first-operation.ts"] },
    ],
  ],
  nightly: [
    [
      { name: "nightly tests", command: ["vitest", "run", "--project", "nightly"] },
      { name: "all faults", command: ["node", "test/faults/run.ts", "--check", ...heldScores] },
      { name: "sound", command: ["node", "test/faults/sound.ts"] },
      { name: "documents of others", command: ["node", "test/import/acceptance.ts"] },
      { name: "soak", command: ["node", "test/soak.ts", "--minutes", "60"] },
      { name: "client on every engine", command: ["node", "test/client/soak.ts"] },
      { name: "events, killed", command: ["node", "test/e2e/events-kill.ts"] },
      { name: "PostgreSQL, killed", command: ["node", "test/postgres/kill.ts"] },
      { name: "failover", command: ["node", "test/postgres/failover.ts"] },
      { name: "failover, frozen", command: ["node", "test/postgres/failover.ts", "--frozen"] },
      { name: "overload", command: ["node", "bench/overload.ts"] },
    ],
  ],
};
