import type { Proposal } from "../../../generated/operator/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { isObject, textOf, type Json } from "../../shared/json.ts";
import { linkTo, pagedList, section } from "../../shared/page.ts";
import { seen, seenIfAny } from "../../shared/reasons.ts";
import { listOf } from "../../shared/schema.ts";
import { actions, badge, copyable, facts, notice, table, time } from "../../shared/view.ts";
import { actionButton, type BankContext, type BankPage } from "../session.ts";
import { filterLink } from "../../console/pages/deliveries.ts";
import { newCredential } from "../../console/pages/users.ts";
import { newInvitation } from "./users.ts";

/** What one operator proposed and another one decides. */
export const approvalsPage: BankPage = {
  name: "approvals",
  title: "Approvals",
  operation: ([first]) => (first === undefined || first === "in" ? "ListProposals" : "GetProposal"),
  show(context) {
    const [first, second] = context.args;
    if (first === undefined) showList(context, "OPEN");
    else if (first === "in" && second !== undefined) showList(context, second);
    else showProposal(context, first);
  },
};

function showList({ session, main }: BankContext, wanted: string): void {
  const states = listOf(session.schema.of("ProposalState")["enum"]).map(textOf);
  const isState = (text: string): text is Proposal["state"] => states.includes(text);
  const state = isState(wanted) ? wanted : undefined;
  const list = pagedList(
    (place) => session.client.listProposals({ ...(state !== undefined && { state }), ...place }),
    ({ proposals }) => proposals,
    (rows) =>
      table(
        "Proposals, the newest first",
        [
          {
            title: "Change",
            of: ({ proposalId, operation }) => linkTo(["approvals", proposalId], operation),
          },
          { title: "Proposed by", of: ({ proposedBy }) => seen(proposedBy) },
          { title: "Note", of: ({ note }) => seenIfAny(note) },
          { title: "State", of: ({ state: each }) => badge(each) },
          { title: "Proposed", of: ({ createdDate }) => time(createdDate) },
          { title: "Until", of: ({ expiryDate }) => time(expiryDate) },
          { title: "Decided by", of: ({ decidedBy }) => seenIfAny(decidedBy) },
        ],
        rows,
        state === "OPEN" ? "Nothing is to be decided." : "There is no such proposal.",
      ),
  );
  show(
    main,
    el("h1", {}, "Approvals"),
    actions(states.map((each) => filterLink(["approvals", "in", each], each, each === state))),
    list,
  );
}

function showProposal(context: BankContext, proposalId: string): void {
  const { session, main } = context;
  show(
    main,
    el("h1", {}, "Proposal"),
    section(
      proposalId,
      async () => (await session.client.getProposal({ proposalId })).proposal,
      (proposal) => [proposalFacts(proposal), payloadOf(proposal), decision(context, proposal)],
    ),
    el("p", {}, linkTo(["approvals"], "All approvals")),
    el("p", {}, linkTo(["audit", "proposal", proposalId], "Audit of this proposal")),
  );
}

function proposalFacts(proposal: Proposal): Child {
  return facts([
    ["Change", proposal.operation],
    ["State", badge(proposal.state)],
    ["Proposed by", seen(proposal.proposedBy)],
    ["Note", seenIfAny(proposal.note)],
    ["Proposed", time(proposal.createdDate)],
    ["Until", time(proposal.expiryDate)],
    ["Decided by", seenIfAny(proposal.decidedBy)],
    ["Decided", time(proposal.decidedDate)],
    ["Reason", seenIfAny(proposal.reason)],
    ["Digest", copyable(proposal.digest)],
  ]);
}

/** The whole payload: what is approved is what is read here. */
function payloadOf({ payload }: Proposal): Child {
  const value: Json = JSON.parse(payload);
  const lines = [...leaves(value, "")];
  return [el("h3", {}, "With exactly this"), facts(lines.map(([path, text]) => [path, seen(text)]))];
}

function* leaves(value: Json, path: string): Generator<readonly [string, string]> {
  const members: readonly (readonly [string, Json])[] = Array.isArray(value)
    ? value.map((item, index) => [String(index + 1), item])
    : isObject(value)
      ? Object.entries(value)
      : [];
  if (members.length === 0) yield [path, textOf(value) || JSON.stringify(value)];
  for (const [name, member] of members) yield* leaves(member, path === "" ? name : `${path}.${name}`);
}

function decision({ session, refresh }: BankContext, proposal: Proposal): Child {
  if (proposal.state !== "OPEN") return undefined;
  const { proposalId, digest } = proposal;
  if (proposal.proposedBy === session.userName)
    return [
      notice("hint", "Another operator has to approve it: you proposed it."),
      actions(
        actionButton(session, "RejectProposal", {
          label: "Withdraw",
          fixed: { proposalId },
          done: () => "It is withdrawn.",
          refresh,
        }),
      ),
    ];
  return actions(
    actionButton(session, "ApproveProposal", {
      label: "Approve",
      text: `\`${proposal.operation}\` is carried out at once, as ${proposal.proposedBy} proposed it. The audit log has both of you.`,
      isPrimary: true,
      fixed: { proposalId, digest },
      done: ({ result }) => ["It is done. ", resultOf(result)],
      refresh,
    }),
    actionButton(session, "RejectProposal", {
      label: "Reject",
      fixed: { proposalId },
      done: () => "It is rejected.",
      refresh,
    }),
  );
}

/** The operation's result. A new API key, or the link of an invitation, is shown this once. */
function resultOf(result: string): Child {
  const value: Json = JSON.parse(result);
  const [apiKey, link, userName, expiresAt] = ["apiKey", "link", "userName", "expiresAt"].map((name) =>
    isObject(value) ? textOf(value[name]) : "",
  );
  if (apiKey) return newCredential({ apiKey, userName: userName ?? "" });
  return link && newInvitation({ link, userName: userName ?? "", expiresAt: expiresAt ?? "" });
}
