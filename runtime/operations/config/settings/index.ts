import { omitUndefined } from "../../../contract/index.ts";
import { inItsWords, serviceNames } from "../service-names.ts";
import { callSettings, operatingSettings } from "./calls.ts";
import { deliverySettings, mailSettings } from "./delivery.ts";
import { portSettings } from "./ports.ts";
import { storeSettings } from "./store.ts";
import { both, choice, list, port, text, type Setting } from "./setting.ts";

export { samplers } from "./calls.ts";
export { retiredSettings } from "./store.ts";
export { both, choice, flag, integer, list, type Setting, type Value } from "./setting.ts";

/** The sources of settings: the interfaces that name them, and the settings of the application. */
export interface Configured {
  /** What its environment variables are named after. */
  readonly name: string;
  readonly interfaces: readonly {
    readonly descriptor: { readonly name: string };
    /** Whether anyone may reach it: then production has no default address for it. */
    readonly isPublic?: boolean;
    /** Where it is served beside another one: it has no settings. */
    readonly beside?: object;
    /** Whether it is served only where the setting `<name>.interface` is on. */
    readonly isOptional?: boolean;
  }[];
  readonly settings: readonly Setting[];
  /** Absent: it sends no mails of its own, and production needs no mail server. */
  readonly mails?: object;
}

interface NamedInterface {
  readonly name: string;
  readonly isPublic: boolean;
  readonly isOptional: boolean;
}

/** The interfaces that have a port of their own. */
export function namesOf({ interfaces }: Configured): readonly NamedInterface[] {
  return interfaces
    .filter(({ beside }) => beside === undefined)
    .map(({ descriptor: { name }, isPublic = false, isOptional = false }) => ({
      name,
      isPublic,
      isOptional,
    }));
}

const firstPort = 8080;

/**
 * Every setting of a service: the one list that loading, `--help` and the operations guide read, in its order. Each interface has
 * `<name>.host` and `<name>.port`; ports count up from 8080. The first interface's port also goes by `PORT`, as
 * platforms give it, and its settings by the paths that they had before there were several.
 */
export function settingsOf(application: Configured): readonly Setting[] {
  const names = serviceNames(application);
  const named = (setting: Setting): Setting => ({
    ...setting,
    env: inItsWords(setting.env, names),
    doc: inItsWords(setting.doc, names),
    ...(setting.sandbox === "ledger-server" && both(names.program)),
  });
  const mails = application.mails === undefined ? mailSettings.map(asInSandbox) : mailSettings;
  return [
    ...storeSettings.map(named),
    ...namesOf(application).flatMap(endpointSettings),
    ...[portSettings, callSettings, deliverySettings, mails, operatingSettings].flat().map(named),
    ...application.settings,
  ];
}

function asInSandbox({ needed: _needed, ...setting }: Setting): Setting {
  return { ...setting, ...omitUndefined({ production: setting.sandbox }) };
}

function endpointSettings({ name, isPublic, isOptional }: NamedInterface, at: number): readonly Setting[] {
  const variable = name.toUpperCase().replaceAll("-", "_");
  const isFirst = at === 0;
  const switched: Setting = {
    path: `${name}.interface`,
    env: `${variable}_INTERFACE`,
    kind: choice("off", "on"),
    ...both("off"),
    doc: `on serves the ${name} interface on its port.`,
  };
  return [
    ...(isOptional ? [switched] : []),
    {
      path: `${name}.host`,
      env: `${variable}_HOST`,
      kind: text,
      listens: true,
      ...(isPublic ? { sandbox: "127.0.0.1", needed: true } : both("127.0.0.1")),
      ...omitUndefined({ formerPath: isFirst ? "http.host" : undefined }),
      doc: `Address of the ${name} interface; in a sandbox a loopback address.`,
    },
    {
      path: `${name}.port`,
      env: isFirst ? "PORT" : `${variable}_PORT`,
      kind: port,
      ...both(firstPort + at),
      ...omitUndefined({ formerPath: isFirst ? "http.port" : undefined }),
      doc: `Port of the ${name} interface; 0 takes a free one.`,
    },
    {
      path: `${name}.names`,
      env: `${variable}_NAMES`,
      kind: list,
      ...(isPublic ? { production: ["*"] } : {}),
      doc: `Further host names that the ${name} port answers to; \`*\`: any.`,
    },
    {
      path: `${name}.origin`,
      env: `${variable}_ORIGIN`,
      kind: text,
      doc: `Scheme and host that ${name} callers see, for \`@target-uri\` in message signatures. Default: \`http\` and the request's \`Host\`.`,
    },
  ];
}
