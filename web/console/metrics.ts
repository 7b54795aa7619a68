import { HttpError } from "../shared/failure.ts";

/** One value of a metric in Prometheus' text format. */
export interface Sample {
  /** Without the application's name before it: `requests_total`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads what `/metrics` gives. */
export async function readMetrics(): Promise<Sample[]> {
  const response = await fetch("/metrics", { cache: "no-store" });
  if (!response.ok) throw new HttpError("/metrics", response.status);
  return parseMetrics(await response.text());
}

/** Each service of ours has this one, so that it tells what the names of the others begin with. */
const known = /^\w+_rpc_(?=connections_open\b)/m;

function parseMetrics(text: string): Sample[] {
  const [own = ""] = known.exec(text) ?? [];
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", text = ""]) => [
      label,
      text,
    ]);
    return [
      {
        name: name.startsWith(own) ? name.slice(own.length) : name,
        labels: Object.fromEntries(pairs),
        value: Number(value),
      },
    ];
  });
}

/** The sum of a metric's values whose labels fit. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  fits: (labels: Sample["labels"]) => boolean = () => true,
): number {
  return samples
    .filter((sample) => sample.name === name && fits(sample.labels))
    .reduce((sum, { value }) => sum + value, 0);
}
