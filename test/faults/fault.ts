import type { OutgoingHttpHeaders } from "node:http";
import type { EventDeliveryOptions } from "../../runtime/events/index.ts";
import type { AnyHandler, Pipeline, PipelineOptions } from "../../runtime/pipeline/index.ts";

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

/**
 * One way in which the service is wrong. Every fault sits at a port or seam, so that it survives a change of the source
 * behind it. Applied to a server of a test, never to the service itself.
 */
export interface Fault {
  /** Lower-case words with hyphens: the value of the switch `FAULT`. */
  readonly id: string;
  readonly layer: Layer;
  /** What the service does that it must not, in one sentence. */
  readonly description: string;
  /** Changes the options of the documented interface's pipeline: descriptor, handlers, rules, ports. */
  readonly options?: ChangeOptions;
  /** Changes the options of the operator interface's pipeline. */
  readonly operatorOptions?: ChangeOptions;
  /** Wraps the pipeline of the documented interface: changes requests before it reads them. */
  readonly pipeline?: (pipeline: Pipeline) => Pipeline;
  /** Changes the JSON of a response of the documented interface. */
  readonly response?: (response: ResponseUnderFault) => unknown;
  /** Changes the HTTP status of a response of the documented interface. */
  readonly status?: (response: ResponseUnderFault) => number;
  /** Changes the target and headers of each HTTP request, on every port of the service. */
  readonly request?: (head: RequestHead) => RequestHead;
  /** Changes the headers of each HTTP response; lower-case names. */
  readonly headers?: (headers: OutgoingHttpHeaders, status: number) => OutgoingHttpHeaders;
  /** Changes the ports that events are delivered with. */
  readonly delivery?: (options: EventDeliveryOptions) => EventDeliveryOptions;
  /** Changes each notification just before it is posted; webhook signatures are made anew where the body changes. */
  readonly notification?: (notification: Notification) => Notification;
}

/** Options of a pipeline, its handlers' types forgotten. */
export type AnyOptions = PipelineOptions<Record<string, AnyHandler>>;

export type ChangeOptions = (options: AnyOptions) => AnyOptions;

export interface ResponseUnderFault {
  readonly json: unknown;
  /** The operation; undefined where none was recognised. */
  readonly method: string | undefined;
  readonly status: number;
  readonly isError: boolean;
}

export interface RequestHead {
  /** Path and query. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Notification {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Changes made one after the other. */
export function each(...changes: readonly ChangeOptions[]): ChangeOptions {
  return (options) => changes.reduce((current, change) => change(current), options);
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

/** The response with members of its result changed; errors as they are. `undefined` removes a member. */
export function inResults(
  methods: readonly string[] | "all",
  change: (name: string, value: unknown) => unknown,
): NonNullable<Fault["response"]> {
  return ({ json, method, isError }) =>
    isError || (methods !== "all" && !methods.includes(method ?? "")) ? json : eachMember(json, change);
}

/** The response with members of its error changed; results as they are. */
export function inErrors(
  change: (name: string, value: unknown) => unknown,
  methods: readonly string[] | "all" = "all",
): NonNullable<Fault["response"]> {
  return ({ json, method, isError }) =>
    isError && (methods === "all" || methods.includes(method ?? "")) ? eachMember(json, change) : json;
}

/** Faults of one layer, written shortly. */
export function faultOf(layer: Layer) {
  return (id: string, description: string, seams: Omit<Fault, "id" | "layer" | "description">): Fault => ({
    id,
    layer,
    description,
    ...seams,
  });
}
