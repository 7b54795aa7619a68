import type { AuthMemberModel, Documented, HeaderModel } from "../../../model/index.ts";
import { locate } from "../locate.ts";
import type { Comparison } from "../comparison.ts";
import { compareDocumented } from "../documented.ts";
import { pairUp } from "../pair-up.ts";
import { algorithmsIn } from "./signing-words.ts";
import { code, codeList } from "../phrases.ts";

/** Members of `params.api`, headers, and the codes of what the runtime itself detects. */
export function compareAuthentication(comparison: Comparison): void {
  compareSchemes(comparison);
  compareMembers(comparison);
  compareHeaders(comparison);
  compareFaults(comparison);
}

function compareSchemes({ old, new: recent, report }: Comparison): void {
  if (old.authScheme === recent.authScheme) return;
  report("auth-scheme-changed", {
    path: "interface/auth/scheme",
    facts: { name: recent.name, from: old.authScheme, to: recent.authScheme },
    old: locate(old.span, "auth", "scheme"),
    new: locate(recent.span, "auth", "scheme"),
  });
}

function compareMembers(comparison: Comparison): void {
  const { old, new: recent, report } = comparison;
  const { pairs, removed, added } = pairUp(old.auth, recent.auth, { nameOf: ({ name }) => name });
  for (const member of removed) {
    report("auth-member-removed", {
      path: memberPath(member),
      facts: { name: member.name },
      old: member.span,
      near: recent.span,
    });
  }
  for (const member of added) {
    report("auth-member-added", { path: memberPath(member), facts: { name: member.name }, new: member.span });
  }
  for (const { old: before, new: now } of pairs) {
    compareDocumented(comparison, memberPath(now), code(now.name), before, now);
    compareAlgorithms(comparison, memberPath(now), now.name, before, now);
    if (before.missing === now.missing) continue;
    const facts = { name: now.name, from: before.missing, to: now.missing };
    const places = { old: locate(before.span, "missing"), new: locate(now.span, "missing") };
    report("auth-missing-code-changed", { path: memberPath(now), facts, ...places });
  }
}

function compareHeaders(comparison: Comparison): void {
  const { old, new: recent, report } = comparison;
  const { pairs, removed, added } = pairUp(old.authHeaders, recent.authHeaders, {
    nameOf: ({ name }) => name.toLowerCase(),
  });
  for (const header of removed) {
    report("auth-header-removed", {
      path: headerPath(header),
      facts: { name: header.name },
      old: header.span,
      near: recent.span,
    });
  }
  for (const header of added) {
    report("auth-header-added", { path: headerPath(header), facts: { name: header.name }, new: header.span });
  }
  for (const { old: before, new: now } of pairs) {
    compareDocumented(comparison, headerPath(now), code(now.name), before, now);
    compareAlgorithms(comparison, headerPath(now), now.name, before, now);
    if (before.format === now.format) continue;
    const facts = { name: now.name, from: code(before.format), to: code(now.format) };
    const places = { old: locate(before.span, "format"), new: locate(now.span, "format") };
    report("auth-header-format-changed", { path: headerPath(now), facts, ...places });
  }
}

function compareAlgorithms(
  { report }: Comparison,
  path: string,
  name: string,
  old: Documented,
  recent: Documented,
): void {
  const [before, now] = [algorithmsIn(old.doc), algorithmsIn(recent.doc)];
  if (before.join() === now.join()) return;
  const facts = { name, from: codeList(before), to: codeList(now) };
  report("auth-algorithm-changed", {
    path,
    facts,
    old: locate(old.span, "doc"),
    new: locate(recent.span, "doc"),
  });
}

function compareFaults({ old, new: recent, report }: Comparison): void {
  for (const name of new Set([...Object.keys(old.faults), ...Object.keys(recent.faults)])) {
    const [from, to] = [old.faults[name], recent.faults[name]];
    if (from === to) continue;
    const facts = { name, from: from ?? "", to: to ?? "" };
    const places = { old: locate(old.span, "faults", name), new: locate(recent.span, "faults", name) };
    const path = `interface/faults/${name}`;
    if (from === undefined) report("fault-added", { path, facts, ...places });
    else report(to === undefined ? "fault-removed" : "fault-code-changed", { path, facts, ...places });
  }
}

function memberPath({ name }: AuthMemberModel): string {
  return `interface/auth/members/${name}`;
}

function headerPath({ name }: HeaderModel): string {
  return `interface/auth/headers/${name}`;
}
