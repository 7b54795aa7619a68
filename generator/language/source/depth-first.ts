/** Things that use one another, in the order in which they can be taken one after the other. */
export interface DepthFirst<Thing> {
  /** Each after what it uses, as far as circles allow; otherwise in the order given. */
  readonly order: readonly Thing[];
  /** Things that lead to one another stand together, each group after those that it uses. */
  readonly circles: readonly (readonly Thing[])[];
}

interface Visit<Thing> {
  readonly thing: Thing;
  readonly index: number;
  readonly left: Iterator<Thing, unknown>;
  /** The lowest index that is reached from it, of those whose circle is not known. */
  low: number;
}

/** Tarjan's algorithm, without recursion: chains may be as long as they like. What `uses` gives must be among the things. */
export function depthFirst<Thing>(
  things: Iterable<Thing>,
  uses: (thing: Thing) => Iterable<Thing>,
): DepthFirst<Thing> {
  const order: Thing[] = [];
  const circles: (readonly Thing[])[] = [];
  const visits = new Map<Thing, Visit<Thing>>();
  const open: Visit<Thing>[] = [];
  const isOpen = new Set<Thing>();
  const visited = (thing: Thing): Visit<Thing> => {
    const index = visits.size;
    const visit = { thing, index, left: uses(thing)[Symbol.iterator](), low: index };
    visits.set(thing, visit);
    open.push(visit);
    isOpen.add(thing);
    return visit;
  };
  const leave = (visit: Visit<Thing>): void => {
    order.push(visit.thing);
    if (visit.low !== visit.index) return;
    const circle = open.splice(open.lastIndexOf(visit)).map(({ thing }) => thing);
    for (const thing of circle) isOpen.delete(thing);
    circles.push(circle);
  };
  for (const start of things) {
    if (visits.has(start)) continue;
    const path = [visited(start)];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const next = visit.left.next();
      if (next.done === true) {
        path.pop();
        leave(visit);
        const before = path.at(-1);
        if (before !== undefined) before.low = Math.min(before.low, visit.low);
        continue;
      }
      const known = visits.get(next.value);
      if (known === undefined) path.push(visited(next.value));
      else if (isOpen.has(next.value)) visit.low = Math.min(visit.low, known.index);
    }
  }
  return { order, circles };
}
