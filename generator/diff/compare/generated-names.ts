import { protocolOf } from "../../protocols/index.ts";
import type { MethodModel, Names, ServiceModel } from "../../model/index.ts";
import type { Span } from "../../language/source/index.ts";
import { oncePer } from "../../language/source/once-per.ts";
import type { Comparison } from "./comparison.ts";

interface Named {
  readonly names: Names;
  readonly span: Span;
}

/** The names that a thing, which itself is called as before, has in generated code. */
export function compareGeneratedNames(
  { report }: Comparison,
  path: string,
  name: string,
  old: Named,
  recent: Named,
): void {
  const differ = (["type", "value", "file"] as const).find((kind) => old.names[kind] !== recent.names[kind]);
  if (differ === undefined) return;
  report("generated-name-changed", {
    path,
    facts: { name, from: `\`${old.names[differ]}\``, to: `\`${recent.names[differ]}\`` },
    old: old.span,
    new: recent.span,
  });
}

/** Compares the client's names of a method whose own name stays: its member and its list's. */
export function compareClientMembers(comparison: Comparison, old: MethodModel, recent: MethodModel): void {
  const [before, now] = [clientMembers(comparison.old), clientMembers(comparison.new)];
  for (const kind of ["methods", "lists"] as const) {
    const [from, to] = [before[kind].get(old.name), now[kind].get(recent.name)];
    if (from === undefined || to === undefined || from === to) continue;
    comparison.report("client-member-changed", {
      path: kind === "methods" ? recent.name : `${recent.name}/paging`,
      facts: { name: recent.name, from: `\`${from}\``, to: `\`${to}\`` },
      old: old.span,
      new: recent.span,
      reaches: [recent.name],
    });
  }
}

const clientMembers = oncePer((model: ServiceModel) => {
  const { lists, methods } = protocolOf(model).clientMembers(model);
  return {
    methods: new Map(methods.map(({ method, member }) => [method.name, `client.${member}`])),
    lists: new Map(lists.map(({ method, name }) => [method.name, `client.${name}.all`])),
  };
});
