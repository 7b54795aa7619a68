export { digest, type ChainHead, type LinkPlace } from "./chains.ts";
export {
  afterPrefix,
  compareCodePoints,
  inKeyOrder,
  lowerAscii,
  orderHolds,
  type Order,
} from "./code-points.ts";
export { together } from "./engine.ts";
export { cursorOver, type AuditBook } from "./verify/books.ts";
export { followAuditChain, recordOf, type AuditState } from "./verify/chains.ts";
export {
  asker,
  differing,
  present,
  type BookRows,
  type BookSource,
  type DerivedRule,
  type Findings,
  type Row,
  type Totals,
  type Value,
  type VerifyRules,
} from "./verify/rules.ts";
