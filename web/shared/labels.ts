import type { FieldName } from "./schema.ts";

const acronyms: ReadonlySet<string> = new Set(["id", "ids", "url", "api", "pem", "us", "kyc"]);

/**
 * What people call a field: its label, or words made of its name. `accountNumber` is Account number, `callbackUrl`
 * Callback URL, `line2` Line 2. The part behind a blank, such as the number of an item, stays.
 */
export function humanLabel({ name, label }: FieldName): string {
  if (label !== undefined) return label;
  const [, field = "", rest = ""] = /^(\S*)(.*)$/s.exec(name) ?? [];
  const words = `${field.charAt(0).toUpperCase()}${field.slice(1)}`
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .replace(/([a-z])(\d+)$/, "$1 $2")
    .split(" ");
  const shown = words.map((word, index) => {
    const lower = word.toLowerCase();
    if (acronyms.has(lower)) return lower === "ids" ? "IDs" : lower.toUpperCase();
    return index === 0 ? word : lower;
  });
  return `${shown.join(" ")}${rest}`;
}
