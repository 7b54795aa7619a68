import { patch, type Fault } from "../fault.ts";

const listing = "runtime/storage/sql/listing/account-listing.ts";
const listed = "runtime/storage/sql/listing/listed.ts";
const keys = "runtime/storage/sql/listing/keys.ts";
const condition = "runtime/storage/sql/account-condition.ts";
const view = "runtime/storage/sqlite/cached-view.ts";
const column = "runtime/storage/tables/column.ts";

export const storageFaults: readonly Fault[] = [
  {
    id: "newest-first",
    layer: "storage",
    says: "Accounts are listed newest first.",
    patches: patch(listed, "ORDER BY a.created_at, a.id", "ORDER BY a.created_at DESC, a.id DESC"),
  },
  {
    id: "listed-by-name",
    layer: "storage",
    says: "Accounts are listed by name.",
    patches: patch(listed, "ORDER BY a.created_at, a.id", "ORDER BY a.name, a.id"),
  },
  {
    id: "offset-ignored",
    layer: "storage",
    says: "Every page is the first.",
    patches: patch(keys, "let toSkip = offset;", "let toSkip = offset * 0;"),
  },
  {
    id: "customers-ignored-in-list",
    layer: "storage",
    says: "The store does not look whose accounts it lists.",
    patches: patch(listing, "...(customerIds !== undefined && {", "...(customerIds?.length === 0 && {"),
  },
  {
    id: "like-search",
    layer: "storage",
    says: "Texts are searched with wildcards.",
    patches: patch(
      condition,
      "`(instr(lower(${column}), ${bound(lowerAscii(value))}) > 0)`",
      "`(lower(${column}) LIKE '%' || ${bound(lowerAscii(value))} || '%')`",
    ),
  },
  {
    id: "search-matches-case",
    layer: "storage",
    says: "Texts are searched by case.",
    patches: patch(
      condition,
      "`(instr(lower(${column}), ${bound(lowerAscii(value))}) > 0)`",
      "`(instr(${column}, ${bound(value)}) > 0)`",
    ),
  },
  {
    id: "texts-compare-without-case",
    layer: "storage",
    says: "Texts are equal ignoring case.",
    patches: patch(
      condition,
      'if (op !== "prefix") return `(${column} ${op} ${bound(value)})`;',
      'if (op !== "prefix") return `(lower(${column}) ${op} lower(${bound(value)}))`;',
    ),
  },
  {
    id: "not-over-first-term",
    layer: "storage",
    says: "OR in a query is AND.",
    patches: patch(
      condition,
      'return junction(condition.terms, "OR", "FALSE", parameters);',
      'return junction(condition.terms, "AND", "TRUE", parameters);',
    ),
  },
  {
    id: "filter-by-other-amount",
    layer: "storage",
    says: "A filter on the balance looks at the ledger balance.",
    patches: patch(
      condition,
      'balance: ["a.ledger_minor", "a.hold_minor", "a.pre_auth_minor"],',
      'balance: ["a.ledger_minor"],',
    ),
  },
  {
    id: "stale-view",
    layer: "storage",
    says: "What was once read is read again from memory.",
    patches: patch(view, "for (const forget of forgets) forget();", "forgets.slice(forgets.length);"),
  },
  {
    id: "texts-cut",
    layer: "storage",
    says: "Texts are cut at 30 characters.",
    patches: patch(
      column,
      'decode: (value) => (typeof value === "string" ? value : unreadable(name)),\n  };\n}\n\n/** Text that is one of a few words. */',
      'decode: (value) => (typeof value === "string" ? (name === "name" ? value.slice(0, 30) : value) : unreadable(name)),\n  };\n}\n\n/** Text that is one of a few words. */',
    ),
  },
  {
    id: "texts-in-latin1",
    layer: "storage",
    says: "Characters beyond Latin are lost.",
    patches: patch(
      column,
      "encode: (value) => wellFormed(name, value),",
      'encode: (value) => wellFormed(name, value).replaceAll(/[^\\u0000-\\u00ff]/g, "?"),',
    ),
  },
  {
    id: "amounts-as-doubles",
    layer: "storage",
    says: "Amounts are kept in whole units.",
    patches: patch(
      column,
      'decode: (value) => (typeof value === "bigint" ? value : unreadable(name)),',
      'decode: (value) => (typeof value === "bigint" ? (value / 100n) * 100n : unreadable(name)),',
    ),
  },
  {
    id: "names-trimmed",
    layer: "storage",
    says: "Texts are kept in Unicode form NFD.",
    patches: patch(
      column,
      "encode: (value) => wellFormed(name, value),",
      'encode: (value) => wellFormed(name, value).normalize("NFD"),',
    ),
  },
];
