const cancelled = {
  REVOKED: "The credential of the subscription's user was revoked.",
  DELETED: "The subscription was deleted.",
  NOT_RESUMED: "The subscription was enabled without what it had missed.",
  TEST: "A test event is sent once, and this one did not arrive: the last attempt below says why. Mend that, then send it again.",
};

const disabled = {
  OPERATOR: "by the operator",
  SUBSCRIBER: "by its own user",
  FAILING: "because nothing arrived for 120 hours",
  GONE: "because its address answered 410",
  REVOKED: "because its user's last credential was revoked",
};

/** Failures of an attempt: `failure` of a DeliveryAttempt, `lastFailure` of a subscription's statistics. */
const failures = {
  timeout: "no answer in time",
  "refused-address": "the address is one that the service does not send to",
  name: "the name of the host has no address",
  connect: "no connection to the address",
  tls: "no TLS connection that the service trusts",
  connection: "the connection broke",
  redirect: "answered with a redirect, which is not followed",
  gone: "answered 410: the address is gone",
  status: "answered with a status other than 2xx",
  response: "the answer was no HTTP",
  unsendable: "the address is none that can be sent to",
  shutdown: "the service stopped during the attempt",
};

/** Why an event is no longer to be sent, as a sentence. */
export function cancelText(reason: string | undefined): string | undefined {
  return wordsOf(cancelled, reason);
}

/** By whom or why a subscription is disabled, after "disabled". */
export function disabledText(reason: string | undefined): string | undefined {
  return wordsOf(disabled, reason);
}

/** Why an attempt failed. */
export function failureWords(failure: string | undefined): string | undefined {
  return wordsOf(failures, failure);
}

/** A reason that is newer than the page stays as it is. */
function wordsOf(words: Readonly<Record<string, string>>, reason: string | undefined): string | undefined {
  return reason !== undefined && Object.hasOwn(words, reason) ? words[reason] : reason;
}

/** A text that someone chose, so that it is seen: one of blanks alone would be an empty place. */
export function seen(text: string): string {
  return /^[\p{Z}\p{C}\u115f\u1160\u2800\u3164\uffa0]*$/u.test(text) ? `“${text}” (blank)` : text;
}

/** The same for a text that may be absent. */
export function seenIfAny(text: string | undefined): string | undefined {
  return text === undefined ? undefined : seen(text);
}
