import type { DeliveryPage } from "../../../../generated/operator/types.ts";
import {
  type Given,
  type RpcError,
  type RpcErrorDetail,
  omitUndefined,
} from "../../../../runtime/contract/index.ts";
import { parseTimestamp } from "../../../../runtime/contract/timestamps.ts";
import type { DeliveryQuery, DeliveryRecord } from "../../../../runtime/store/ports/index.ts";
import type { ReadContext } from "../../../../runtime/service/handler-context.ts";
import { deliveryOf } from "../../presenters/delivery.ts";
import { pageToken, placeOf, standardPageSize } from "../page-token.ts";
import { scopedReader } from "../scoped-reader.ts";
import { deliveryListing } from "../../../../runtime/store/tables/index.ts";

type Context = Pick<ReadContext, "store" | "caller"> & {
  error(code: "BAD_INPUT", detail: RpcErrorDetail<"/after">): RpcError;
};

/** The filters of a list of deliveries. */
export interface DeliveriesAsked extends Pick<DeliveryQuery, "subscriptionId" | "eventId" | "state"> {
  readonly accountNumber?: string;
  readonly from?: string;
  readonly to?: string;
  readonly pageSize?: number;
  readonly after?: string;
}

/** Deliveries that one call looks at, whether they fit or not: a call is never long. */
const lookedAtMax = 2_000;

/** A page of deliveries, the newest first, as far as the caller may see them. The next one goes on where this one stopped. */
export async function deliveriesPage(context: Context, asked: DeliveriesAsked): Promise<DeliveryPage> {
  const { store, caller } = context;
  const { subscriptionId, eventId, state, pageSize = standardPageSize } = asked;
  const limit = isFoundByIndex(asked) ? pageSize + 1 : lookedAtMax;
  const found = await store.page(
    deliveryListing({
      institutionId: caller.institutionId,
      ...omitUndefined({ subscriptionId, eventId }),
      ...(state === "DEAD" && subscriptionId === undefined ? { state } : {}),
      ...timeRange(asked),
      ...omitUndefined({ after: placeOf(context, asked.after) }),
      limit,
    }),
  );
  const { items, next } = fittingPage(found, asked, pageSize, limit);
  const visible = await scopedReader(context).deliveriesOf(items);
  return { deliveries: visible.map(deliveryOf), ...omitUndefined({ next } satisfies Given<DeliveryPage>) };
}

/** Whether an index leads to what is asked for, and to nothing else. */
function isFoundByIndex({ subscriptionId, accountNumber, state }: DeliveriesAsked): boolean {
  if (accountNumber !== undefined) return false;
  return state === undefined || (state === "DEAD" && subscriptionId === undefined);
}

function fittingPage(
  found: readonly DeliveryRecord[],
  { accountNumber, state }: DeliveriesAsked,
  size: number,
  limit: number,
): { readonly items: readonly DeliveryRecord[]; readonly next: string | undefined } {
  const items: DeliveryRecord[] = [];
  let last: DeliveryRecord | undefined;
  for (const delivery of found) {
    if (items.length === size) return { items, next: last && pageToken(last) };
    last = delivery;
    const isOfAccount = accountNumber === undefined || delivery.topics.includes(accountNumber);
    if (isOfAccount && (state ?? delivery.state) === delivery.state) items.push(delivery);
  }
  return { items, next: found.length === limit && last ? pageToken(last) : undefined };
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
