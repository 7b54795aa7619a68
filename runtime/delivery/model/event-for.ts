import type { EventRecord } from "../../ports/index.ts";

type Worded = Pick<EventRecord, "payloadJson" | "otherPayloads">;

/**
 * An event as it is told to a recipient who holds these of its accounts. A transaction between two customers names to
 * each side its own (D-49); who holds both sides is told what was recorded.
 */
export function eventFor<E extends Worded>(event: E, accountNumbers: readonly string[]): E {
  const others = event.otherPayloads ?? [];
  const own = accountNumbers.map((number) => others.find(({ accountNumber }) => accountNumber === number));
  const [first] = own;
  return first === undefined || own.includes(undefined)
    ? event
    : { ...event, payloadJson: first.payloadJson };
}
