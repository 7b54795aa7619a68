import type { ListMailsHandler } from "../../../generated/operator/handlers.ts";
import type { ListMailsResult } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { mailOf } from "../presenters/mail.ts";
import { pageOf, pageToken, placeOf, standardPageSize } from "../services/page-token.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { mailListing } from "../../../runtime/store/tables/index.ts";

/** Lists mails without their addresses and texts, page by page, newest first. @see section 4.14 · D-58 */
export const listMails: ListMailsHandler<Contexts> = async (payload, context) => {
  const { store, caller } = context;
  const { state, pageSize = standardPageSize } = payload;
  const found = await store.page(
    mailListing({
      institutionId: caller.institutionId,
      ...omitUndefined({ state, after: placeOf(context, payload.after) }),
      limit: pageSize + 1,
    }),
  );
  const { items, next } = pageOf(found, pageSize, pageToken);
  const visible = await scopedReader(context).mailsOf(items);
  return { mails: visible.map(mailOf), ...omitUndefined({ next } satisfies Given<ListMailsResult>) };
};
