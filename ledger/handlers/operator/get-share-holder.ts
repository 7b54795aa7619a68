import type { GetShareHolderHandler } from "../../../generated/operator/handlers.ts";
import { shareHolderOf } from "../presenters/people.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/** Reads a shareholder with all that the service keeps of them. @see section 2.6 · D-19 */
export const getShareHolder: GetShareHolderHandler<Contexts> = async ({ shareHolderId }, context) => {
  const shareHolder = await scopedReader(context).shareHolder(shareHolderId);
  if (shareHolder === undefined) throw context.error("NOT_FOUND_SHAREHOLDER", { field: "/shareHolderId" });
  return { shareHolder: shareHolderOf(shareHolder) };
};
