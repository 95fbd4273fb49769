/** Counters of dropped input from devices. */
export interface ShellyCounters {
  /** Values that do not have the described type. */
  wrongType: number;
  /** Changes of unknown components, and events without a meaning for the hub. */
  otherChanges: number;
  /** Events dropped for lack of room. */
  lostEvents: number;
}
