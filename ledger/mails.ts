import type { MailMessage } from "../runtime/store/ports/index.ts";
import type { MailRenderers } from "../runtime/pipeline/index.ts";

/** What the bank's mails are written from. Secrets go by mail only (D-20, D-35). */
export type BankMailDraft =
  | {
      readonly kind: "one-time-password";
      readonly to: string;
      readonly otp: string;
      readonly validMinutes: number;
    }
  | {
      readonly kind: "portal-login";
      readonly to: string;
      readonly name: string;
      readonly userName: string;
      readonly password: string;
      /** Base32. The mail also shows it as a QR picture of its `otpauth://` URI. */
      readonly totpSecret: string;
    };

const issuer = "Ledger portal";

/** The bank's mails: plain text, and HTML with a QR picture where there is one to scan. */
export const mails: MailRenderers = {
  operator: "your bank",
  render: (draft: BankMailDraft) => {
    switch (draft.kind) {
      case "one-time-password":
        return renderOneTimePassword(draft);
      case "portal-login":
        return renderPortalLogin(draft);
    }
  },
};

type DraftOf<Kind> = Extract<BankMailDraft, { kind: Kind }>;

function renderOneTimePassword({ to, otp, validMinutes }: DraftOf<"one-time-password">): MailMessage {
  return {
    to,
    subject: "Your one-time password",
    text: [
      `Your one-time password is ${otp}.`,
      "",
      `It registers a device for signing requests, works once and is valid for ${validMinutes} minutes.`,
      "If you did not ask for it, ignore this mail and tell your bank.",
      "",
    ].join("\n"),
  };
}

async function renderPortalLogin(draft: DraftOf<"portal-login">): Promise<MailMessage> {
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
