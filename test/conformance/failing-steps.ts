import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { allOutcomes, loadSuite, type Access, type Level, type Outcome } from "../../conformance/index.ts";
import { conform } from "./patient.ts";
import type { Step } from "../../conformance/suite/step.ts";
import type { Scenario } from "../../conformance/suite/suite.ts";
import type { FaultyServer } from "../faults/faulty-server.ts";
import { stepsAlone } from "../../conformance/scenario/run-scenario.ts";

const { suite } = loadSuite(join(import.meta.dirname, "../../generated/ledger/conformance"));

export const { scenarios } = suite;
const unkept = suite.resources.map(({ kept: _kept, ...resource }) => resource);

/** A step that fails whatever the service does. */
const failing: Step = {
  kind: "check",
  level: "document",
  checks: [{ actual: "failing here", expected: "nothing" }],
};

/** What a scenario finds that comes to its failing step. */
export const foundByFailing = '"failing here"';

/** The scenario once for each of its steps, after which it fails. */
export function failingAfterEach(scenario: Scenario): readonly Scenario[] {
  return brokenAfterEach(scenario.steps).map((steps, at) => ({
    ...scenario,
    name: `${scenario.name}-${at}`,
    steps,
  }));
}

function brokenAfterEach(steps: readonly Step[]): readonly (readonly Step[])[] {
  return steps.flatMap((step, at) => {
    const inside =
      step.kind === "each"
        ? brokenAfterEach(step.steps).map((inner) => steps.with(at, { ...step, steps: inner }))
        : [];
    return [...inside, steps.toSpliced(at + 1, 0, failing)];
  });
}

export interface TrialOptions {
  readonly level?: Level;
  readonly failuresMax?: number;
  readonly mailFolder?: string;
  readonly signal?: AbortSignal;
  readonly onAnswer?: () => void;
  /** Whether nothing is put back: the scenarios prepare a state for others. */
  readonly isPreparing?: boolean;
}

/** Tries scenarios alone, one after the other, and gives their outcomes and the last answer of an operation. */
export async function triedScenarios(
  tried: readonly Scenario[],
  access: Access,
  { level = "decisions", isPreparing = false, onAnswer, ...options }: TrialOptions = {},
  last = "CustomerService.UpdateCustomer",
): Promise<{ readonly outcomes: readonly Outcome[]; readonly last: unknown }> {
  let answered: unknown;
  const report = await conform({
    suite: { ...suite, scenarios: tried, ...(isPreparing ? { resources: unkept } : {}) },
    cases: [],
    access,
    baseUrl: access.baseUrl ?? "",
    level,
    seed: 1,
    explore: { runs: 0 },
    ...options,
    onExchange({ body }, answer) {
      onAnswer?.();
      if ("body" in answer && body.includes(`"${last}"`)) answered = JSON.parse(answer.body.toString());
    },
  });
  return { outcomes: allOutcomes(report).filter(({ id }) => id.startsWith("scenario/")), last: answered };
}

/** A scenario of these steps alone. */
export function ofSteps(name: string, ...steps: readonly Step[]): Scenario {
  return { ...stepsAlone(steps), name };
}

/** What works in the service: nothing that a run has made may be left of it. */
export function atWork(server: FaultyServer): object {
  const books = new DatabaseSync(join(dirname(server.mailFolder), "ledger.sqlite"), { readOnly: true });
  const identifiers = (sql: string): readonly unknown[] => books.prepare(sql).all();
  try {
    return {
      subscriptions: identifiers("SELECT id FROM subscriptions"),
      apiKeys: identifiers("SELECT id FROM api_keys WHERE revoked_at IS NULL"),
      deviceKeys: identifiers("SELECT key_id FROM device_keys WHERE status <> 'REVOKED'"),
      // Accounts of the bank's own books are opened by transactions.
      accounts: identifiers("SELECT id FROM accounts WHERE status <> 'CLOSED' AND institution_owned = 0"),
      beneficiaries: identifiers("SELECT id FROM beneficiaries WHERE status <> 'DISABLED'"),
    };
  } finally {
    books.close();
  }
}
