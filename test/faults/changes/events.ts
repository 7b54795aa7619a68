import type { EventDeliveryOptions } from "../../../runtime/events/index.ts";
import type { OutboxEventRecord } from "../../../runtime/store/ports/index.ts";
import type { AnyOptions, Fault, Notification } from "../fault.ts";
import { changedStore, withStore, type StoreChanges } from "./store.ts";

/** Each event is written to the outbox otherwise: not at all, changed, or several times. */
export function withEvents(
  change: (event: OutboxEventRecord, options: AnyOptions) => readonly OutboxEventRecord[],
): Pick<Fault, "options" | "operatorOptions"> {
  const changed = (options: AnyOptions): AnyOptions =>
    withStore({
      writing: ({ outboxEvents }) => ({
        outboxEvents: {
          ...outboxEvents,
          async insert(event) {
            for (const each of change(event, options)) await outboxEvents.insert(each);
          },
        },
      }),
    })(options);
  return { options: changed, operatorOptions: changed };
}

/** The payload of each event is another. */
export function withEventPayload(
  change: (payload: Readonly<Record<string, unknown>>) => object,
): Pick<Fault, "options" | "operatorOptions"> {
  const text = (json: string): string => JSON.stringify(change(JSON.parse(json)));
  return withEvents((event) => [
    {
      ...event,
      payloadJson: text(event.payloadJson),
      ...(event.otherPayloads && {
        otherPayloads: event.otherPayloads.map((other) => ({
          ...other,
          payloadJson: text(other.payloadJson),
        })),
      }),
    },
  ]);
}

/** Events are delivered from another store. */
export function deliveredFrom(changes: StoreChanges): NonNullable<Fault["delivery"]> {
  return (options: EventDeliveryOptions) => ({ ...options, store: changedStore(options.store, changes) });
}

/** One header of each notification is changed; `undefined` leaves it out. */
export function withNotificationHeader(
  name: string,
  change: (value: string) => string | undefined,
): NonNullable<Fault["notification"]> {
  return ({ headers, body }: Notification) => {
    const { [name]: value = "", ...others } = headers;
    const changed = change(value);
    return { body, headers: changed === undefined ? others : { ...others, [name]: changed } };
  };
}
