import { both, choice, port, text, type Setting } from "./setting.ts";

/** Mails. */
export const mailSettings: readonly Setting[] = [
  {
    path: "mail.transport",
    env: "LEDGER_MAIL_TRANSPORT",
    kind: choice("folder", "smtp"),
    sandbox: "folder",
    needed: true,
    doc: "folder: files in <dataDir>/mail. smtp: a server.",
  },
  {
    path: "mail.from",
    env: "LEDGER_MAIL_FROM",
    kind: text,
    sandbox: "ledger@localhost",
    needed: true,
    doc: "Sender of all mails.",
  },
  { path: "mail.smtp.host", env: "LEDGER_SMTP_HOST", kind: text, doc: "SMTP server." },
  { path: "mail.smtp.port", env: "LEDGER_SMTP_PORT", kind: port, ...both(587), doc: "Its port." },
  {
    path: "mail.smtp.security",
    env: "LEDGER_SMTP_SECURITY",
    kind: choice("tls", "starttls", "none"),
    ...both("starttls"),
    doc: "tls: from the first byte. starttls: required upgrade. none: for a relay on this machine.",
  },
  { path: "mail.smtp.user", env: "LEDGER_SMTP_USER", kind: text, doc: "User at the SMTP server." },
  {
    path: "mail.smtp.password",
    env: "LEDGER_SMTP_PASSWORD",
    kind: text,
    secret: true,
    doc: "Password at the SMTP server.",
  },
];
