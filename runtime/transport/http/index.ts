export { countedAddress, isLoopback } from "../../contract/address.ts";
export { type Fifo, createFifo } from "../../contract/queues.ts";
export {
  type BodyRoom,
  createBodyRoom,
  readBody,
  type UnreadAnswers,
  type UnreadRoom,
  createUnreadAnswers,
  createUnreadRoom,
} from "./bodies.ts";
export { type RefusedReason, refusedReasons } from "./connections.ts";
export { anyName, createHostCheck, isMisdirected, misdirected, setHostCheck } from "./refusals.ts";
export { type Drained, type ServerLimits, releaseConnection } from "./server.ts";
