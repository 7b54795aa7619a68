export { packClient } from "./package-folder.ts";
export {
  documentsOf,
  emptyFolder,
  packed,
  readManifest,
  writePackage,
  type Manifest,
  type PackOptions,
} from "./package-folder.ts";
