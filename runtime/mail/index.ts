export { renderMail } from "./render.ts";
export { folderMailer, smtpMailer, type FolderMailerOptions, type SmtpMailerOptions } from "./mailers.ts";
export {
  startMailDispatcher,
  type MailDispatcher,
  type MailDispatcherOptions,
  type MailObserver,
} from "./mail-dispatcher.ts";
