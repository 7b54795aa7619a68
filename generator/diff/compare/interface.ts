import type { ServedRevisionModel } from "../../model/service-model.ts";
import { protocolOf } from "../../protocols/index.ts";
import { locate } from "./locate.ts";
import { compareRevisions } from "../../language/index.ts";
import type { Comparison } from "./comparison.ts";
import { compareDocumented } from "./documented.ts";
import { compareGeneratedNames } from "./generated-names.ts";
import { pairUp } from "./pair-up.ts";
import { code, quoted } from "./phrases.ts";

/** Compares the interface as a whole. */
export function compareInterface(comparison: Comparison): void {
  const { old, new: recent, report } = comparison;
  const path = "interface";
  const at = (...keys: readonly string[]) => ({
    old: locate(old.span, ...keys),
    new: locate(recent.span, ...keys),
  });
  compareDocumented(comparison, path, "the interface", old, recent);
  if (old.name !== recent.name) {
    const facts = { name: recent.name, from: old.name, to: recent.name };
    report("interface-renamed", { path: "interface/name", facts, ...at("name") });
  }
  if (old.title !== recent.title) {
    const facts = { name: recent.name, from: quoted(old.title), to: quoted(recent.title) };
    report("title-changed", { path: "interface/title", facts, ...at("title") });
  }
  if (old.path !== recent.path) {
    const facts = { name: recent.name, from: code(old.path), to: code(recent.path) };
    report("path-changed", { path: "interface/path", facts, ...at(...protocolOf(recent).pathKeys) });
  }
  if (old.revision !== recent.revision) {
    const rule =
      compareRevisions(recent.revision, old.revision) < 0 ? "revision-went-back" : "revision-changed";
    const facts = { name: recent.name, from: old.revision, to: recent.revision };
    report(rule, { path: "interface/revision", facts, ...at("revision") });
  }
  compareServed(comparison);
  compareServices(comparison);
}

function compareServed({ old, new: recent, report }: Comparison): void {
  const { removed, added } = pairUp(old.serves ?? [], recent.serves ?? [], { nameOf: revisionOf });
  for (const { model, span } of removed) {
    if (model.revision === recent.revision) continue;
    const facts = { name: recent.name, from: model.revision };
    report("served-revision-removed", {
      path: `interface/serves/${model.revision}`,
      facts,
      old: span,
      near: recent.span,
    });
  }
  for (const { model, span } of added) {
    const facts = { name: recent.name, from: model.revision };
    report("served-revision-added", { path: `interface/serves/${model.revision}`, facts, new: span });
  }
}

function revisionOf({ model }: ServedRevisionModel): string {
  return model.revision;
}

function compareServices(comparison: Comparison): void {
  const { old, new: recent, report } = comparison;
  const { pairs, removed, added } = pairUp(old.services, recent.services, { nameOf: ({ name }) => name });
  for (const { name, span } of removed) {
    report("service-removed", {
      path: `interface/services/${name}`,
      facts: { name },
      old: span,
      near: recent.span,
    });
  }
  for (const { name, span } of added) {
    report("service-added", { path: `interface/services/${name}`, facts: { name }, new: span });
  }
  for (const { old: before, new: now } of pairs) {
    const path = `interface/services/${now.name}`;
    compareDocumented(comparison, path, code(now.name), before, now);
    compareGeneratedNames(comparison, path, now.name, before, now);
  }
}
