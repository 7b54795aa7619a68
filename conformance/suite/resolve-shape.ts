import type { Reading } from "./shape.ts";
import type { Suite } from "./suite.ts";

/** Follows references to the types of a suite, to their end. Throws where the suite has no such type: it is wrong then. */
export function shapeResolver({ types }: Pick<Suite, "types">): Reading["resolve"] {
  return (shape) => {
    let at = shape;
    while (at.kind === "ref") {
      const target = types[at.type];
      if (target === undefined) throw new Error(`the suite has no type ${at.type}`);
      at = target;
    }
    return at;
  };
}
