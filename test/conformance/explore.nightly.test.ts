import { describe, expect, test } from "vitest";
import { conform, type Outcome } from "../../conformance/index.ts";
import { startLibrary, type LibraryFault } from "./library-service.ts";
import { librarySuite } from "./library-suite.ts";

async function explored(
  fault: LibraryFault | undefined,
  seed: number,
  explore: { readonly runs?: number; readonly replay?: string } = { runs: 20 },
): Promise<readonly Outcome[]> {
  const service = await startLibrary(fault);
  try {
    const { access, baseUrl } = service;
    const report = await conform({
      ...librarySuite,
      access,
      baseUrl,
      seed,
      explore,
      only: ["exploration/"],
      failuresMax: 1,
    });
    return report.outcomes;
  } finally {
    service.close();
  }
}

const failed = (outcomes: readonly Outcome[]) => outcomes.filter(({ status }) => status === "failed");

/** What was done, step by step, without the looking around that found it. */
const stepsOf = ({ exchanges }: Outcome) => exchanges.map(({ curl }) => curl.split("\n")[0]);

describe("random sequences", () => {
  test("break nothing where nothing is wrong, and try every rule that can be tried", async () => {
    for (const seed of [1, 2]) {
      const outcomes = await explored(undefined, seed);
      expect(failed(outcomes)).toEqual([]);
      const skipped = outcomes
        .filter(({ status }) => status !== "passed")
        .map(({ id, reason }) => [id, reason]);
      expect(skipped).toEqual([
        ["exploration/invisible", "needs another caller, whom only the operator can make"],
      ]);
    }
  });

  test("blame what is read wrongly on no other rule", async () => {
    const service = await startLibrary("title-shortened");
    const { access, baseUrl } = service;
    const only = ["exploration/"];
    const report = await conform({ ...librarySuite, access, baseUrl, seed: 7, explore: { runs: 20 }, only });
    service.close();
    expect(failed(report.outcomes).map(({ id }) => id)).toEqual(["exploration/reads"]);
  });

  test.each<[LibraryFault, string, readonly RegExp[]]>([
    ["change-lost", "reads", [/create book 1/, /change book 1/, /read book 1/]],
    ["change-of-all", "reads", [/create/, /create/, /change/, /read/]],
    [
      "refused-but-done",
      "refusals",
      [/create book 1/, /read/, /wrongly: signed over something else/, /read/],
    ],
    ["any-transition", "transitions", [/create book 1/, /read book 1/, /change book 1/]],
    ["repeated-twice", "repeats", [/create book 1/, /read book 1/, /repeat the creation of book 1/]],
    ["repeated-by-id", "repeats", [/create book 1/, /create book 2 under the request id of another/]],
    ["pages-overlap", "lists", [/create book 1/, /afterwards: list .* page 2/]],
    ["condition-ignored", "filters", [/create/, /list/]],
    ["anything-found", "absent", [/that was never made/]],
    ["title-shortened", "reads", [/create book 1/, /read book 1/]],
  ])("%s breaks %s, as the shortest sequence shows", async (fault, rule, steps) => {
    const outcomes = await explored(fault, 7);
    const found = failed(outcomes).find(({ id }) => id === `exploration/${rule}`);
    if (found === undefined)
      throw new Error(
        `found ${failed(outcomes)
          .map(({ id }) => id)
          .join(", ")}`,
      );
    const done = stepsOf(found);
    expect(done.length).toBeLessThanOrEqual(steps.length + 2);
    for (const step of steps) expect(done).toContainEqual(expect.stringMatching(step));
    expect(found.exchanges.at(-1)?.curl).toContain("curl -s 'http://127.0.0.1:");

    const again = failed(await explored(fault, 99, { runs: 1, replay: found.replay ?? "" }));
    expect(again.map(({ id }) => id)).toEqual([found.id]);
    expect(again.map(stepsOf)).toEqual(
      [done].map((each) => each.map((step) => expect.stringMatching(textless(step)))),
    );
  });
});

/** The texts of a sequence are new each time. */
function textless(step = ""): RegExp {
  const escaped = step.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/T[0-9a-f]{16}/g, "T[0-9a-f]{16}")}$`);
}
