import type { MailDraft, MailRenderers } from "../../pipeline/handler-context.ts";
import type { MailMessage } from "../../store/ports/index.ts";

/** The mails that the engine itself sends, about subscriptions of the user they go to. */
export type OwnMailDraft =
  | {
      /**
       * About a subscription's endpoint: nothing has arrived for a day or for 120 hours, or it answered 410.
       */
      readonly kind: "endpoint-failing" | "endpoint-given-up" | "endpoint-gone";
      readonly to: string;
      readonly subscriptionName: string;
      readonly subscriptionId: string;
      /** Host of the callback address; the rest of it may be secret. */
      readonly host: string;
      /** Start of the first failed attempt since the last success. */
      readonly failingSince?: number;
      /** The word of the last failure. */
      readonly lastFailure?: string;
    }
  | {
      /** To a user whose deliveries that wait have reached their limit. */
      readonly kind: "events-waiting";
      readonly to: string;
      readonly waiting: number;
    };

type EndpointMailDraft = Extract<OwnMailDraft, { kind: `endpoint-${string}` }>;
export type EndpointMailKind = EndpointMailDraft["kind"];

/** The texts of an application that has no mails of its own. */
export const ownMailsOnly: MailRenderers = {
  operator: "the operator of the service",
  render({ kind }) {
    throw new Error(`a mail of kind ${kind} has no renderer: the application names none`);
  },
};

/** Writes the message of a mail from the draft that waited. An earlier build kept the message itself: it is sent as it is. */
export function renderMail(draftJson: string, renderers: MailRenderers): MailMessage | Promise<MailMessage> {
  const draft: OwnMailDraft | MailDraft | MailMessage = JSON.parse(draftJson);
  if (!("kind" in draft)) return draft;
  return isOwn(draft) ? renderOwn(draft, renderers) : renderers.render(draft);
}

function isOwn(draft: OwnMailDraft | MailDraft): draft is OwnMailDraft {
  return draft.kind === "events-waiting" || draft.kind in endpointSubjects;
}

function renderOwn(draft: OwnMailDraft, { operator }: MailRenderers): MailMessage {
  if (draft.kind !== "events-waiting") return renderEndpoint(draft, operator);
  return {
    to: draft.to,
    subject: "Your notifications wait",
    text: [
      `${draft.waiting} of your notifications have not arrived yet, the most that may wait.`,
      "",
      "Further events of yours are kept, and are sent once these have arrived. Nothing is lost. See whether the addresses",
      "of your subscriptions answer, and delete or enable subscriptions that are disabled.",
      "",
    ].join("\n"),
  };
}

const endpointSubjects: Readonly<Record<EndpointMailKind, string>> = {
  "endpoint-failing": "Your notifications do not arrive",
  "endpoint-given-up": "Your subscription was disabled: notifications do not arrive",
  "endpoint-gone": "Your subscription was disabled: its address is gone",
};

function renderEndpoint(draft: EndpointMailDraft, operator: string): MailMessage {
  const { failingSince, lastFailure } = draft;
  const texts: Readonly<Record<EndpointMailKind, string>> = {
    "endpoint-failing":
      "None has arrived since then. They are tried again for some days; after 120 hours the subscription is disabled.",
    "endpoint-given-up":
      `None has arrived for 120 hours, so the subscription was disabled. Ask ${operator} to enable it again, with or ` +
      "without what was missed.",
    "endpoint-gone":
      `The address answered 410 Gone, so the subscription was disabled. Ask ${operator} to enable it again if that was ` +
      "a mistake.",
  };
  return {
    to: draft.to,
    subject: endpointSubjects[draft.kind],
    text: [
      `Subscription:   ${draft.subscriptionName} (${draft.subscriptionId})`,
      `Sent to:        ${draft.host}`,
      ...(failingSince === undefined ? [] : [`Failing since:  ${new Date(failingSince).toISOString()}`]),
      ...(lastFailure === undefined ? [] : [`Last failure:   ${lastFailure}`]),
      "",
      texts[draft.kind],
      "",
    ].join("\n"),
  };
}
