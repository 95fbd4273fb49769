/**
 * Where the members of a device's messages are published, by zigbee2mqtt's setting `advanced.output`: all in one JSON object, or each as
 * text on its own topic.
 */
import { at, type Read } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { MqttState, Publication } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";

/** Another member that decides whether a member is valid. */
export interface Validity {
  readonly path: readonly string[];
  /** Undefined where the value does not decide it. */
  readonly isValid: (raw: unknown) => boolean | undefined;
}

export interface Members {
  readonly isJson: boolean;
  /** The topic of the member at this path, and its reader. While the member is not valid, it is no value. */
  state(path: readonly string[], read: (raw: unknown) => Read<Value>, validity?: Validity): MqttState;
}

export function jsonMembers(topics: DeviceTopics): Members {
  return {
    isJson: true,
    state: (path, read, validity) => ({
      topic: topics.state,
      read: ({ object }) => {
        const raw = at(object, ...path);
        return raw === undefined || isValid(object, validity) ? read(raw) : null;
      },
      raw: ({ object }) => (isValid(object, validity) ? at(object, ...path) : undefined),
    }),
  };
}

export function attributeMembers(topics: DeviceTopics): Members {
  return {
    isJson: false,
    state: (path, read, validity) => ({
      topic: topics.attribute(path),
      read: (payload) => read(textOf(payload)),
      raw: textOf,
      ...(validity
        ? {
            holds: [
              {
                id: topics.attribute(path),
                mode: "all",
                topics: [
                  { topic: topics.attribute(validity.path), read: (payload) => validity.isValid(textOf(payload)) },
                ],
                unsaid: true,
              },
            ],
          }
        : {}),
    }),
  };
}

function isValid(message: unknown, validity: Validity | undefined): boolean {
  return validity?.isValid(at(message, ...validity.path)) ?? true;
}

/** An empty text means that there is no value. */
function textOf({ text }: Payload): string | null {
  return text === "" ? null : text;
}

/** The topics of one device, and the messages on them. */
export interface DeviceTopics {
  readonly state: string;
  readonly availability: string;
  /** The topic of a member with the setting `output: attribute`. @param path the members from the outermost to the innermost */
  attribute(path: readonly string[]): string;
  set(members: object): Publication;
  get(members: object): Publication;
}

/** Maximum length of a topic, bytes. */
const LONGEST = 1024;

/** Undefined for a name that is no valid topic. */
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
