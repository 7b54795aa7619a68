import { el, type Child } from "./dom.ts";
import { load } from "./load.ts";
import { every } from "./page.ts";
import { cancelText, failureWords } from "./reasons.ts";
import { badge, facts, table, time } from "./view.ts";

/** A delivery as pages show it. */
export interface ShownDelivery {
  readonly eventName: string;
  readonly groupId: readonly string[];
  readonly sequence: number;
  readonly state: string;
  readonly createdDate: string;
  readonly deliveredDate?: string;
  readonly nextAttemptDate?: string;
  readonly deadDate?: string;
  readonly cancelReason?: string;
}

/** An attempt as pages show it. */
export interface ShownAttempt {
  readonly number: number;
  readonly startedDate: string;
  readonly durationMs: number;
  readonly status?: number;
  readonly failure?: string;
  readonly detail?: string;
  readonly response?: string;
  readonly responseTruncated: boolean;
}

/** Said where a delivery cannot be sent again. */
export const cannotResend = "Its subscription is disabled: enable it first, and then send this again.";

const againSeconds = 2;

/** A place that shows a delivery, and reads it again by itself as long as it is under way. */
export function liveDelivery<Read>(
  signal: AbortSignal,
  read: () => Promise<Read>,
  delivery: (shown: Read) => ShownDelivery,
  render: (shown: Read) => Child,
): { readonly place: HTMLElement; readonly again: () => Promise<void> } {
  const place = el("div", { class: "content", "aria-live": "off" });
  let state: string | undefined;
  const again = (): Promise<void> =>
    load(place, read, (shown) => {
      ({ state } = delivery(shown));
      return render(shown);
    });
  void again();
  every(againSeconds, signal, async () => {
    if (state === "PENDING" || state === "WAITING") await again();
  });
  return { place, again };
}

/** The state of a delivery to a subscription, as a list of facts. `topics` is what events of the application are about. */
export function deliveryFacts(delivery: ShownDelivery, subscription: Child, topics: string): Child {
  return facts([
    ["State", badge(delivery.state)],
    ["Event", delivery.eventName],
    ["Subscription", subscription],
    [topics, delivery.groupId.join(", ")],
    ["Number", delivery.sequence],
    ["Made", time(delivery.createdDate)],
    ["Delivered", time(delivery.deliveredDate)],
    ["Next attempt", time(delivery.nextAttemptDate)],
    ["Given up", time(delivery.deadDate)],
    ["Why it was cancelled", cancelText(delivery.cancelReason)],
  ]);
}

/** How each attempt went. */
export function attempts(attemptsMade: readonly ShownAttempt[]): Child {
  return [
    el("h3", {}, "Attempts"),
    table(
      "Attempts",
      [
        { title: "No.", of: ({ number }) => number, isNumber: true },
        { title: "Begun", of: ({ startedDate }) => time(startedDate) },
        { title: "Took", of: ({ durationMs }) => `${durationMs} ms`, isNumber: true },
        { title: "HTTP status", of: ({ status }) => status, isNumber: true },
        {
          title: "Failure",
          of: ({ failure, detail }) => [failureWords(failure), detail].filter(Boolean).join(": "),
        },
        {
          title: "Answer",
          of: ({ response, responseTruncated }) =>
            response === undefined
              ? undefined
              : el("code", {}, response, responseTruncated ? " …" : undefined),
        },
      ],
      attemptsMade,
      "No attempt was made yet.",
    ),
  ];
}

/** A notification as pages show it. */
export interface ShownNotification {
  readonly webhookId: string;
  readonly webhookTimestamp: string;
  readonly webhookSignature: string;
  readonly body: string;
}

/** Headers and body of a notification, as they are posted. */
export function notificationTexts(posted: ShownNotification): Child {
  return [
    exactText(
      "Headers",
      [
        "content-type: application/json",
        `webhook-id: ${posted.webhookId}`,
        `webhook-timestamp: ${posted.webhookTimestamp}`,
        `webhook-signature: ${posted.webhookSignature}`,
      ].join("\n"),
      "Each attempt is signed at its own time; this was signed when you opened the page.",
    ),
    exactText("Body", posted.body, "Byte for byte as it is posted."),
  ];
}

/** A text byte for byte, under a heading: what was signed is not set out anew. */
export function exactText(heading: string, text: string, remark: string): Child {
  return [el("h3", {}, heading), el("p", {}, remark), el("pre", { tabindex: "0" }, text)];
}
