import type { ShareHolder } from "../../../generated/ledger/types.ts";
import { omitUndefined } from "../../../runtime/contract/index.ts";
import { timestampText } from "../../../runtime/contract/times.ts";
import type { ShareHolderRecord } from "../../domain/records/parties.ts";

/** The shareholder record (section 2.6). */
export function shareHolderOf(shareHolder: ShareHolderRecord): ShareHolder {
  return {
    Id: shareHolder.id,
    CustomerId: shareHolder.customerId,
    Name: shareHolder.name,
    ...omitUndefined({ EmailID: shareHolder.contact.email }),
    Status: shareHolder.status,
    CreatedDate: timestampText(shareHolder.createdAt),
  };
}
