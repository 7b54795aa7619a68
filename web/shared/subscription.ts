import type { Child } from "./dom.ts";
import { disabledText, failureWords, seen } from "./reasons.ts";
import { badge, facts, notice, time } from "./view.ts";

/** A subscription as pages show it. */
export interface ShownSubscription {
  readonly name: string;
  readonly callbackUrl: string;
  readonly events: readonly string[];
  readonly groupId: readonly string[];
  readonly enabled: boolean;
  readonly disabledReason?: string;
  readonly ordered: boolean;
  readonly createdDate: string;
  readonly statistics: {
    readonly delivered: number;
    readonly failedAttempts: number;
    readonly deadLetters: number;
    readonly pending: number;
    readonly waiting: number;
    readonly held: number;
    readonly lastDeliveredDate?: string;
    readonly lastFailedDate?: string;
    readonly lastFailure?: string;
    readonly failingSince?: string;
    readonly pausedUntil?: string;
  };
}

/** Whether events are sent to it and arrive. */
export function subscriptionState({
  enabled,
  disabledReason,
  statistics,
}: Pick<ShownSubscription, "enabled" | "disabledReason" | "statistics">): Child {
  if (!enabled) return [badge("disabled"), " ", disabledText(disabledReason)];
  const state = statistics.failingSince === undefined ? badge("enabled") : badge("failing");
  const { pausedUntil } = statistics;
  return pausedUntil === undefined ? state : [state, " paused until ", time(pausedUntil)];
}

/** How many deliveries wait: for an attempt, for others before them, or for the subscription to be enabled. */
export function waitingCount({ statistics }: Pick<ShownSubscription, "statistics">): number {
  return statistics.pending + statistics.waiting + statistics.held;
}

/** All of it, with what a page adds; first that its deliveries fail. `topics` is what events of the application are about. */
export function subscriptionFacts(
  subscription: ShownSubscription,
  topics: string,
  more: readonly (readonly [string, Child])[] = [],
): Child {
  const { statistics } = subscription;
  return [
    statistics.failingSince === undefined
      ? undefined
      : notice(
          "error",
          "Deliveries have failed since ",
          time(statistics.failingSince),
          `: ${failureWords(statistics.lastFailure) ?? ""}`,
        ),
    facts([
      ["State", subscriptionState(subscription)],
      ["Name", seen(subscription.name)],
      ...more,
      ["Callback address", subscription.callbackUrl],
      ["Events", subscription.events.join(", ")],
      [topics, subscription.groupId.join(", ") || "all"],
      ["In order", subscription.ordered ? "yes" : "no"],
      ["Delivered", statistics.delivered],
      ["Failed attempts", statistics.failedAttempts],
      ["Dead letters", statistics.deadLetters],
      ["Waiting", statistics.pending + statistics.waiting],
      ["Held", statistics.held],
      ["Last delivered", time(statistics.lastDeliveredDate)],
      ["Last failed", time(statistics.lastFailedDate)],
      ["Paused until", time(statistics.pausedUntil)],
      ["Since", time(subscription.createdDate)],
    ]),
  ];
}
