import { didYouMean, entry, listed } from "../entry.ts";

const rightConfig =
  "specs:\n  - spec: spec/ledger\n    out: generated/ledger\n    handlers: ledger/handlers/ledger\ncontract: runtime/contract/index.ts\n";

/** The diagnostics of `ledger-rpc.yaml`. */
export const configCodes = {
  "config-unknown-key": entry<{ key: string; known: readonly string[]; suggestion: string | undefined }>({
    message: ({ key, known }) => `the config has no key \`${key}\` here: it takes ${listed(known)}`,
    hint: didYouMean,
    rule: "The config holds `specs`, a list of what is generated from what, and where they are wanted `targets` and `contract`. A key that does nothing is a mistake.",
    example: ["specs:\n  - spec: spec/ledger\n    output: generated/ledger\n", rightConfig],
  }),
  "config-missing-key": entry<{ key: string }>({
    message: ({ key }) => `\`${key}\` is missing`,
    hint: ({ key }) => `add it, such as \`${exampleOf(key)}\``,
    rule: "The config says for each spec where its folder is (`spec`), where generated files go (`out`) and where handler files lie (`handlers`).",
    example: ["specs:\n  - spec: spec/ledger\n    out: generated/ledger\n", rightConfig],
  }),
  "config-wrong-type": entry<{ key: string; wanted: string }>({
    message: ({ key, wanted }) => `${key} must be ${wanted}`,
    rule: "`specs` is a list of mappings with `spec`, `out` and `handlers`; these and `contract` are paths, relative to the config file.",
    example: ["specs: spec/ledger\n", rightConfig],
  }),
  "config-path": entry<{ path: string }>({
    message: ({ path }) => `\`${path}\` is not a path below the folder of the config file`,
    hint: () => "write it relative to the config file, with forward slashes and without `..`",
    rule: "All paths of the config are relative to the file itself and stay below its folder: a run touches nothing outside of it.",
    example: ["contract: ../elsewhere/contract.ts\n", rightConfig],
  }),
  "config-unknown-target": entry<{ name: string; known: readonly string[]; suggestion: string | undefined }>({
    message: ({ name, known }) => `there is no target \`${name}\`: there are ${listed(known)}`,
    hint: didYouMean,
    rule: "`targets` lists what is generated, by name. What a target needs is generated with it; without `targets` everything is.",
    example: [
      "targets: [types, methdos]\n",
      `${rightConfig}targets: [types, validators, methods, handlers]\n`,
    ],
  }),
  "config-path-not-found": entry<{ path: string; kind: string }>({
    message: ({ path, kind }) => `there is no ${kind} \`${path}\``,
    hint: () => "paths are relative to the config file",
    rule: "The spec folders exist before a run, and so does the contract where it is a module of the project; output folders are made.",
    example: [
      "specs:\n  - spec: spec/legder\n    out: generated/ledger\n    handlers: ledger/handlers/ledger\n",
      rightConfig,
    ],
  }),
  "config-overlap": entry<{ path: string; other: string }>({
    message: ({ path, other }) => `\`${path}\` and \`${other}\` lie in each other`,
    hint: () => "give each a folder of its own",
    rule: "Each spec, each output folder and each handlers folder is a folder of its own, so that no two of them write one file and none writes into a spec.",
    example: [
      "specs:\n  - spec: spec/ledger\n    out: generated\n    handlers: generated/handlers\n",
      rightConfig,
    ],
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

const rightFile =
  "- rule: request-field-added-required\n  path: types/LoanRequest/branch\n  reason: Agreed with all three callers on 3 March.\n- fingerprint: 56ba8f5825bac0f1\n  reason: The value was never sent.\n";

/** The diagnostics of the file of accepted changes. */
export const exceptionCodes = {
  "exception-shape": entry<{ wanted: string }>({
    message: ({ wanted }) => `an exception has to be ${wanted}`,
    rule: "The file of exceptions is a list. Each names one change, by its `fingerprint` or by `rule` and `path`, and gives the `reason` why it is accepted. `spec` says which spec it is about, where several are compared.",
    example: ["- request-field-added-required\n", rightFile],
  }),
  "exception-unknown-key": entry<{ key: string; known: readonly string[]; suggestion: string | undefined }>({
    message: ({ key, known }) => `an exception has no key \`${key}\`: it takes ${listed(known)}`,
    hint: didYouMean,
    rule: "A key that does nothing is a mistake: there is no way to accept more than one change at a time, or to make a change smaller than it is.",
    example: ["- rule: request-field-added-required\n  severity: info\n  reason: It is small.\n", rightFile],
  }),
  "exception-without-reason": entry({
    message: () => "the exception gives no reason",
    hint: () => "say why the change is accepted, and who agreed",
    rule: "A later reader of an exception has to be able to tell whether it still holds.",
    example: ["- rule: request-field-added-required\n  path: types/LoanRequest/branch\n", rightFile],
  }),
  "exception-unknown-rule": entry<{ rule: string; suggestion: string | undefined }>({
    message: ({ rule }) => `there is no rule \`${rule}\``,
    hint: didYouMean,
    rule: "`rule` is the id of a rule of change, as `ledger-rpc diff` prints it. `ledger-rpc explain` lists all.",
    example: [
      "- rule: request-field-added\n  path: types/LoanRequest/branch\n  reason: Agreed with all three callers.\n",
      rightFile,
    ],
  }),
  "exception-stale": entry<{ what: string }>({
    message: ({ what }) => `the exception is about no change that there is: ${what}`,
    hint: () => "remove it; or see whether the change it was about has become another one",
    rule: "An exception is about one change. Where that is gone, or has become another one, the exception would wait to excuse something that no person has looked at.",
    example:
      "⟨# after branch was taken back\n- rule: request-field-added-required\n  path: types/LoanRequest/branch\n  reason: Agreed with all three callers. → []⟩\n",
  }),
};
