import { crc32, deflateSync } from "node:zlib";
import type { QRCode } from "qrcode";
import type { MailDraft, MailMessage } from "../ports/index.ts";

const issuer = "Ledger portal";

/** Turns a draft into the message that is sent: plain text, and HTML with a QR picture where there is one to scan. */
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
  const { default: qrcode } = await import("qrcode");
  const label = encodeURIComponent(`${issuer}:${draft.userName}`);
  const uri = `otpauth://totp/${label}?secret=${draft.totpSecret}&issuer=${encodeURIComponent(issuer)}`;
  const picture = pictureOf(qrcode.create(uri));
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
        contentBase64: picture.toString("base64"),
      },
    ],
  };
}

const modulePixels = 5;
const marginModules = 2;

/** A PNG of one bit a pixel (RFC 2083). The library's own has 32 bits, and takes ten times the processor time. */
function pictureOf({ modules }: QRCode): Buffer {
  const across = modules.size + 2 * marginModules;
  const lines = Array.from({ length: across }, (_, index) => lineOf(modules, index - marginModules, across));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(across * modulePixels, 0);
  header.writeUInt32BE(across * modulePixels, 4);
  header.writeUInt8(1, 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk(
      "IDAT",
      deflateSync(Buffer.concat(lines.flatMap((line) => Array.from({ length: modulePixels }, () => line)))),
    ),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** One line of pixels through a row of modules, behind the byte that says that it has no filter. Dark ones are 0. */
function lineOf(modules: QRCode["modules"], row: number, across: number): Buffer {
  const line = Buffer.alloc(1 + Math.ceil((across * modulePixels) / 8), 0xff);
  line[0] = 0;
  if (row < 0 || row >= modules.size) return line;
  for (let column = 0; column < modules.size; column += 1) {
    if (modules.get(row, column) === 0) continue;
    const left = (column + marginModules) * modulePixels;
    for (let x = left; x < left + modulePixels; x += 1) {
      const at = 1 + (x >> 3);
      line[at] = (line[at] ?? 0) & ~(0x80 >> (x & 7));
    }
  }
  return line;
}

/** Length, name, data and checksum. */
function chunk(name: string, data: Buffer): Buffer {
  const checked = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(checked));
  return Buffer.concat([length, checked, checksum]);
}

function row(name: string, value: string): string {
  return `<tr><th align="left">${name}</th><td><code>${escapeHtml(value)}</code></td></tr>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
