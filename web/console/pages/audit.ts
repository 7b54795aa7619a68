import type { AuditEntry } from "../../../generated/admin/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { textOf } from "../../shared/json.ts";
import { load } from "../../shared/load.ts";
import { filterForm, linkTo, pagedList } from "../../shared/page.ts";
import { listOf } from "../../shared/schema.ts";
import { actions, copyable, notice, table, time } from "../../shared/view.ts";
import type { ConsolePage, PageContext, Session } from "../session.ts";

export const auditPage: ConsolePage = {
  name: "audit",
  title: "Audit",
  operation: () => "ListAudit",
  show(context) {
    const { session, main, args } = context;
    const [subjectText, subjectId] = args;
    const subjects = listOf(session.schema.of("AuditSubject")["enum"]).map(textOf);
    // Without a list, kinds of the application's own are among them.
    const subject = subjects.length === 0 || subjects.includes(subjectText ?? "") ? subjectText : undefined;
    const root = el("div", { class: "content" });
    const compute = el(
      "button",
      { type: "button", onclick: () => void load(root, () => rootOf(session, root), rootText) },
      "Compute the root of all entries",
    );
    show(
      main,
      el("h1", {}, "Audit"),
      filters(subjects, subject, subjectId),
      actions(compute),
      root,
      listOfEntries(context, subject, subjectId),
    );
  },
};

function filters(
  subjects: readonly string[],
  subject: string | undefined,
  subjectId: string | undefined,
): HTMLElement {
  const select =
    subjects.length === 0
      ? el("input", { id: "subject", type: "search", spellcheck: "false", placeholder: "everything" })
      : el(
          "select",
          { id: "subject" },
          el("option", { value: "" }, "everything"),
          subjects.map((each) => el("option", { value: each }, each)),
        );
  select.value = subject ?? "";
  const input = el("input", { id: "subject-id", type: "search", spellcheck: "false" });
  input.value = subjectId ?? "";
  const apply = () => {
    const parts = [select.value, input.value].filter((part) => part !== "");
    location.hash = `#/${["audit", ...(select.value === "" ? [] : parts)].map(encodeURIComponent).join("/")}`;
  };
  return filterForm(
    [
      el("div", { class: "field" }, el("label", { for: "subject" }, "Kind"), select),
      el("div", { class: "field" }, el("label", { for: "subject-id" }, "Identifier"), input),
    ],
    apply,
  );
}

function listOfEntries(
  { session }: PageContext,
  subject: string | undefined,
  subjectId: string | undefined,
): HTMLElement {
  const by = {
    ...(subject !== undefined && { subject }),
    ...(subject !== undefined && subjectId !== undefined && { subjectId }),
  };
  return pagedList(
    (place) => session.client.listAudit({ pageSize: 50, order: "NEWEST", ...by, ...place }),
    ({ entries }) => entries,
    entryTable,
  );
}

/** Entries of the audit log, the newest first. */
export function entryTable(entries: readonly AuditEntry[]): Child {
  return table(
    "Audit entries, the newest first",
    [
      { title: "No.", of: ({ sequence }) => sequence, isNumber: true },
      { title: "Time", of: ({ changedDate }) => time(changedDate) },
      { title: "Operation", of: ({ operation }) => operation },
      { title: "By", of: ({ actor, keyId }) => [actor, keyId === undefined ? "" : ` with ${keyId}`] },
      {
        title: "Of",
        of: (entry) =>
          linkTo(["audit", entry.subject, entry.subjectId], `${entry.subject} ${entry.subjectId}`),
      },
      { title: "Changes", of: changesOf },
    ],
    entries,
    "There is no such entry.",
  );
}

function changesOf({ changes }: AuditEntry): Child {
  return el(
    "ul",
    { class: "changes" },
    changes.map(({ field, from, to }) =>
      el("li", {}, `${field}: `, valueOf(field, from), " → ", valueOf(field, to)),
    ),
  );
}

/** A value as it is recorded; points in time, which are kept in milliseconds, as such. */
function valueOf(field: string, value: string | undefined): Child {
  const isTime = field.endsWith("At") && value !== undefined && /^\d{13}$/.test(value);
  return isTime ? time(new Date(Number(value)).toISOString()) : (value ?? "—");
}

/** The root over all entries of the institution, in the form of docs/verify.md. */
interface ComputedRoot {
  readonly count: number;
  readonly root: string;
  /** The first number that is missing. */
  readonly gapAt?: number;
}

async function rootOf(session: Session, place: HTMLElement): Promise<ComputedRoot> {
  let root = await sha256(["ledger-root/1"]);
  let count = 0;
  let after: string | undefined;
  do {
    const page = await session.client.listAudit({
      pageSize: 200,
      order: "OLDEST",
      ...(after !== undefined && { after }),
    });
    for (const { sequence, hash } of page.entries) {
      if (sequence !== count + 1) return { count, root, gapAt: count + 1 };
      root = await sha256(["ledger-root/1", root, hash]);
      count += 1;
    }
    after = page.next;
    show(place, el("p", { class: "loading" }, `${count} entries …`));
  } while (after !== undefined);
  return { count, root };
}

function rootText({ count, root, gapAt }: ComputedRoot): Child {
  if (gapAt !== undefined)
    return notice(
      "hint",
      `Entry ${gapAt} of your institution is missing. Run the server's command verify: it compares all records with their entries.`,
    );
  return notice(
    "done",
    `The root of the ${count} entries of your institution. The service logs the same one if it has no other institution: `,
    copyable(`${count}:${root}`),
  );
}

async function sha256(value: readonly string[]): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(value)));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
