import type { Severity } from "./diagnostic.ts";

/** One code: what it says of one finding, and what `explain` says of the rule. */
export interface CodeEntry<P> {
  readonly severity: Severity;
  readonly message: (params: P) => string;
  readonly hint?: (params: P) => string | undefined;
  /** The rule and why it is one. */
  readonly rule: string;
  /** YAML that breaks the rule. A whole file, unless it is a broken file that makes the point. */
  readonly wrong: string;
  /** The same, right. */
  readonly right: string;
}

type Parts<P> = Omit<CodeEntry<P>, "severity" | "wrong" | "right"> & {
  /** `error` where it is left out. */
  readonly severity?: Severity;
  /** One text in which `⟨wrong → right⟩` stands where the two differ, or both texts where they are made. */
  readonly example: string | readonly [wrong: string, right: string];
};

/** Declares a code; `P` are the parameters that each finding must give. */
export function entry<P = Record<never, never>>({ example, ...parts }: Parts<P>): CodeEntry<P> {
  const [wrong, right] = typeof example === "string" ? [sideOf(example, 0), sideOf(example, 1)] : example;
  return { severity: "error", ...parts, wrong, right };
}

function sideOf(example: string, side: 0 | 1): string {
  return example.replaceAll(/⟨([^⟩]*)⟩/g, (_, marked: string) => marked.split(" → ")[side] ?? "");
}

/** The hint for a name that is close to a known one. */
export function didYouMean(params: { readonly suggestion: string | undefined }): string | undefined {
  return params.suggestion === undefined ? undefined : `did you mean \`${params.suggestion}\`?`;
}

/** `a`, `b` and `c`. */
export function listed(names: readonly string[], conjunction = "and"): string {
  const quoted = names.map((name) => `\`${name}\``);
  const last = quoted.pop();
  if (last === undefined) return "nothing";
  return quoted.length === 0 ? last : `${quoted.join(", ")} ${conjunction} ${last}`;
}
