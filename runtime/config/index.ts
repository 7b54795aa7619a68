export {
  inspectConfig,
  loadConfig,
  type Config,
  type Endpoint,
  type EventsConfig,
  type MailConfig,
  type NamedDatabase,
} from "./config.ts";
export { ConfigError, type InspectedValues, type Mistake } from "./values.ts";
export { settingsOf, type NamedInterface, type Setting, type Value } from "./settings.ts";
