/** The members of a message by what they carry. */
export interface Frame {
  /** A member that every message has, with its value; none where a protocol says no version. */
  readonly version?: { readonly member: string; readonly value: string };
  readonly id: string;
  readonly method: string;
  readonly params: string;
  readonly result: string;
  readonly error: string;
}

/** JSON-RPC 2.0, sections 4 and 5. */
export const jsonRpcFrame: Frame = {
  version: { member: "jsonrpc", value: "2.0" },
  id: "id",
  method: "method",
  params: "params",
  result: "result",
  error: "error",
};

/** What a message carries, by role. A role that is undefined is left out. */
export type Carried = { readonly [Role in Exclude<keyof Frame, "version">]?: unknown };

/** A message with the names of a frame: its version first, then the roles in the order in which they are given. */
export function framed(frame: Frame, carried: Carried): Readonly<Record<string, unknown>> {
  const { version } = frame;
  const members: Record<string, unknown> = version === undefined ? {} : { [version.member]: version.value };
  for (const [role, value] of Object.entries(carried)) {
    if (value !== undefined && isRole(role)) members[frame[role]] = value;
  }
  return members;
}

/** @throws Error if a message of this frame could not be told apart */
export function checkedFrame(frame: Frame): Frame {
  const { version, ...roles } = frame;
  const names = new Map<string, string>();
  const all = [...Object.entries(roles), ...(version === undefined ? [] : [["version", version.member]])];
  for (const [role = "", name = ""] of all) {
    const other = names.get(name);
    if (!/^[\w$@.-]+$/.test(name) || name === "__proto__")
      throw new Error(
        `frame.${role} is ${JSON.stringify(name)}: name a member of letters, digits and \`$@._-\`, other than \`__proto__\``,
      );
    if (other !== undefined)
      throw new Error(
        `frame.${role} and frame.${other} are both ${JSON.stringify(name)}: give each its own name`,
      );
    names.set(name, role);
  }
  return frame;
}

/** Whether messages look as in JSON-RPC 2.0. */
export function isJsonRpcFrame(frame: Frame): boolean {
  return JSON.stringify(sorted(frame)) === JSON.stringify(sorted(jsonRpcFrame));
}

function sorted({ version, id, method, params, result, error }: Frame): readonly unknown[] {
  return [version?.member, version?.value, id, method, params, result, error];
}

/** Whether a text names a role of members. */
export function isRole(name: string): name is keyof Carried {
  return name !== "version" && Object.hasOwn(jsonRpcFrame, name);
}
