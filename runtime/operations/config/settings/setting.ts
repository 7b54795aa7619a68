/** One thing that can be configured, by file under `path` or by environment variable. */
export interface Setting {
  /** Dotted path in the configuration file. */
  readonly path: string;
  readonly env: string;
  readonly doc: string;
  readonly kind:
    | { readonly of: "text" }
    | { readonly of: "integer" | "number"; readonly minimum: number; readonly maximum: number }
    | { readonly of: "choice"; readonly choices: readonly string[] }
    | { readonly of: "flag" }
    | { readonly of: "list" };
  /** Defaults by profile; absent: nothing. */
  readonly sandbox?: Value;
  readonly production?: Value;
  /** Must be given under the production profile. */
  readonly needed?: true;
  /** Never printed. */
  readonly secret?: true;
  /** Name that the path had, still taken in files. */
  readonly formerPath?: string;
  /** An address to listen on: the sandbox takes loopback addresses only. */
  readonly listens?: true;
}

export type Value = string | number | boolean | readonly string[];

/** Short forms that the tables of settings are written in. */
export const text = { of: "text" } as const;
export const flag = { of: "flag" } as const;
export const list = { of: "list" } as const;
export const port = { of: "integer", minimum: 0, maximum: 65_535 } as const;
export const choice = (...choices: readonly string[]) => ({ of: "choice", choices }) as const;
export const integer = (minimum: number, maximum: number) => ({ of: "integer", minimum, maximum }) as const;
export const both = (value: Value) => ({ sandbox: value, production: value });
