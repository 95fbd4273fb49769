/** The topics of one device, and the messages on them. */
import type { Publication } from "../device/mqtt-device.ts";

export interface DeviceTopics {
  readonly state: string;
  readonly availability: string;
  /** Where a member is published by itself, with the setting `output: attribute`. @param path the members from the outside in */
  attribute(path: readonly string[]): string;
  set(members: object): Publication;
  get(members: object): Publication;
}

/** Longest topic, bytes. */
const LONGEST = 1024;

/** Undefined for a name that no topic can have. */
export function deviceTopics(base: string, friendlyName: string): DeviceTopics | undefined {
  const state = `${base}/${friendlyName}`;
  if (friendlyName === "" || /[+#\0]/.test(friendlyName) || Buffer.byteLength(state) > LONGEST) return undefined;
  return {
    state,
    availability: `${state}/availability`,
    attribute: (path) => `${state}/${path.join("-")}`,
    set: (members) => ({ topic: `${state}/set`, payload: JSON.stringify(members) }),
    get: (members) => ({ topic: `${state}/get`, payload: JSON.stringify(members) }),
  };
}
