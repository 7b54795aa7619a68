import type { EventRecord } from "../../store/ports/index.ts";

type WithPayloads = Pick<EventRecord, "payloadJson" | "otherPayloads">;

/**
 * An event with the payload for a recipient of these topics. Where each topic has a payload of its own (D-40, D-49), that
 * is the first topic's; otherwise the payload stays as recorded.
 */
export function eventFor<E extends WithPayloads>(event: E, topics: readonly string[]): E {
  const others = event.otherPayloads ?? [];
  const own = topics.map((topic) => others.find((each) => each.topic === topic));
  const [first] = own;
  return first === undefined || own.includes(undefined)
    ? event
    : { ...event, payloadJson: first.payloadJson };
}
