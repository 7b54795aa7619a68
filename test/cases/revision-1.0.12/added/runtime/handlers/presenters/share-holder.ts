import type { ShareHolder } from "../../../generated/ledger/types.ts";
import { timestampText } from "../../domain/index.ts";
import type { ShareHolderRecord } from "../../ports/index.ts";
import { given } from "../services/given.ts";

/** The shareholder record (section 2.6). */
export function shareHolderOf(shareHolder: ShareHolderRecord): ShareHolder {
  return {
    Id: shareHolder.id,
    CustomerId: shareHolder.customerId,
    Name: shareHolder.name,
    ...given({ EmailID: shareHolder.contact.email }),
    Status: shareHolder.status,
    CreatedDate: timestampText(shareHolder.createdAt),
  };
}
