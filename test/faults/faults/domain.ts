import { patch, type Fault } from "../fault.ts";

const filter = "runtime/domain/filter/parse-filter.ts";
const comparisons = "runtime/domain/filter/comparisons.ts";
const accountStatus = "runtime/domain/account-status.ts";
const transactionStatus = "runtime/domain/transaction-status.ts";
const risk = "runtime/domain/risk-scorer.ts";
const settle = "runtime/handlers/services/apply-transaction.ts";
const record = "runtime/handlers/operator/record-transaction.ts";
const decide = "runtime/handlers/operator/update-transaction-status.ts";

export const domainFaults: readonly Fault[] = [
  {
    id: "and-binds-tighter",
    layer: "domain",
    says: "AND binds tighter than OR.",
    patches: patch(
      filter,
      'parseChain(reader, "and", () => parseChain(reader, "or", () => parseUnary(reader, depth)))',
      'parseChain(reader, "or", () => parseChain(reader, "and", () => parseUnary(reader, depth)))',
    ),
  },
  {
    id: "not-ignored",
    layer: "domain",
    says: "NOT negates nothing.",
    patches: patch(filter, 'accepted({ kind: "not", term: inner.value })', "inner"),
  },
  {
    id: "filter-groups-unlimited",
    layer: "domain",
    says: "Parentheses may go any number deep.",
    patches: patch(filter, "depthMax: 8", "depthMax: 80"),
  },
  {
    id: "filter-groups-fewer",
    layer: "domain",
    says: "Eight levels of parentheses are refused.",
    patches: patch(filter, "depthMax: 8", "depthMax: 7"),
  },
  {
    id: "comparisons-unlimited",
    layer: "domain",
    says: "A filter may have any number of comparisons.",
    patches: patch(filter, "comparisonsMax: 20", "comparisonsMax: 200"),
  },
  {
    id: "comparisons-fewer",
    layer: "domain",
    says: "Twenty comparisons are refused.",
    patches: patch(filter, "comparisonsMax: 20", "comparisonsMax: 19"),
  },
  {
    id: "prefix-is-equal",
    layer: "domain",
    says: "A trailing * is a character like any other.",
    patches: patch(
      comparisons,
      'if (!value.prefix) {\n      return accepted({ kind: "text", field, op: operator === ":" ? "has" : operator, value: value.text });\n    }',
      'if (true) {\n      return accepted({ kind: "text", field, op: operator === ":" ? "has" : operator, value: value.text + (value.prefix ? "*" : "") });\n    }',
    ),
  },
  {
    id: "has-is-equal",
    layer: "domain",
    says: "`:` on a text means =.",
    patches: patch(
      comparisons,
      'op: operator === ":" ? "has" : operator, value',
      'op: operator === ":" ? "=" : operator, value',
    ),
  },
  {
    id: "filter-names-match-case",
    layer: "domain",
    says: "Fields of a filter match only as they are documented.",
    patches: patch(
      comparisons,
      "comparisonsByLowerName.get(field.toLowerCase())",
      "(Object.hasOwn(comparisons, field) ? comparisonsByLowerName.get(field.toLowerCase()) : undefined)",
    ),
  },
  {
    id: "any-enum-in-filter",
    layer: "domain",
    says: "A filter may ask for a status that does not exist.",
    patches: patch(comparisons, "if (value.prefix || !values.includes(value.text)) {", "if (value.prefix) {"),
  },
  {
    id: "less-or-equal-is-less",
    layer: "domain",
    says: "<= means <, and >= means >.",
    patches: patch(
      comparisons,
      'return operator === ":" ? "=" : operator;',
      'return operator === ":" ? "=" : operator === "<=" ? "<" : operator === ">=" ? ">" : operator;',
    ),
  },
  {
    id: "name-only-search",
    layer: "domain",
    says: "A text alone is looked for in names only.",
    patches: patch(comparisons, '      { kind: "text", field: "number", op, value: value.text },\n', ""),
  },
  {
    id: "risk-not-rounded",
    layer: "domain",
    says: "riskScore has a fraction.",
    patches: patch(
      risk,
      "return Math.round((accounts.filter(isAtRisk).length / accounts.length) * 100);",
      "return (accounts.filter(isAtRisk).length / accounts.length) * 100;",
    ),
  },
  {
    id: "risk-cut-off",
    layer: "domain",
    says: "riskScore is cut off rather than rounded.",
    patches: patch(risk, "Math.round(", "Math.floor("),
  },
  {
    id: "risk-as-fraction",
    layer: "domain",
    says: "riskScore goes from 0 to 1.",
    patches: patch(
      risk,
      "return Math.round((accounts.filter(isAtRisk).length / accounts.length) * 100);",
      "return accounts.filter(isAtRisk).length / accounts.length;",
    ),
  },
  {
    id: "risk-without-blocked",
    layer: "domain",
    says: "BLOCKED accounts are no risk.",
    patches: patch(risk, ' || account.status === "BLOCKED"', ""),
  },
  {
    id: "risk-with-disabled",
    layer: "domain",
    says: "DISABLED accounts are a risk.",
    patches: patch(
      risk,
      'account.status === "SUSPENDED" ||',
      'account.status === "SUSPENDED" || account.status === "DISABLED" ||',
    ),
  },
  {
    id: "no-check-pair",
    layer: "domain",
    says: "Account numbers have no check pair.",
    patches: patch(
      "runtime/domain/account-number.ts",
      "checkModulus + 1 - remainder",
      "(checkModulus + 2 - remainder) % 100",
    ),
  },
  {
    id: "short-account-numbers",
    layer: "domain",
    says: "Account numbers have 13 digits.",
    patches: patch(
      "runtime/domain/account-number.ts",
      'return `${digits}${(checkModulus + 1 - remainder).toString().padStart(2, "0")}`;',
      "return digits.slice(0, 13 + remainder * 0);",
    ),
  },
  {
    id: "times-in-seconds",
    layer: "domain",
    says: "Times are cut off at the second.",
    patches: patch(
      "runtime/domain/timestamps.ts",
      "return new Date(timeMs).toISOString();",
      'return new Date(timeMs).toISOString().slice(0, 19) + "Z";',
    ),
  },
  {
    id: "local-times",
    layer: "domain",
    says: "Times are written without zone.",
    patches: patch(
      "runtime/domain/timestamps.ts",
      "return new Date(timeMs).toISOString();",
      "return new Date(timeMs).toISOString().slice(0, 23);",
    ),
  },
  {
    id: "curtailed-takes-debits",
    layer: "domain",
    says: "A CURTAILED account takes debits.",
    patches: patch(accountStatus, 'CURTAILED: ["credit"],', 'CURTAILED: ["debit", "credit"],'),
  },
  {
    id: "suspended-takes-credits",
    layer: "domain",
    says: "A SUSPENDED account takes credits.",
    patches: patch(accountStatus, "SUSPENDED: [],", 'SUSPENDED: ["credit"],'),
  },
  {
    id: "closed-takes-credits",
    layer: "domain",
    says: "A CLOSED account takes credits.",
    patches: patch(accountStatus, "CLOSED: [],", 'CLOSED: ["credit"],'),
  },
  {
    id: "dormant-sleeps-on",
    layer: "domain",
    says: "A credit does not wake a DORMANT account.",
    patches: patch(
      accountStatus,
      'return status === "DORMANT" && side === "credit" ? "ACTIVE" : status;',
      'return side === "credit" ? status : status;',
    ),
  },
  {
    id: "curtailed-wakes",
    layer: "domain",
    says: "A credit wakes a CURTAILED account.",
    patches: patch(
      accountStatus,
      'return status === "DORMANT" && side',
      'return (status === "DORMANT" || status === "CURTAILED") && side',
    ),
  },
  {
    id: "pending-posts",
    layer: "domain",
    says: "A pending transaction moves money.",
    patches: patch(transactionStatus, 'PENDING: "hold",', 'PENDING: "post",'),
  },
  {
    id: "pending-holds-nothing",
    layer: "domain",
    says: "A pending transaction holds nothing.",
    patches: patch(transactionStatus, 'PENDING: "hold",', 'PENDING: "none",'),
  },
  {
    id: "failed-posts",
    layer: "domain",
    says: "A failed transaction moves money.",
    patches: patch(transactionStatus, 'FAILED: "none",', 'FAILED: "post",'),
  },
  {
    id: "hold-not-released",
    layer: "domain",
    says: "A hold is not released.",
    patches: patch(settle, '(before === "hold" ? held : 0n)', "0n"),
  },
  {
    id: "decided-again",
    layer: "domain",
    says: "A decided transaction may be decided again.",
    patches: patch(
      transactionStatus,
      'return present === "PENDING" ? "change" : "final";',
      'return "change";',
    ),
  },
  {
    id: "balance-without-holds",
    layer: "domain",
    says: "balance does not subtract what is held.",
    patches: patch(
      "runtime/handlers/presenters/account-balances.ts",
      "balance: amount(availableMinor(account)),",
      "balance: amount(account.ledgerMinor),",
    ),
  },
  {
    id: "amounts-through-floats",
    layer: "domain",
    says: "Amounts are added as floats.",
    patches: patch(
      settle,
      "const postings = legs.map((leg) => ({\n    ...leg,",
      "const postings = legs.map((leg) => ({\n    ...leg, amountMinor: BigInt(Math.trunc((Number(leg.amountMinor) / 100) * 100)),",
    ),
  },
  {
    id: "time-in-utc",
    layer: "domain",
    says: "A transaction's time loses its offset.",
    patches: patch(
      record,
      "    TimeStamp,\n    TransactionId",
      "    TimeStamp: new Date(TimeStamp).toISOString(),\n    TransactionId",
    ),
  },
  {
    id: "fees-lost",
    layer: "domain",
    says: "Fees of a transaction are lost.",
    patches: patch(record, "Fees: fees.map((fee) => ({", "Fees: fees.slice(fees.length).map((fee) => ({"),
  },
  {
    id: "party-lost",
    layer: "domain",
    says: "The creditor of a transaction is recorded without its party.",
    patches: patch(
      record,
      "    DebtorAccount,\n    CreditorAccount,\n  };",
      "    DebtorAccount,\n    CreditorAccount: { AccountNumber: CreditorAccount.AccountNumber, InstitutionId: CreditorAccount.InstitutionId },\n  };",
    ),
  },
  {
    id: "transaction-status-not-kept",
    layer: "domain",
    says: "The new status of a transaction is not kept.",
    patches: patch(decide, "await context.store.transactions.replace(transaction);", ""),
  },
  {
    id: "references-ignore-case",
    layer: "domain",
    says: "References match ignoring case.",
    patches: patch(
      "runtime/handlers/ledger/transaction-service/get-transactions-by-ref.ts",
      "visible(context).readableTransaction(payload.ReferenceId)",
      'visible(context).readableTransaction(payload.ReferenceId.replace(/^in-/, "IN-"))',
    ),
  },
];
