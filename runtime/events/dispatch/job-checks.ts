import type {
  Clock,
  EndpointHealthRecord,
  Store,
  Reads,
  SubscriptionTarget,
} from "../../store/ports/index.ts";
import type { DeliveryJob } from "../model/queues.ts";
import { endedOrLate } from "../model/loops.ts";
import { healthOfSubscriptions, targetsById } from "../../store/tables/index.ts";

/**
 * The store's answer about a claimed job that is about to be sent.
 *
 * - `current`: its subscription is still what it was when the job was claimed.
 * - `changed`: the subscription has another address, secret or state since, or is deleted.
 * - `paused`: its endpoint asked for a pause.
 * - `unknown`: the store did not answer.
 */
export type JobCheck =
  | { readonly kind: "current" }
  | { readonly kind: "changed" }
  | { readonly kind: "paused"; readonly untilMs: number }
  | { readonly kind: "unknown" };

/** Checks jobs before they are sent: any process may have changed their subscriptions since they were claimed. */
export interface JobChecks {
  /** Never rejects. Jobs that are checked in one turn of the event loop share a question. */
  check(job: DeliveryJob): Promise<JobCheck>;
}

export interface JobChecksOptions {
  readonly store: Pick<Store, "read">;
  readonly clock: Clock;
  onFailure(error: unknown): void;
}

interface Waiting {
  readonly job: DeliveryJob;
  readonly resolve: (check: JobCheck) => void;
}

/** A question that is not answered by then is asked once more: its answer may be lost. The first answer counts. */
const lateAfterMs = 250;
/** Questions to the store at once. */
const questionsMax = 4;

export function createJobChecks({ store, clock, onFailure }: JobChecksOptions): JobChecks {
  let waiting: Waiting[] = [];
  let isScheduled = false;
  let questions = 0;

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || questions === questionsMax) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void ask();
    });
  }
  async function ask(): Promise<void> {
    const asked = waiting;
    waiting = [];
    questions += 1;
    const answered = answer(asked).finally(() => {
      questions -= 1;
      schedule();
    });
    if ((await endedOrLate(answered, clock, lateAfterMs)) === "ended") return;
    waiting.push(...asked);
    schedule();
  }
  async function answer(asked: readonly Waiting[]): Promise<void> {
    const checkOf = await store
      .read((view) => readStored(view, asked))
      .catch((error: unknown) => {
        onFailure(error);
        return (): JobCheck => ({ kind: "unknown" });
      });
    for (const { job, resolve } of asked) resolve(checkOf(job, clock.now()));
  }

  return {
    check: (job) =>
      new Promise((resolve) => {
        waiting.push({ job, resolve });
        schedule();
      }),
  };
}

async function readStored(
  view: Reads,
  asked: readonly Waiting[],
): Promise<(job: DeliveryJob, nowMs: number) => JobCheck> {
  const ids = new Map<string, Set<string>>();
  for (const { job } of asked) {
    const { institutionId, id } = job.subscription;
    const known = ids.get(institutionId);
    if (known === undefined) ids.set(institutionId, new Set([id]));
    else known.add(id);
  }
  const all = [...ids.values()].flatMap((each) => [...each]);
  const [healths, ...found] = await Promise.all([
    view.many(healthOfSubscriptions, all),
    ...ids.entries().map(([institutionId, each]) => view.many(targetsById, institutionId, [...each])),
  ]);
  const subscriptions = new Map(found.flat().map((subscription) => [subscription.id, subscription]));
  const paused = new Map(healths.map((health) => [health.subscriptionId, health]));
  return ({ subscription }, nowMs) =>
    checkOf(subscription, subscriptions.get(subscription.id), paused.get(subscription.id), nowMs);
}

function checkOf(
  claimed: SubscriptionTarget,
  stored: SubscriptionTarget | undefined,
  health: EndpointHealthRecord | undefined,
  nowMs: number,
): JobCheck {
  if (stored === undefined || !isSame(claimed, stored)) return { kind: "changed" };
  const untilMs = health?.pausedUntil ?? 0;
  return stored.enabled && untilMs > nowMs ? { kind: "paused", untilMs } : { kind: "current" };
}

/** Two changes may happen within a millisecond: `updatedAt` alone does not tell. */
function isSame(claimed: SubscriptionTarget, stored: SubscriptionTarget): boolean {
  return (
    claimed.updatedAt === stored.updatedAt &&
    claimed.enabled === stored.enabled &&
    claimed.callbackUrl === stored.callbackUrl &&
    claimed.secretSealed === stored.secretSealed &&
    claimed.formerSecretSealed === stored.formerSecretSealed &&
    claimed.formerSecretUntil === stored.formerSecretUntil &&
    claimed.ordered === stored.ordered &&
    claimed.userName === stored.userName
  );
}
