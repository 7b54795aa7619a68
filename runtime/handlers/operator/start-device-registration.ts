import type { StartDeviceRegistrationHandler } from "../../../generated/operator/handlers.ts";
import { unimplemented } from "../../contract/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Starts the registration of a device: answers with a token and mails a one-time password of 6 digits to the
 * user. CompleteRegisterDevice takes both, within 5 minutes and once.
 *
 * @see section 4.13 · D-20
 */
export const startDeviceRegistration: StartDeviceRegistrationHandler<Contexts> = async () => {
  throw unimplemented("StartDeviceRegistration");
};
