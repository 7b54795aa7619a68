import { sparkline } from "../../shared/chart.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { HttpError } from "../../shared/failure.ts";
import { load } from "../../shared/load.ts";
import { titled, every, linkTo, section } from "../../shared/page.ts";
import { failureWords } from "../../shared/reasons.ts";
import { subscriptionState } from "../../shared/subscription.ts";
import { badge, facts, table, time } from "../../shared/view.ts";
import { readMetrics, sumOf, type Sample } from "../metrics.ts";
import type { ConsolePage, PageContext } from "../session.ts";

const reportPath = "report.html";
const sampleSeconds = 5;
const samplesMax = 60;
const subscriptionPagesMax = 10;

export const overviewPage: ConsolePage = {
  name: "overview",
  title: "Overview",
  show(context) {
    const { session, main } = context;
    show(
      main,
      el("h1", {}, "Overview"),
      healthSection(context),
      section(
        "Subscriptions that fail or are disabled",
        () => readFailing(session),
        ({ failing, read, isWhole }) => [
          isWhole
            ? undefined
            : el("p", { class: "hint" }, `Of the oldest ${read} subscriptions; there are more.`),
          table(
            "Subscriptions that fail or are disabled",
            [
              {
                title: "Name",
                of: ({ subscriptionId, name }) => linkTo(["subscriptions", subscriptionId], name),
              },
              {
                title: "State",
                of: (subscription) => subscriptionState(subscription),
              },
              {
                title: "Since",
                of: ({ statistics, disabledDate }) => time(disabledDate ?? statistics.failingSince),
              },
              { title: "Last failure", of: ({ statistics }) => failureWords(statistics.lastFailure) },
            ],
            failing,
            "All subscriptions are enabled and take what is delivered.",
          ),
        ],
      ),
      section("Conformance", readReport, reportLink),
      section(
        "Last changes",
        () => session.client.listAudit({ pageSize: 10, order: "NEWEST" }),
        ({ entries }) =>
          table(
            "The last ten audit entries",
            [
              { title: "Time", of: ({ changedDate }) => time(changedDate) },
              { title: "Operation", of: ({ operation }) => operation },
              { title: "By", of: ({ actor }) => actor },
              {
                title: "Of",
                of: (entry) => linkTo(["audit", entry.subject, entry.subjectId], entry.subject),
              },
            ],
            entries,
            "Nothing was changed yet.",
          ),
      ),
    );
  },
};

/** The subscriptions that fail or are disabled, of as many pages as a page of the console may ask for. */
async function readFailing({ client }: PageContext["session"]) {
  const failing: Awaited<ReturnType<typeof client.listSubscriptions>>["subscriptions"][number][] = [];
  let read = 0;
  let after: string | undefined;
  for (let pages = 0; pages < subscriptionPagesMax; pages++) {
    const page = await client.listSubscriptions({
      pageSize: 100,
      ...(after === undefined ? {} : { after }),
    });
    read += page.subscriptions.length;
    failing.push(
      ...page.subscriptions.filter(
        ({ enabled, statistics }) => !enabled || statistics.failingSince !== undefined,
      ),
    );
    after = page.next;
    if (after === undefined) break;
  }
  return { failing, read, isWhole: after === undefined };
}

/** When the last conformance report was written; empty without a report. */
async function readReport(): Promise<string | undefined> {
  const response = await fetch(reportPath, { method: "HEAD", cache: "no-store" });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new HttpError(reportPath, response.status);
  const written = response.headers.get("last-modified");
  return written === null ? undefined : new Date(written).toISOString();
}

function reportLink(written: string | undefined): Child {
  if (written !== undefined)
    return el("p", {}, el("a", { href: reportPath }, "The last report"), ", written ", time(written));
  return el(
    "p",
    { class: "hint" },
    "There is no report: ",
    el("code", {}, "ledger-rpc conform --html <file>"),
    " writes one, and the setting console.report names it.",
  );
}

/** The measurements of one time. */
interface Measured {
  readonly requests: number;
  readonly refused: number;
  readonly failed: number;
  readonly deliveries: number;
}

