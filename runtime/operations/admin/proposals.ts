import { createHash } from "node:crypto";
import type { Caller } from "../../auth/auth-services.ts";
import { scopesAllow } from "../../protocol/signed-envelope/protocol.ts";
import { omitUndefined, RpcError } from "../../contract/index.ts";
import { timestampText } from "../../contract/times.ts";
import type { PayloadRead } from "../../protocol/signed-envelope/index.ts";
import type { ReadContext, WriteContext } from "../../pipeline/handler-context.ts";
import type { AnyHandler } from "../../service/index.ts";
import type { Reads, UserRecord } from "../../store/ports/index.ts";
import {
  openProposals,
  proposalById,
  proposalForDecision,
  proposals,
  proposalsNewestFirst,
  userByName,
  type ProposalRecord,
} from "../../store/tables/index.ts";
import {
  idOf,
  idToken,
  optionalTimestamp,
  standardPageSize,
  type Failing,
  type PageErrors,
} from "./pages.ts";
import { hasValidCredential } from "./users.ts";

/** An application's changes that can need a second operator. */
export interface ProposalRules<Context extends WriteContext> {
  /** The handlers of the operations that can be proposed, by name. */
  readonly operations: ReadonlyMap<string, AnyHandler>;
  /** Reads the JSON text of an operation's payload as a call with it would be read. */
  readPayload(operation: string, text: string): PayloadRead;
  /** How long a proposal can be decided. */
  validMs(context: Context): number;
}

/** The context of a call that carries out an approved proposal. */
export interface Approval {
  readonly proposalId: string;
  readonly proposedBy: string;
}

/** Proposals of an institution that are open at once. */
const openMax = 1_000;
/** Proposals that one call of a list looks at. */
const lookedAtMax = 1_000;
/** Behind every identifier. */
const afterAll = "~";

type Asked = Failing<"BAD_INPUT" | "CONFLICT" | "UNAUTHORIZED", "/operation" | "/payload">;
type Missing = Failing<"NOT_FOUND_PROPOSAL", "/proposalId">;
type Deciding = Missing & Failing<"CONFLICT", "/proposalId">;

/** Changes proposed by one operator and approved by another. */
// oxlint-disable-next-line max-lines-per-function -- a table of handlers over the same rules
export const proposalHandlers = <Context extends WriteContext>(rules: ProposalRules<Context>) => ({
  async proposeChange(
    asked: { readonly operation: string; readonly payload: string; readonly note?: string },
    context: Context & Asked,
  ) {
    const { store, caller, clock, ids } = context;
    const { operation, payload, note } = asked;
    const mayCall = await isAllowed(store, caller.userName, operation);
    if (!rules.operations.has(operation) || !mayCall)
      throw context.error("BAD_INPUT", { field: "/operation", reason: "not-proposable" });
    const read = rules.readPayload(operation, payload);
    if (read.kind === "refused") {
      const { field, reason } = read;
      throw context.error("BAD_INPUT", {
        field: "/payload",
        reason: "payload",
        data: omitUndefined({ payloadField: field, payloadReason: reason }),
      });
    }
    const now = clock.now();
    if ((await store.count(openProposals, caller.institutionId, now)) >= openMax)
      throw context.error("CONFLICT", { reason: "too-many-proposals", data: { limit: openMax } });
    const expiresAt = now + rules.validMs(context);
    const proposal: ProposalRecord = {
      id: ids.id(),
      institutionId: caller.institutionId,
      operation,
      payload,
      digest: digestOf(caller.institutionId, operation, payload),
      ...omitUndefined({ note }),
      proposedBy: caller.userName,
      state: "OPEN",
      expiresAt,
      openUntil: expiresAt,
      createdAt: now,
    };
    await store.insert(proposals, proposal);
    return { proposal: proposalOf(proposal, now) };
  },

  /** A page of proposals, the newest first. It may hold fewer than asked for although there are more: `next` says so. */
  async listProposals(
    asked: { readonly state?: ProposalState; readonly pageSize?: number; readonly after?: string },
    context: Pick<ReadContext, "store" | "caller" | "clock"> & PageErrors,
  ) {
    const { store, caller, clock } = context;
    const { state, pageSize = standardPageSize } = asked;
    const place = idOf(context, asked.after) ?? afterAll;
    const now = clock.now();
    const found = await store.many(proposalsNewestFirst, caller.institutionId, place, lookedAtMax);
    const shown: ProposalRecord[] = [];
    let last: ProposalRecord | undefined;
    for (const proposal of found) {
      if (shown.length === pageSize) return pageOf(shown, now, last);
      last = proposal;
      if ((state ?? stateOf(proposal, now)) !== stateOf(proposal, now)) continue;
      if (await sees(store, caller, proposal)) shown.push(proposal);
    }
    return pageOf(shown, now, found.length === lookedAtMax ? last : undefined);
  },

  async getProposal({ proposalId }: { readonly proposalId: string }, context: ReadContext & Missing) {
    const { store, caller, clock } = context;
    const proposal = await store.one(proposalById, caller.institutionId, proposalId);
    if (proposal === undefined || !(await sees(store, caller, proposal)))
      throw context.error("NOT_FOUND_PROPOSAL", { field: "/proposalId" });
    return { proposal: proposalOf(proposal, clock.now()) };
  },

  /** Carries a proposal out as the operator who approves it, who must be another user than the one who proposed it. */
  async approveProposal(
    { proposalId, digest }: { readonly proposalId: string; readonly digest: string },
    context: Context & Deciding & Failing<"CONFLICT", "/digest">,
  ) {
    const { store, caller, clock } = context;
    const proposal = await openProposal(context, proposalId);
    const { operation, proposedBy } = proposal;
    const conflict = (reason: string) => context.error("CONFLICT", { field: "/proposalId", reason });
    if (proposedBy === caller.userName) throw conflict("own-proposal");
    if (digest !== proposal.digest)
      throw context.error("CONFLICT", { field: "/digest", reason: "another-digest" });
    const proposer = await store.one(userByName, proposedBy);
    if (
      proposer === undefined ||
      !scopesAllow(proposer.scopes, operation) ||
      !(await hasValidCredential(context, proposedBy))
    )
      throw conflict("proposer-revoked");
    const run = rules.operations.get(operation);
    const read = rules.readPayload(operation, proposal.payload);
    if (run === undefined || read.kind === "refused") throw conflict("operation-changed");
    if (!(await isAllowed(store, caller.userName, operation))) throw conflict("operation-not-allowed");
    const decided = decidedBy(caller, proposal, "APPROVED", clock.now());
    // Before it is carried out: what it writes comes after the decision in the audit log.
    await store.replace(proposals, decided, proposal);
    const approval: Approval = { proposalId, proposedBy };
    const result = await carriedOut(() =>
      run(read.payload, { ...context, caller: seeingAs(caller, proposer), approval }),
    );
    return { proposal: proposalOf(decided, clock.now()), result: JSON.stringify(result) };
  },

  async rejectProposal(
    { proposalId, reason }: { readonly proposalId: string; readonly reason?: string },
    context: WriteContext & Deciding,
  ) {
    const { store, caller, clock } = context;
    const proposal = await openProposal(context, proposalId);
    const state = proposal.proposedBy === caller.userName ? "WITHDRAWN" : "REJECTED";
    const decided = {
      ...decidedBy(caller, proposal, state, clock.now()),
      ...omitUndefined({ reason }),
    };
    await store.replace(proposals, decided, proposal);
    return { proposal: proposalOf(decided, clock.now()) };
  },
});

