import type { Fault } from "../fault.ts";
import { authenticateFaults } from "./authenticate.ts";
import { authorizeFaults } from "./authorize.ts";
import { decodeFaults } from "./decode.ts";
import { decisionFaults } from "./decisions.ts";
import { documentFaults } from "./document.ts";
import { domainFaults } from "./domain.ts";
import { encodeFaults } from "./encode.ts";
import { eighthRoundFaults } from "./eighth-round.ts";
import { eleventhRoundFaults } from "./eleventh-round.ts";
import { eventFaults, mailFaults } from "./events.ts";
import { fifthRoundFaults } from "./fifth-round.ts";
import { fourthRoundFaults } from "./fourth-round.ts";
import { handlerFaults } from "./handlers.ts";
import { heldOutFaults } from "./held-out.ts";
import { ninthRoundFaults } from "./ninth-round.ts";
import { seventhRoundFaults } from "./seventh-round.ts";
import { sixthRoundFaults } from "./sixth-round.ts";
import { storageFaults } from "./storage.ts";
import { tenthRoundFaults } from "./tenth-round.ts";
import { thirdRoundFaults } from "./third-round.ts";
import { transportFaults } from "./transport.ts";
import { twelfthRoundFaults } from "./twelfth-round.ts";
import { unseenFaults } from "./unseen.ts";
import { validateFaults } from "./validate.ts";

/** Every fault, layer by layer. */
export const faults: readonly Fault[] = [
  ...transportFaults,
  ...decodeFaults,
  ...authenticateFaults,
  ...authorizeFaults,
  ...validateFaults,
  ...encodeFaults,
  ...handlerFaults,
  ...domainFaults,
  ...storageFaults,
  ...eventFaults,
  ...mailFaults,
  ...decisionFaults,
  ...heldOutFaults,
  ...documentFaults,
  ...unseenFaults,
  ...thirdRoundFaults,
  ...fourthRoundFaults,
  ...fifthRoundFaults,
  ...sixthRoundFaults,
  ...seventhRoundFaults,
  ...eighthRoundFaults,
  ...ninthRoundFaults,
  ...tenthRoundFaults,
  ...eleventhRoundFaults,
  ...twelfthRoundFaults,
];