function healthSection({ signal }: PageContext): HTMLElement {
  const place = el("div", { class: "content", "aria-live": "off" });
  const history: Measured[] = [];
  const again = () =>
    load(place, readMetrics, (samples) => {
      history.push(measuredIn(samples));
      if (history.length > samplesMax) history.shift();
      return healthOf(samples, history);
    });
  void again();
  every(sampleSeconds, signal, again);
  return titled("Service", place);
}

/** Whether the service can answer; else why not. */
function readiness(samples: readonly Sample[]): string {
  const obstacle = samples.find(({ name, value }) => name === "store_unavailable" && value > 0);
  return obstacle === undefined ? "ready" : `not ready: ${obstacle.labels["reason"] ?? "unavailable"}`;
}

function measuredIn(samples: readonly Sample[]): Measured {
  const failures = new Set(["INTERNAL", "UNAVAILABLE"]);
  return {
    requests: sumOf(samples, "requests_total"),
    refused: sumOf(samples, "requests_refused_total"),
    failed: sumOf(samples, "requests_total", ({ code = "" }) => failures.has(code)),
    deliveries: sumOf(samples, "delivery_attempts_total"),
  };
}

function healthOf(samples: readonly Sample[], history: readonly Measured[]): Child {
  const rate = (of: (measured: Measured) => number) =>
    history.slice(1).map((each, index) => Math.max(0, of(each) - of(history[index] ?? each)) / sampleSeconds);
  const deliveriesIn = (state: string) => sumOf(samples, "deliveries", (labels) => labels["state"] === state);
  const mailsIn = (state: string) => sumOf(samples, "mails", (labels) => labels["state"] === state);
  const waited = (metric: string): Child => {
    const seconds = sumOf(samples, metric);
    return seconds === 0 ? undefined : `waits for ${Math.ceil(seconds / 60)} min`;
  };
  const seconds = sumOf(samples, "request_seconds_sum");
  const count = sumOf(samples, "request_seconds_count");
  return [
    facts([
      ["Ready", badge(readiness(samples))],
      ["Mean time of a request", count === 0 ? undefined : `${((seconds / count) * 1_000).toFixed(2)} ms`],
      ["Open connections", sumOf(samples, "connections_open")],
      ["Memory", `${(sumOf(samples, "process_resident_memory_bytes") / 2 ** 20).toFixed(0)} MB`],
      ["Deliveries to be sent", linkTo(["deliveries", "in", "PENDING"], String(deliveriesIn("PENDING")))],
      ["Behind an earlier one", linkTo(["deliveries", "in", "WAITING"], String(deliveriesIn("WAITING")))],
      ["Dead letters", linkTo(["deliveries", "in", "DEAD"], String(deliveriesIn("DEAD")))],
      ["Events in the outbox", sumOf(samples, "outbox_events")],
      ["The oldest delivery", waited("delivery_oldest_pending_seconds")],
      ["The oldest mail", waited("mail_oldest_pending_seconds")],
      ["Mails to be sent", linkTo(["mails", "in", "PENDING"], String(mailsIn("PENDING")))],
      ["Failed mails", linkTo(["mails", "in", "FAILED"], String(mailsIn("FAILED")))],
    ]),
    el(
      "div",
      { class: "tiles" },
      tile(
        "Requests",
        rate(({ requests }) => requests),
      ),
      tile(
        "Failures",
        rate(({ failed }) => failed),
      ),
      tile(
        "Refused for load",
        rate(({ refused }) => refused),
      ),
      tile(
        "Delivery attempts",
        rate(({ deliveries }) => deliveries),
      ),
    ),
  ];
}

/** A rate as a figure and a line. */
function tile(label: string, values: readonly number[]): HTMLElement {
  const last = values.at(-1);
  const text = last === undefined ? "measuring …" : rateText(last);
  const figure = el("p", { class: "figure" }, text);
  const seconds = values.length * sampleSeconds;
  const range =
    last === undefined
      ? ""
      : `${rateText(Math.min(...values))} to ${rateText(Math.max(...values))} in ${seconds} seconds`;
  const axis = el("small", {}, range);
  const line = sparkline(`${label}: ${text}${range === "" ? "" : `; ${range}`}`, values);
  return el("div", { class: "tile" }, el("h3", {}, label), figure, line, axis);
}

function rateText(rate: number): string {
  return `${rate.toFixed(1)}/s`;
}
