import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { formatValue } from "../../response/finding.ts";
import { mailsIn } from "../mailbox.ts";
import { NotPossible, type ScenarioRun } from "../scenario-run.ts";
import type { StepOf } from "./step-of.ts";

type MailStep = StepOf<"mail">;

const pollMs = 10;
const needsFolder = "needs the folder of the service's mails: see --mail";

/** Waits for a mail that holds a text. @throws NotPossible, StepFailed, BeyondLevel */
export async function runMail(step: MailStep, run: ScenarioRun): Promise<void> {
  const { mailFolder, eventTimeoutMs } = run.environment;
  if (mailFolder === undefined) throw new NotPossible(needsFolder);
  const text = step.holds === undefined ? "" : String(run.resolve(step.holds));
  const endsAt = performance.now() + eventTimeoutMs;
  do {
    const mail = mailsIn(mailFolder, run.mailsBefore).find(({ to, subject, text: body }) =>
      `${to}\n${subject}\n${body}`.includes(text),
    );
    if (mail !== undefined) {
      run.matches(step.expect, mail, run.levelOf(step));
      run.keep(step.as, { ...mail, ...captured(step, mail, run) });
      return;
    }
    await sleep(pollMs);
  } while (performance.now() <= endsAt);
  if (!existsSync(mailFolder)) throw new NotPossible(needsFolder);
  run.fail(step, {
    expected: `a mail with ${formatValue(text)} within ${eventTimeoutMs / 1000} s`,
    found: "none",
  });
}

function captured(
  step: MailStep,
  { text, subject }: { readonly text: string; readonly subject: string },
  run: ScenarioRun,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(step.capture ?? {}).map(([name, expression]) => {
      const found = new RegExp(expression, "u").exec(text)?.[1];
      if (found === undefined)
        run.fail(step, { expected: `a mail with a match of ${expression}`, found: subject });
      return [name, found] as const;
    }),
  );
}
