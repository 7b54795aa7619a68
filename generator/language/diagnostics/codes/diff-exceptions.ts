import { didYouMean, entry, listed } from "../entry.ts";

const rightFile =
  "- rule: request-field-added-required\n  path: types/LoanRequest/branch\n  reason: Agreed with all three callers on 3 March.\n- fingerprint: 56ba8f5825bac0f1\n  reason: The value was never sent.\n";

/** The diagnostics of the file of accepted changes. */
export const exceptionCodes = {
  "exception-shape": entry<{ wanted: string }>({
    severity: "error",
    message: ({ wanted }) => `an exception has to be ${wanted}`,
    rule: "The file of exceptions is a list. Each names one change, by its `fingerprint` or by `rule` and `path`, and gives the `reason` why it is accepted. `spec` says which spec it is about, where several are compared.",
    wrong: "- request-field-added-required\n",
    right: rightFile,
  }),
  "exception-unknown-key": entry<{ key: string; known: readonly string[]; suggestion: string | undefined }>({
    severity: "error",
    message: ({ key, known }) => `an exception has no key \`${key}\`: it takes ${listed(known)}`,
    hint: didYouMean,
    rule: "A key that does nothing is a mistake: there is no way to accept more than one change at a time, or to make a change smaller than it is.",
    wrong: "- rule: request-field-added-required\n  severity: info\n  reason: It is small.\n",
    right: rightFile,
  }),
  "exception-without-reason": entry({
    severity: "error",
    message: () => "the exception gives no reason",
    hint: () => "say why the change is accepted, and who agreed",
    rule: "A later reader of an exception has to be able to tell whether it still holds.",
    wrong: "- rule: request-field-added-required\n  path: types/LoanRequest/branch\n",
    right: rightFile,
  }),
  "exception-unknown-rule": entry<{ rule: string; suggestion: string | undefined }>({
    severity: "error",
    message: ({ rule }) => `there is no rule \`${rule}\``,
    hint: didYouMean,
    rule: "`rule` is the id of a rule of change, as `ledger-rpc diff` prints it. `ledger-rpc explain` lists all.",
    wrong:
      "- rule: request-field-added\n  path: types/LoanRequest/branch\n  reason: Agreed with all three callers.\n",
    right: rightFile,
  }),
  "exception-stale": entry<{ what: string }>({
    severity: "error",
    message: ({ what }) => `the exception is about no change that there is: ${what}`,
    hint: () => "remove it; or see whether the change it was about has become another one",
    rule: "An exception is about one change. Where that is gone, or has become another one, the exception would wait to excuse something that no person has looked at.",
    wrong:
      "# after branch was taken back\n- rule: request-field-added-required\n  path: types/LoanRequest/branch\n  reason: Agreed with all three callers.\n",
    right: "[]\n",
  }),
};
