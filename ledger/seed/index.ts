export {
  createOperator,
  readAccess,
  requireFitting,
  writeAccess,
  type Access,
  type Identity,
} from "./access.ts";
export { demoInstitutionId, demoUserName, isSeeded, seedDemo } from "./demo.ts";
export { demoUsersServed, revokeDemoUsers } from "./demo-access.ts";
