import type { EventRecord } from "../../ports/index.ts";

type WithPayloads = Pick<EventRecord, "payloadJson" | "otherPayloads">;

/**
 * An event with the payload for a recipient of these account numbers. Where each number has a payload of its own (D-40,
 * D-49), that is the first number's; otherwise the payload stays as recorded.
 */
export function eventFor<E extends WithPayloads>(event: E, accountNumbers: readonly string[]): E {
  const others = event.otherPayloads ?? [];
  const own = accountNumbers.map((number) => others.find(({ accountNumber }) => accountNumber === number));
  const [first] = own;
  return first === undefined || own.includes(undefined)
    ? event
    : { ...event, payloadJson: first.payloadJson };
}
