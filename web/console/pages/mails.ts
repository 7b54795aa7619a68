import type { GetMailResult, Mail, MailState } from "../../../generated/operator/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { textOf } from "../../shared/json.ts";
import { load } from "../../shared/load.ts";
import { every, linkTo } from "../../shared/page.ts";
import { listOf } from "../../shared/schema.ts";
import { badge, facts, table, time } from "../../shared/view.ts";
import type { ConsolePage, PageContext } from "../page.ts";
import { actionButton } from "../session.ts";
import { filterLink } from "./deliveries.ts";

const liveSeconds = 3;

export const mailsPage: ConsolePage = {
  name: "mails",
  title: "Mails",
  operation: ([first]) => (first === undefined || first === "in" ? "ListMails" : "GetMail"),
  show(context) {
    const [first, second] = context.args;
    if (first === undefined) showList(context, undefined);
    else if (first === "in" && second !== undefined) showList(context, second);
    else showMail(context, first);
  },
};

function showList({ session, main, signal, refresh }: PageContext, state: string | undefined): void {
  const states = listOf(session.schema.of("MailState")["enum"]).map(textOf);
  const isState = (text = ""): text is MailState => states.includes(text);
  const known = isState(state) ? state : undefined;
  const place = el("div", { class: "content", "aria-live": "off" });
  const read = async () =>
    (await session.client.listMails({ pageSize: 50, ...(known !== undefined && { state: known }) })).mails;
  const again = () => load(place, read, mailTable);
  show(
    main,
    el("h1", {}, "Mails", known === undefined ? undefined : `: ${known}`),
    el(
      "p",
      { class: "actions" },
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

function mailTable(mails: readonly Mail[]): Child {
  return table(
    "Mails, the newest first",
    [
      { title: "Mail", of: ({ mailId, kind }) => linkTo(["mails", mailId], kind) },
      { title: "To", of: recipientOf },
      { title: "State", of: ({ state }) => badge(state) },
      { title: "Attempts", of: ({ attempts }) => attempts, isNumber: true },
      { title: "Written", of: ({ createdDate }) => time(createdDate) },
      { title: "Next attempt", of: ({ nextAttemptDate }) => time(nextAttemptDate) },
    ],
    mails,
    "There is no such mail.",
  );
}

function recipientOf({ userName, legalRepId }: Mail): Child {
  return userName === undefined ? legalRepId : linkTo(["users", userName]);
}

function showMail(context: PageContext, mailId: string): void {
  const place = el("div", { class: "content" });
  const read = () => context.session.client.getMail({ mailId });
  void load(place, read, (result) => mailDetails(context, result));
  show(context.main, el("h1", {}, "Mail"), el("section", {}, el("h2", {}, mailId), place));
}

function mailDetails({ session, refresh }: PageContext, { mail, attemptsMade }: GetMailResult): Child {
  const fixed = { mailId: mail.mailId };
  return [
    facts([
      ["About", mail.kind],
      ["To", recipientOf(mail)],
      ["State", badge(mail.state)],
      ["Written", time(mail.createdDate)],
      ["Next attempt", time(mail.nextAttemptDate)],
      ["Failed", time(mail.failedDate)],
      ["Sent", time(mail.sentDate)],
      ["Dropped", time(mail.expiryDate)],
    ]),
    el(
      "p",
      { class: "actions" },
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
