import type { FieldModel } from "../../model/index.ts";
import type { Convert } from "./converter.ts";

/** A member whose value or name changes; left out where it is absent. */
export function explicitMember(
  source: FieldModel,
  target: FieldModel,
  inner: Convert,
  local: string,
): string {
  const value = inner?.(local) ?? local;
  const member = value === target.name ? value : `${JSON.stringify(target.name)}: ${value}`;
  return source.presence.kind === "required" ? member : `...(${local} === undefined ? {} : { ${member} })`;
}

export function placeFacts({ name, presence }: FieldModel) {
  return { name, optional: presence.kind !== "required" };
}
