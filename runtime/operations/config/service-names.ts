/** What belongs to the service of an application is named after it. */
export interface ServiceNames {
  /** The command. */
  readonly program: string;
  /** What its environment variables begin with. */
  readonly variables: string;
  /** What its metrics begin with. */
  readonly metrics: string;
  /** The file of settings in the working folder. */
  readonly configFile: string;
  /** The database in the data folder. */
  readonly databaseFile: string;
}

/** Those of `ledger`: `ledger-server`, `LEDGER_…`, `ledger_rpc_…`, `ledger-server.yaml` and `ledger.sqlite`. */
export function serviceNames({ name }: { readonly name: string }): ServiceNames {
  const word = name.replaceAll("-", "_");
  return {
    program: `${name}-server`,
    variables: `${word.toUpperCase()}_`,
    metrics: `${word}_rpc_`,
    configFile: `${name}-server.yaml`,
    databaseFile: `${name}.sqlite`,
  };
}

/** The engine's texts speak of `ledger-server`, `LEDGER_…` and `ledger.sqlite`: here they say how the application calls these. */
export function inItsWords(text: string, names: ServiceNames): string {
  return text
    .replaceAll(/\bledger-server\b/g, names.program)
    .replaceAll(/\bLEDGER_(?=[A-Z])/g, names.variables)
    .replaceAll(/\bledger\.sqlite\b/g, names.databaseFile);
}
