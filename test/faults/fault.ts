import type { AnyHandler, PipelineOptions } from "../../runtime/pipeline/index.ts";

/** The layers of the service that faults are spread over. */
export const layers = [
  "transport",
  "decode",
  "authenticate",
  "authorize",
  "validate",
  "encode",
  "handlers",
  "domain",
  "storage",
  "events",
  "mail",
] as const;

export type Layer = (typeof layers)[number];

/** One way in which the service is wrong. Applied to a server of a test, never to the service itself. */
export interface Fault {
  /** Lower-case words with hyphens: the value of the switch `FAULT`. */
  readonly id: string;
  readonly layer: Layer;
  /** What the service does that it must not, in one sentence. */
  readonly says: string;
  /** Changes of source text, made as the module is loaded. */
  readonly patches?: readonly Patch[];
  /** Changes what a pipeline is composed of. */
  readonly options?: (options: AnyOptions) => AnyOptions;
  /** Changes the JSON of an answer of the documented interface. */
  readonly answer?: (answer: AnswerUnderFault) => unknown;
  /** Changes the HTTP status of an answer of the documented interface. */
  readonly status?: (answer: AnswerUnderFault) => number;
}

export interface Patch {
  /** Relative to the project's root. */
  readonly file: string;
  /** Is there exactly once. */
  readonly find: string;
  readonly put: string;
}

export interface AnswerUnderFault {
  readonly json: unknown;
  /** The operation; undefined where none was recognised. */
  readonly method: string | undefined;
  readonly status: number;
  readonly isError: boolean;
}

/** Options of a pipeline, its handlers' types forgotten. */
export type AnyOptions = PipelineOptions<Record<string, AnyHandler>>;

/** A patch of one line. */
export function patch(file: string, find: string, put: string): readonly Patch[] {
  return [{ file, find, put }];
}

/** A JSON value with every member seen by a function, innermost first. */
export function eachMember(value: unknown, change: (name: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => eachMember(item, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, part]) => {
    const changed = change(name, eachMember(part, change));
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return Object.fromEntries(entries);
}

/** The answer with members of its result changed; errors as they are. `undefined` removes a member. */
export function inResults(
  methods: readonly string[] | "all",
  change: (name: string, value: unknown) => unknown,
): NonNullable<Fault["answer"]> {
  return ({ json, method, isError }) =>
    isError || (methods !== "all" && !methods.includes(method ?? "")) ? json : eachMember(json, change);
}

/** The answer with members of its error changed; results as they are. */
export function inErrors(
  change: (name: string, value: unknown) => unknown,
  methods: readonly string[] | "all" = "all",
): NonNullable<Fault["answer"]> {
  return ({ json, method, isError }) =>
    isError && (methods === "all" || methods.includes(method ?? "")) ? eachMember(json, change) : json;
}
