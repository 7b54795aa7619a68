export { folderMailer, smtpMailer, type FolderMailerOptions, type SmtpMailerOptions } from "./mailers.ts";
export type { MailObserver } from "./mail-jobs.ts";
export { ownMailsOnly } from "./render-mail.ts";
export { removeMail } from "./stored-mails.ts";
