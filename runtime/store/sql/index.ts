export type { IndexName, SqlDialect } from "./dialect.ts";
export {
  bindings,
  indexEntryRows,
  type Bindings,
  type Listing,
  type MarkLimits,
  type Reading,
  type Step,
} from "./listing.ts";
export { columnList } from "./statements.ts";
