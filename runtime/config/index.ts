export { loadConfig, type Config, type Endpoint, type EventsConfig, type MailConfig } from "./config.ts";
export { ConfigError, type Mistake } from "./values.ts";
export { settings, type Setting } from "./settings.ts";
