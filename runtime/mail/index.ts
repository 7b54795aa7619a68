export { renderMail } from "./render.ts";
export { folderMailer, smtpMailer, type FolderMailerOptions, type SmtpMailerOptions } from "./mailers.ts";
export { mailRelay, type MailRelay, type MailRelayOptions } from "./mail-dispatcher.ts";
