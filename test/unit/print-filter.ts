import type { AccountCondition } from "../../ledger/domain/lists.ts";

/** Writes a condition as a filter: the inverse of the parser. */
export function printFilter(node: AccountCondition): string {
  switch (node.kind) {
    case "and":
      return node.terms.map((term) => (term.kind === "and" ? group(term) : printFilter(term))).join(" AND ");
    case "or":
      return node.terms
        .map((term) => (term.kind === "and" || term.kind === "or" ? group(term) : printFilter(term)))
        .join(" OR ");
    case "not":
      return `NOT ${["and", "or", "not"].includes(node.term.kind) ? group(node.term) : printFilter(node.term)}`;
    case "text": {
      const quoted = `"${node.value.replace(/["\\*]/g, "\\$&")}${node.op === "prefix" ? "*" : ""}"`;
      const op = node.op === "has" ? ":" : node.op === "prefix" ? "=" : node.op;
      return `${node.field} ${op} ${quoted}`;
    }
    case "time":
      return `${node.field} ${node.op} ${new Date(node.value).toISOString()}`;
    case "amount": {
      const digits = (node.digits < 0n ? -node.digits : node.digits).toString().padStart(node.scale + 1, "0");
      const at = digits.length - node.scale;
      const fraction = node.scale === 0 ? "" : `.${digits.slice(at)}`;
      return `${node.field} ${node.op} ${node.digits < 0n ? "-" : ""}${digits.slice(0, at)}${fraction}`;
    }
    case "flag":
      return `${node.field}${node.op}${node.value}`;
  }
}

function group(node: AccountCondition): string {
  return `(${printFilter(node)})`;
}
