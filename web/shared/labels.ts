const acronyms: ReadonlySet<string> = new Set(["id", "ids", "url", "api", "pem", "us", "kyc"]);

/**
 * What people call a field, made from its name: `businessNameLegal` is Business name legal, `callbackUrl` Callback
 * URL. The part behind a blank, such as the number of an item, stays.
 */
export function humanLabel(name: string): string {
  const [, field = "", rest = ""] = /^(\S*)(.*)$/s.exec(name) ?? [];
  const words = `${field.charAt(0).toUpperCase()}${field.slice(1)}`
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(" ");
  const shown = words.map((word, index) => {
    const lower = word.toLowerCase();
    if (acronyms.has(lower)) return lower === "ids" ? "IDs" : lower.toUpperCase();
    return index === 0 ? word : lower;
  });
  return `${shown.join(" ")}${rest}`;
}
