export interface Contexts {
  readonly read: object;
  readonly write: object;
}