export type ProposalState = ProposalRecord["state"] | "EXPIRED";

/** A proposal that can be decided now. */
async function openProposal(context: WriteContext & Deciding, proposalId: string): Promise<ProposalRecord> {
  const { store, caller, clock } = context;
  const proposal = await store.one(proposalForDecision, caller.institutionId, proposalId);
  if (proposal === undefined || !(await sees(store, caller, proposal)))
    throw context.error("NOT_FOUND_PROPOSAL", { field: "/proposalId" });
  const state = stateOf(proposal, clock.now());
  if (state !== "OPEN")
    throw context.error("CONFLICT", {
      field: "/proposalId",
      reason: state === "EXPIRED" ? "expired" : "decided",
    });
  return proposal;
}

function stateOf({ state, expiresAt }: ProposalRecord, nowMs: number): ProposalState {
  return state === "OPEN" && expiresAt <= nowMs ? "EXPIRED" : state;
}

function decidedBy(
  { userName }: Caller,
  proposal: ProposalRecord,
  state: "APPROVED" | "REJECTED" | "WITHDRAWN",
  nowMs: number,
): ProposalRecord {
  const { openUntil: _, ...rest } = proposal;
  return { ...rest, state, decidedBy: userName, decidedAt: nowMs };
}

/** An operator bound to groups sees the proposals of those who see no more groups. */
async function sees(store: Reads, caller: Caller, { proposedBy }: ProposalRecord): Promise<boolean> {
  const { groups, userName } = caller;
  if (groups === undefined || proposedBy === userName) return true;
  const proposer = await store.one(userByName, proposedBy);
  return proposer?.groups?.every((group) => groups.includes(group)) === true;
}

/** The operator who approves, seeing no more than the one who proposed. Who approves sees all of that. */
function seeingAs(caller: Caller, { groups }: UserRecord): Caller {
  return { ...caller, ...omitUndefined({ groups: groups ?? caller.groups }) };
}

async function isAllowed(store: Reads, userName: string, operation: string): Promise<boolean> {
  const user = await store.one(userByName, userName);
  return user !== undefined && scopesAllow(user.scopes, operation);
}

/** An error of the operation names fields of its own payload, which is not the one that was sent here. */
async function carriedOut(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { field, reason, data } = error.detail;
    throw new RpcError(error.code, {
      field: "/proposalId",
      ...omitUndefined({ reason }),
      data: { ...data, ...omitUndefined({ payloadField: field }) },
      cause: error,
    });
  }
}

/** What binds a decision to what was read. */
function digestOf(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function pageOf(shown: readonly ProposalRecord[], nowMs: number, last: ProposalRecord | undefined) {
  return {
    proposals: shown.map((proposal) => proposalOf(proposal, nowMs)),
    ...omitUndefined({ next: last && idToken(last.id) }),
  };
}

function proposalOf(proposal: ProposalRecord, nowMs: number) {
  const { id, operation, payload, digest, note, proposedBy, decidedBy: by, reason } = proposal;
  return {
    proposalId: id,
    operation,
    payload,
    digest,
    ...omitUndefined({ note }),
    state: stateOf(proposal, nowMs),
    proposedBy,
    createdDate: timestampText(proposal.createdAt),
    expiryDate: timestampText(proposal.expiresAt),
    ...omitUndefined({ decidedBy: by, decidedDate: optionalTimestamp(proposal.decidedAt), reason }),
  };
}
