import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { formatValue } from "../response/finding.ts";
import { NotPossible, type ScenarioRun, type StepOf } from "./scenario-run.ts";

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

/** A mail as a person reads it. */
interface Mail {
  readonly to: string;
  readonly subject: string;
  /** The plain text part. */
  readonly text: string;
  readonly file: string;
}

/** The names of the mails in a folder. */
export function mailNames(folder: string | undefined): ReadonlySet<string> {
  return new Set(folder === undefined || !existsSync(folder) ? [] : readdirSync(folder));
}

/** The mails that a service writes into a folder, one `.eml` file each, newest first, without those known before. */
function mailsIn(folder: string, before: ReadonlySet<string>): readonly Mail[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".eml") && !before.has(name))
    .map((name) => ({ name, timeMs: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.timeMs - a.timeMs || (a.name < b.name ? 1 : -1))
    .slice(0, 50)
    .map(({ name }) => readMail(readFileSync(join(folder, name), "utf8"), name));
}

function readMail(source: string, file: string): Mail {
  const { headers, body } = headersOf(source);
  return {
    to: headers.get("to") ?? "",
    subject: headers.get("subject") ?? "",
    text: plainText(headers, body),
    file,
  };
}

/** Finds the first part of plain text, however deep, and decodes it (RFC 2045). */
function plainText(headers: ReadonlyMap<string, string>, body: string): string {
  const type = headers.get("content-type") ?? "text/plain";
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1];
  if (boundary !== undefined) {
    for (const part of body.split(`--${boundary}`).slice(1)) {
      const inner = headersOf(part.replace(/^\r?\n/, ""));
      const text = plainText(inner.headers, inner.body);
      if (text !== "") return text;
    }
    return "";
  }
  if (!/^text\/plain/i.test(type)) return "";
  return decoded(body, (headers.get("content-transfer-encoding") ?? "7bit").toLowerCase());
}

function decoded(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/gi, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function headersOf(source: string): { readonly headers: ReadonlyMap<string, string>; readonly body: string } {
  const end = /\r?\n\r?\n/.exec(source);
  const head = source.slice(0, end?.index ?? source.length).replaceAll(/\r?\n[ \t]+/g, " ");
  const headers = new Map<string, string>();
  for (const line of head.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body: end === null ? "" : source.slice(end.index + end[0].length) };
}
