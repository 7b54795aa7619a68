import { codesIn, type Section } from "./document.ts";
import { sameSets } from "./same-sets.ts";
import type { SpecFiles } from "./spec-files.ts";

/** Title, revision, path, services, envelopes, authentication, and that every cited section exists. */
export function conventionProblems(sections: readonly Section[], spec: SpecFiles): readonly string[] {
  return [
    ...identityProblems(sections, spec),
    ...envelopeProblems(sections, spec),
    ...authProblems(sections, spec),
    ...citationProblems(sections, spec),
  ];
}

function itemsOf(sections: readonly Section[], number: string): readonly string[] {
  return sections.filter((section) => section.number === number).flatMap((section) => section.items);
}

function identityProblems(sections: readonly Section[], spec: SpecFiles): readonly string[] {
  const title = sections.find((section) => section.title !== "")?.title.split(":")[0] ?? "";
  const services = itemsOf(sections, "1").find((item) => item.includes("where `<Service>` is one of")) ?? "";
  const revision = itemsOf(sections, "9").find((item) => item.includes("revision is labelled")) ?? "";
  const path = itemsOf(sections, "1").find((item) => item.includes("`{base_url}")) ?? "";
  return [
    ...sameSets("title", [title], [spec.interface.title]),
    ...sameSets("revision", [/\d+\.\d+\.\d+/.exec(revision)?.[0] ?? ""], [spec.interface.revision]),
    ...sameSets("path", [/\{base_url\}([^`]*)/.exec(path)?.[1] ?? ""], [spec.interface.path]),
    ...sameSets(
      "service",
      codesIn(services).filter((code) => /^\w+Service$/.test(code)),
      Object.keys(spec.interface.services),
    ),
  ];
}

/** The envelopes are rules, whose sentences say "X holds a, b and c". */
function envelopeProblems(sections: readonly Section[], spec: SpecFiles): readonly string[] {
  return ["Request envelope", "Response envelope"].flatMap((heading) => {
    const section = sections.find((each) => each.title.startsWith(heading));
    const rows = (section?.tables ?? []).flatMap((table) =>
      table.rows.map(([field = ""]) => codesIn(field)[0] ?? ""),
    );
    const rule = spec.rules[heading.toLowerCase().replace(" ", "-")]?.doc ?? "";
    const members = [...rule.matchAll(/(\w+) holds ([^.;]+)/g)].flatMap(([, holder = "", list = ""]) =>
      list.split(/, | and /).map((name) => (holder === "params" ? `params.${name}` : name)),
    );
    return sameSets(`member of the ${heading.toLowerCase()}`, rows, members);
  });
}

function authProblems(sections: readonly Section[], spec: SpecFiles): readonly string[] {
  const section = sections.find((each) => each.number === "5");
  const members = (section?.tables ?? []).flatMap((table) =>
    table.rows.map(([field = ""]) => codesIn(field)[0] ?? ""),
  );
  const headers = section?.items.find((item) => item.includes("HTTP headers:")) ?? "";
  const named = [...headers.matchAll(/`(\w+)`(?: \((?:format|value is) `([^`]*)`\))?/g)];
  const codes = codesIn(section?.items.find((item) => item.startsWith("Error codes tied")) ?? "");
  const { auth, faults } = spec.interface;
  const authFaults = ["unauthorized", "badCredential", "unknownKey", "invalidSignature"];
  const formats = named.flatMap(([, name = "", format]) =>
    format === undefined ? [] : [`${name}: ${format}`],
  );
  const documentedFormats = new Set(formats.map((each) => each.split(":")[0] ?? ""));
  const headerEntries = Object.entries(auth?.headers ?? {});
  return [
    ...sameSets("member of params.api", members, Object.keys(auth?.members ?? {})),
    ...sameSets(
      "header",
      named.map(([, name = ""]) => name),
      headerEntries.map(([name]) => name),
    ),
    ...sameSets(
      "header format",
      formats,
      headerEntries
        .filter(([name]) => documentedFormats.has(name))
        .map(([name, { format }]) => `${name}: ${format}`),
    ),
    ...sameSets(
      "authentication error",
      codes,
      authFaults.map((fault) => faults?.[fault] ?? ""),
    ),
  ];
}

/** Numbered conventions of 1 and 5 each have something in the spec; whatever the spec cites exists. */
function citationProblems(sections: readonly Section[], spec: SpecFiles): readonly string[] {
  const conventions = sections.flatMap(({ number, itemNumbers }) =>
    itemNumbers.map((item) => `${number}.${item}`),
  );
  const known = new Set([...sections.map((section) => section.number), ...conventions]);
  const cited = citedSections(spec);
  const unanswered = [...conventions, "8", "9"].filter((section) => !cited.has(section));
  return [
    ...unanswered.map((section) => `section ${section}: nothing in the spec cites it`),
    ...[...cited]
      .filter((section) => !known.has(section))
      .map((section) => `section ${section}: cited, but missing`),
  ];
}

function citedSections(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) value.forEach((each) => citedSections(each, found));
  else if (typeof value === "object" && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      if (key === "section" && typeof child === "string") found.add(child);
      else citedSections(child, found);
    }
  }
  return found;
}
