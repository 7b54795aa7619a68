import { didYouMean, entry, listed } from "../entry.ts";

const rightConfig =
  "specs:\n  - spec: spec/ledger\n    out: generated/ledger\n    handlers: ledger/handlers/ledger\ncontract: runtime/contract/index.ts\n";

/** The diagnostics of `ledger-rpc.yaml`. */
export const configCodes = {
  "config-unknown-key": entry<{ key: string; known: readonly string[]; suggestion: string | undefined }>({
    severity: "error",
    message: ({ key, known }) => `the config has no key \`${key}\` here: it takes ${listed(known)}`,
    hint: didYouMean,
    rule: "The config holds `specs`, a list of what is generated from what, and where they are wanted `targets` and `contract`. A key that does nothing is a mistake.",
    wrong: "specs:\n  - spec: spec/ledger\n    output: generated/ledger\n",
    right: rightConfig,
  }),
  "config-missing-key": entry<{ key: string }>({
    severity: "error",
    message: ({ key }) => `\`${key}\` is missing`,
    hint: ({ key }) => `add it, such as \`${exampleOf(key)}\``,
    rule: "The config says for each spec where its folder is (`spec`), where generated files go (`out`) and where handler files lie (`handlers`).",
    wrong: "specs:\n  - spec: spec/ledger\n    out: generated/ledger\n",
    right: rightConfig,
  }),
  "config-wrong-type": entry<{ key: string; wanted: string }>({
    severity: "error",
    message: ({ key, wanted }) => `${key} must be ${wanted}`,
    rule: "`specs` is a list of mappings with `spec`, `out` and `handlers`; these and `contract` are paths, relative to the config file.",
    wrong: "specs: spec/ledger\n",
    right: rightConfig,
  }),
  "config-path": entry<{ path: string }>({
    severity: "error",
    message: ({ path }) => `\`${path}\` is not a path below the folder of the config file`,
    hint: () => "write it relative to the config file, with forward slashes and without `..`",
    rule: "All paths of the config are relative to the file itself and stay below its folder: a run touches nothing outside of it.",
    wrong: "contract: ../elsewhere/contract.ts\n",
    right: rightConfig,
  }),
  "config-unknown-target": entry<{ name: string; known: readonly string[]; suggestion: string | undefined }>({
    severity: "error",
    message: ({ name, known }) => `there is no target \`${name}\`: there are ${listed(known)}`,
    hint: didYouMean,
    rule: "`targets` lists what is generated, by name. What a target needs is generated with it; without `targets` everything is.",
    wrong: "targets: [types, methdos]\n",
    right: `${rightConfig}targets: [types, validators, methods, handlers]\n`,
  }),
  "config-path-not-found": entry<{ path: string; kind: string }>({
    severity: "error",
    message: ({ path, kind }) => `there is no ${kind} \`${path}\``,
    hint: () => "paths are relative to the config file",
    rule: "The spec folders exist before a run, and so does the contract where it is a module of the project; output folders are made.",
    wrong: "specs:\n  - spec: spec/legder\n    out: generated/ledger\n    handlers: ledger/handlers/ledger\n",
    right: rightConfig,
  }),
  "config-overlap": entry<{ path: string; other: string }>({
    severity: "error",
    message: ({ path, other }) => `\`${path}\` and \`${other}\` lie in each other`,
    hint: () => "give each a folder of its own",
    rule: "Each spec, each output folder and each handlers folder is a folder of its own, so that no two of them write one file and none writes into a spec.",
    wrong: "specs:\n  - spec: spec/ledger\n    out: generated\n    handlers: generated/handlers\n",
    right: rightConfig,
  }),
};

function exampleOf(key: string): string {
  const examples: Readonly<Record<string, string>> = {
    spec: "spec: spec/ledger",
    out: "out: generated/ledger",
    handlers: "handlers: ledger/handlers/ledger",
  };
  return examples[key] ?? `${key}: …`;
}
