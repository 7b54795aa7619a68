import type { GetMailResult, Mail, MailState, UserSummary } from "../../../generated/admin/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { textOf } from "../../shared/json.ts";
import { load } from "../../shared/load.ts";
import { titled, every, linkTo, type ContextOf, type PageOf } from "../../shared/page.ts";
import { listOf } from "../../shared/schema.ts";
import { actions, badge, facts, table, time } from "../../shared/view.ts";
import { actionButton, type Session } from "../session.ts";
import { filterLink } from "./deliveries.ts";

const liveSeconds = 3;

/** Whom a mail goes to where that is no user. */
type Recipient<OwnMail> = (mail: OwnMail) => Child;
type MailContext<OwnMail extends Mail> = ContextOf<Session<UserSummary, OwnMail>>;

/** Mails that wait, have failed or were sent. */
export function mailsPageOf<OwnMail extends Mail>(
  recipientOf: Recipient<OwnMail>,
): PageOf<Session<UserSummary, OwnMail>> {
  const toOf: Recipient<OwnMail> = (mail) =>
    mail.userName === undefined ? recipientOf(mail) : linkTo(["users", mail.userName]);
  return {
    name: "mails",
    title: "Mails",
    operation: ([first]) => (first === undefined || first === "in" ? "ListMails" : "GetMail"),
    show(context) {
      const [first, second] = context.args;
      if (first === undefined) showList(context, toOf, undefined);
      else if (first === "in" && second !== undefined) showList(context, toOf, second);
      else showMail(context, toOf, first);
    },
  };
}

/** The mails of an application that adds nothing to them. */
export const mailsPage: PageOf<Session> = mailsPageOf(({ recipientId }: Mail) => recipientId);

function showList<OwnMail extends Mail>(
  { session, main, signal, refresh }: MailContext<OwnMail>,
  toOf: Recipient<OwnMail>,
  state: string | undefined,
): void {
  const states = listOf(session.schema.of("MailState")["enum"]).map(textOf);
  const isState = (text = ""): text is MailState => states.includes(text);
  const known = isState(state) ? state : undefined;
  const place = el("div", { class: "content", "aria-live": "off" });
  const read = async () =>
    (await session.client.listMails({ pageSize: 50, ...(known !== undefined && { state: known }) })).mails;
  const again = () => load(place, read, (mails) => mailTable(mails, toOf));
  show(
    main,
    el("h1", {}, "Mails", known === undefined ? undefined : `: ${known}`),
    actions(
      filterLink(["mails"], "All", known === undefined),
      states.map((each) => filterLink(["mails", "in", each], each, each === known)),
      actionButton(session, "ResendFailedMails", {
        label: "Send the failed ones again",
        done: ({ queued }) => `${queued} are on their way again.`,
        refresh,
      }),
    ),
    el("p", { class: "hint" }, `The newest 50, read again every ${liveSeconds} seconds.`),
    place,
  );
  void again();
  every(liveSeconds, signal, again);
}

function mailTable<OwnMail extends Mail>(mails: readonly OwnMail[], toOf: Recipient<OwnMail>): Child {
  return table(
    "Mails, the newest first",
    [
      { title: "Mail", of: ({ mailId, kind }) => linkTo(["mails", mailId], kind) },
      { title: "To", of: toOf },
      { title: "State", of: ({ state }) => badge(state) },
      { title: "Attempts", of: ({ attempts }) => attempts, isNumber: true },
      { title: "Written", of: ({ createdDate }) => time(createdDate) },
      { title: "Next attempt", of: ({ nextAttemptDate }) => time(nextAttemptDate) },
    ],
    mails,
    "There is no such mail.",
  );
}

function showMail<OwnMail extends Mail>(
  context: MailContext<OwnMail>,
  toOf: Recipient<OwnMail>,
  mailId: string,
): void {
  const place = el("div", { class: "content" });
  const read = () => context.session.client.getMail({ mailId });
  void load(place, read, (result) => mailDetails(context, toOf, result));
  show(context.main, el("h1", {}, "Mail"), titled(mailId, place));
}

function mailDetails<OwnMail extends Mail>(
  { session, refresh }: MailContext<OwnMail>,
  toOf: Recipient<OwnMail>,
  { mail, attemptsMade }: { readonly mail: OwnMail } & Pick<GetMailResult, "attemptsMade">,
): Child {
  const fixed = { mailId: mail.mailId };
  return [
    facts([
      ["About", mail.kind],
      ["To", toOf(mail)],
      ["State", badge(mail.state)],
      ["Written", time(mail.createdDate)],
      ["Next attempt", time(mail.nextAttemptDate)],
      ["Failed", time(mail.failedDate)],
      ["Sent", time(mail.sentDate)],
      ["Dropped", time(mail.expiryDate)],
    ]),
    actions(
      mail.state === "SENT"
        ? undefined
        : actionButton(session, "ResendMail", {
            label: "Send it again",
            fixed,
            done: ({ state }) => `It is ${state} now.`,
            refresh,
          }),
      actionButton(session, "RemoveMail", {
        label: "Remove it",
        fixed,
        done: () => "It was removed.",
        refresh,
      }),
    ),
    table(
      "Attempts",
      [
        { title: "No.", of: ({ number }) => number, isNumber: true },
        { title: "Began", of: ({ startedDate }) => time(startedDate) },
        { title: "Took", of: ({ durationMs }) => `${durationMs} ms`, isNumber: true },
        { title: "Failure", of: ({ failure }) => failure ?? "none: it was sent" },
        { title: "Said", of: ({ detail }) => detail },
      ],
      attemptsMade,
      "It has not been tried yet.",
    ),
  ];
}
