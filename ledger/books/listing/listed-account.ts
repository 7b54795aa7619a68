import { accounts } from "../../tables/accounts.ts";
import type { TablePart } from "../../../runtime/store/tables/index.ts";
import type { ListedAccount } from "../../domain/lists.ts";

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
