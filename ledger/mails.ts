import type { MailDraft, MailMessage } from "../runtime/ports/index.ts";

const issuer = "Ledger portal";

/** The bank's mails. Turns a draft into the message that is sent: plain text, and HTML with a QR picture where there is one to scan. */
export async function renderMail(draft: MailDraft): Promise<MailMessage> {
  switch (draft.kind) {
    case "one-time-password":
      return {
        to: draft.to,
        subject: "Your one-time password",
        text: [
          `Your one-time password is ${draft.otp}.`,
          "",
          `It registers a device for signing requests, works once and is valid for ${draft.validMinutes} minutes.`,
          "If you did not ask for it, ignore this mail and tell your bank.",
          "",
        ].join("\n"),
      };
    case "portal-login":
      return renderPortalLogin(draft);
    case "endpoint-failing":
    case "endpoint-given-up":
    case "endpoint-gone":
      return renderEndpoint(draft);
    case "events-waiting":
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
}

type EndpointDraft = Extract<MailDraft, { kind: `endpoint-${string}` }>;

const endpointTexts: Readonly<Record<EndpointDraft["kind"], { subject: string; text: string }>> = {
  "endpoint-failing": {
    subject: "Your notifications do not arrive",
    text: "None has arrived since then. They are tried again for some days; after 120 hours the subscription is disabled.",
  },
  "endpoint-given-up": {
    subject: "Your subscription was disabled: notifications do not arrive",
    text: "None has arrived for 120 hours, so the subscription was disabled. Ask your bank to enable it again, with or without what was missed.",
  },
  "endpoint-gone": {
    subject: "Your subscription was disabled: its address is gone",
    text: "The address answered 410 Gone, so the subscription was disabled. Ask your bank to enable it again if that was a mistake.",
  },
};

function renderEndpoint(draft: EndpointDraft): MailMessage {
  const { subject, text } = endpointTexts[draft.kind];
  const { failingSince, lastFailure } = draft;
  return {
    to: draft.to,
    subject,
    text: [
      `Subscription:   ${draft.subscriptionName} (${draft.subscriptionId})`,
      `Sent to:        ${draft.host}`,
      ...(failingSince === undefined ? [] : [`Failing since:  ${new Date(failingSince).toISOString()}`]),
      ...(lastFailure === undefined ? [] : [`Last failure:   ${lastFailure}`]),
      "",
      text,
      "",
    ].join("\n"),
  };
}

async function renderPortalLogin(draft: Extract<MailDraft, { kind: "portal-login" }>): Promise<MailMessage> {
  const { toDataURL } = await import("qrcode");
  const label = encodeURIComponent(`${issuer}:${draft.userName}`);
  const uri = `otpauth://totp/${label}?secret=${draft.totpSecret}&issuer=${encodeURIComponent(issuer)}`;
  const picture = await toDataURL(uri, { type: "image/png", margin: 2, width: 240 });
  const lines = [
    `Dear ${draft.name},`,
    "",
    "your login for the customer portal:",
    "",
    `  Username:            ${draft.userName}`,
    `  One-time password:   ${draft.password}`,
    `  Authenticator code:  ${draft.totpSecret}`,
    "",
    "Choose a password of your own at the first login. Scan the attached picture with your authenticator app, or",
    "type the authenticator code. An earlier login of yours no longer works.",
    "",
  ];
  const html = [
    `<p>Dear ${escapeHtml(draft.name)},</p><p>your login for the customer portal:</p><table>`,
    row("Username", draft.userName),
    row("One-time password", draft.password),
    row("Authenticator code", draft.totpSecret),
    `</table><p><img src="cid:authenticator" width="240" height="240" alt="QR picture for your authenticator app"></p>`,
    "<p>Choose a password of your own at the first login. Scan the picture with your authenticator app, or type the",
    " authenticator code. An earlier login of yours no longer works.</p>",
  ];
  return {
    to: draft.to,
    subject: "Your login for the customer portal",
    text: lines.join("\n"),
    html: html.join(""),
    attachments: [
      {
        fileName: "authenticator.png",
        contentType: "image/png",
        contentId: "authenticator",
        contentBase64: picture.slice(picture.indexOf(",") + 1),
      },
    ],
  };
}

function row(name: string, value: string): string {
  return `<tr><th align="left">${name}</th><td><code>${escapeHtml(value)}</code></td></tr>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
