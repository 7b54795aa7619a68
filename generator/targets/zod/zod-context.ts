import type { Printable } from "../../print/layout.ts";
import type { DepthFirst } from "../../language/source/depth-first.ts";

/** The context that the printing of a schema depends on. */
export interface ZodContext {
  /** The constant that stands for a `$ref`. */
  nameOf(ref: string): string;
  /** Whether that constant is declared above the one being printed. */
  isDeclared(name: string): boolean;
  /** Which constants are read when a value is there for them. */
  readonly late: ReadLate;
  /** A function of `validators/support.js`. */
  support(name: string): Printable;
  /** A function of ./rule-functions.ts. */
  rule(name: string): Printable;
}

/** A constant, and the names of those that it refers to. */
interface Constant {
  readonly name: string;
  readonly refersTo: readonly string[];
}

/** How many constants zod has to follow, one inside the other. It runs out of stack at some 900. */
const depthMax = 100;

export interface ReadLate {
  /** Those that members read by getters: those that lead into a circle, and those at the top of long chains. */
  readonly byGetters: ReadonlySet<string>;
  /** Those that are read lazily elsewhere: one in each length of such a chain. */
  readonly lazily: ReadonlySet<string>;
}

/**
 * The constants that are read when a value is there for them. Before zod reads a value, it looks for circles, along
 * all that it has at hand and no further than a getter. A part behind one that it does not remember is read once for
 * each way through the types.
 */
export function readLate<C extends Constant>({ circles }: DepthFirst<C>): ReadLate {
  const byGetters = new Set<string>();
  const lazily = new Set<string>();
  const depths = new Map<string, number>();
  for (const circle of circles)
    for (const { name, refersTo } of circle) {
      const depth = 1 + Math.max(0, ...refersTo.map((used) => depths.get(used) ?? 0));
      const isInCircle = circle.length > 1 || refersTo.includes(name);
      if (isInCircle || depth > depthMax || refersTo.some((used) => byGetters.has(used))) byGetters.add(name);
      if (depth % depthMax === 0) lazily.add(name);
      depths.set(name, depth);
    }
  return { byGetters, lazily };
}
