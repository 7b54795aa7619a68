import { type Frame, isJsonRpcFrame, isRole } from "../../../../conformance/base/frame.ts";
import { propertyName, stringLiteral } from "../../../print/literals.ts";

/** The modules of `templates/client` that name members of messages. */
const namingModules = ["answer.ts", "exchange.ts", "message.ts", "observe.ts", "pending.ts", "playing.ts"];

/**
 * The modules of a client, given by their names. Those of a dialect name the members of messages as its frame does.
 * They are rewritten, so that clients of JSON-RPC 2.0 carry no names of members as data.
 */
export function framedModules(
  modules: Readonly<Record<string, string>>,
  frame: Frame,
): Readonly<Record<string, string>> {
  if (isJsonRpcFrame(frame)) return modules;
  const named = Object.entries(modules).map(([name, text]) => [
    name,
    namingModules.includes(name) ? reframed(text, frame) : text,
  ]);
  return Object.fromEntries(named);
}

/** Replaces a name of JSON-RPC 2.0 wherever these modules read, take apart, declare, quote or write it. */
function reframed(text: string, frame: Frame): string {
  const named = (role: string): string => (isRole(role) ? propertyName(frame[role]) : role);
  const quoted = (_all: string, role: string): string => (isRole(role) ? stringLiteral(frame[role]) : role);
  const after = (_all: string, before: string, role: string): string => before + named(role);
  const { version } = frame;
  const declared = version === undefined ? "" : `  readonly ${propertyName(version.member)}?: string;\n`;
  const said =
    version === undefined ? "" : `${propertyName(version.member)}: ${stringLiteral(version.value)}, `;
  return text
    .replaceAll(/\b(envelope|Object\(one\))(\??)\.(id|result|error)\b/g, (_all, of, mark, role) => {
      const name = named(role);
      return name.startsWith('"') ? `${of}${mark && "?."}[${name}]` : `${of}${mark}.${name}`;
    })
    .replaceAll(takenApart, (_all, roles: string) => {
      const bound = roles.split(", ").map((role) => `${named(role.replace(" = null", ""))}: ${role}`);
      return `{ ${bound.join(", ")} }`;
    })
    .replaceAll("  readonly jsonrpc?: string;\n", () => declared)
    .replaceAll(/(\breadonly )(id(?=\?: Id)|result(?=\?: unknown)|error(?=\?: EnvelopeError))/g, after)
    .replaceAll(/(\benvelope\??: \{ readonly |& \{ readonly )(error|result)\b/g, after)
    .replaceAll(/"(id|method|params|result)"/g, quoted)
    .replaceAll('{ jsonrpc: "2.0", id,', () => `{ ${said}${named("id")}: id,`)
    .replaceAll(/(: id, )(method)(?=: name \})/g, after)
    .replaceAll(/(\banswer\(\{ )(result|error)(?=:)/g, after);
}

/** `{ id, error = null }`, as a parameter or before a value. */
const takenApart =
  /\{ ((?:id|error|method|params)(?: = null)?(?:, (?:id|error|method|params)(?: = null)?)*) \}(?=\)| = )/g;
