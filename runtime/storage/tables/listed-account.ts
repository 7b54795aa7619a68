import type { ListedAccount } from "../../ports/index.ts";
import { accounts } from "./accounts.ts";
import type { TablePart } from "./table.ts";

/** The columns of an account that lists show and filter by. */
export const listedAccount: TablePart<ListedAccount> = accounts.partOf([
  "id",
  "institutionId",
  "customerId",
  "name",
  "number",
  "type",
  "status",
  "category",
  "currency",
  "ledgerMinor",
  "holdMinor",
  "preAuthMinor",
  "glAccount",
  "verified",
  "createdAt",
  "updatedAt",
]);
