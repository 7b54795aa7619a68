import { svg } from "./dom.ts";

/** Pictures of 24 × 24 units, drawn with lines. */
const icons = {
  check: "M5 13l4 4L19 7",
  clock: "M12 7v5l3 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  cross: "M6 6l12 12M18 6L6 18",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4",
} as const;

/** A picture beside words that say the same. */
export function icon(name: keyof typeof icons): SVGElement {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: icons[name] }),
  );
}
