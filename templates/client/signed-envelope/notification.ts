/** What every notification has beside its payload. */
export interface NotificationHead<Name extends string> {
  /** Where it happened: the name of an event source. */
  readonly source: string;
  /** The same however often the event is delivered, and to whom. */
  readonly eventId: string;
  /** The name of the event. */
  readonly eventName: Name;
  /** Those of the subscription's group that the event is about. */
  readonly groupId: readonly string[];
  /** The subscription that it is delivered for. */
  readonly subscriptionId: string;
  /** When it happened: UTC, milliseconds, `Z`. */
  readonly timestamp: string;
  /** Grows by one for each first member of the group and subscription; 0 for a test. */
  readonly sequence: number;
  /** Base64 DER ECDSA P-256 over the payload's bytes, by the service's own key: verified already. */
  readonly signature: string;
}

/** An event as it is posted to a subscriber. */
export interface Notification<Name extends string, Payload> extends NotificationHead<Name> {
  /** The payload of the event. */
  readonly payload: Payload;
}

/**
 * Stands for the name of an event that only a newer service knows, which is any other text: read it as a `string`. It is a
 * literal, so that a `case` of another name excludes it; no event has this name.
 */
export type NewerEventName = "an event of a newer service";
