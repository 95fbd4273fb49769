/** What was left aside of what devices told. */
export interface ShellyCounters {
  /** Values that are not of the described type. */
  wrongType: number;
  /** Changes of components that the device does not have, and events that mean nothing here. */
  otherChanges: number;
  /** Events for which there was no room. */
  lostEvents: number;
}
