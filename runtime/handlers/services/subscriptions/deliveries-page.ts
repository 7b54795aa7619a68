import type { DeliveryPage } from "../../../../generated/operator/types.ts";
import { type Given, type RpcError, type RpcErrorDetail, omitUndefined } from "../../../contract/index.ts";
import { parseTimestamp } from "../../../domain/index.ts";
import type { DeliveryQuery, ReadContext } from "../../../ports/index.ts";
import { deliveryOf } from "../../presenters/delivery.ts";
import { pageOf, pageToken, placeOf, standardPageSize } from "../page-token.ts";
import { scopedReader } from "../scoped-reader.ts";

type Context = Pick<ReadContext, "store" | "caller"> & {
  error(code: "BAD_INPUT", detail: RpcErrorDetail<"/after">): RpcError;
};

/** The filters of a list of deliveries. */
export interface DeliveriesAsked extends Pick<
  DeliveryQuery,
  "subscriptionId" | "accountNumber" | "eventId" | "state"
> {
  readonly from?: string;
  readonly to?: string;
  readonly pageSize?: number;
  readonly after?: string;
}

/** A page of deliveries, the newest first, as far as the caller may see them. */
export async function deliveriesPage(context: Context, asked: DeliveriesAsked): Promise<DeliveryPage> {
  const { store, caller } = context;
  const { subscriptionId, accountNumber, eventId, state, pageSize = standardPageSize } = asked;
  const found = await store.deliveries.list({
    institutionId: caller.institutionId,
    ...omitUndefined({ subscriptionId, accountNumber, eventId, state }),
    ...timeRange(asked),
    ...omitUndefined({ after: placeOf(context, asked.after) }),
    limit: pageSize + 1,
  });
  const { items, next } = pageOf(found, pageSize, pageToken);
  const visible = await scopedReader(context).deliveriesOf(items);
  return { deliveries: visible.map(deliveryOf), ...omitUndefined({ next } satisfies Given<DeliveryPage>) };
}

/** Times of a range in milliseconds. Their format was checked before. */
export function timeRange({ from, to }: { readonly from?: string; readonly to?: string }): {
  readonly from?: number;
  readonly to?: number;
} {
  return omitUndefined({
    from: from === undefined ? undefined : parseTimestamp(from),
    to: to === undefined ? undefined : parseTimestamp(to),
  });
}
