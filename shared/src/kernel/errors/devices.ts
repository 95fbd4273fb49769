/** Texts of the errors on the way to a device: its properties, the values that it accepts, and whether it was reachable. */
import type { ErrorExtras } from "./errors.ts";

/**
 * What the documentation of an error adds to its row of the table: why it happens, what to do, and an example. Texts are Markdown of
 * one paragraph, with code in backticks.
 */
export interface ErrorText {
  /** Explanation, when the sentence of the table is not enough. */
  readonly why?: string;
  /** What to do. */
  readonly cure: string;
  readonly example: ErrorExample;
}

export interface ErrorExample {
  /** Method and path, as in a request line. */
  readonly request: string;
  /** The relevant headers of the request, one line each. */
  readonly headers?: readonly string[];
  /** Body of the request, as sent. */
  readonly body?: string;
  /** `detail` of the answer; the table's sentence when omitted. */
  readonly detail?: string;
  /** Further members of the answer. */
  readonly extras?: ErrorExtras;
}

/** A sample ID for examples. @param prefix such as `env` */
export function sampleId(prefix: string): string {
  return `${prefix}_01h455vb4pex5vsknk084sn02q`;
}

const JSON_BODY = ["content-type: application/json"];
const LAMP = `/api/devices/${sampleId("env")};lamp/services`;
const HUB = `/api/clients/${sampleId("cli")}`;
const SETUPS = `${HUB}/setups`;
const TURN_GREEN = { request: `PUT ${LAMP}/LightColor.hue`, headers: JSON_BODY, body: '{"value": 120}' };

export const DEVICE_TEXTS = {
  "Service Not Found": {
    why: "No device in the path has this service, or the selector does not have the form `SERVICE`, `SERVICE.PROPERTY`, `SERVICE:INDEX` or `SERVICE:INDEX.PROPERTY`. A read without `refresh` returns an empty list instead.",
    cure: "`GET /api/devices/:id/services` lists what a device has. Names are case-sensitive.",
    example: { request: `PUT ${LAMP}/LightColour.hue`, headers: JSON_BODY, body: '{"value": 120}' },
  },
  "Service Property Invalid": {
    why: "A write must name one property. If the device has several instances of the service, the write must name the instance too. A property that only sends events, such as `Button.event`, cannot be refreshed.",
    cure: "`GET /api/devices/:id/services` lists the properties and their `index`. Write `Switch:1.on` for the second switch.",
    example: { request: `PUT ${LAMP}/LightColor.tint`, headers: JSON_BODY, body: '{"value": 120}' },
  },
  "Property Value Invalid": {
    why: "The value has the wrong type, is out of range, or is not one of the allowed values. Nothing was sent to the device.",
    cure: "The description of the property says which values it takes: `type`, `min`, `max`, `step`, `values`.",
    example: {
      request: `PUT ${LAMP}/LightColor.hue`,
      headers: JSON_BODY,
      body: '{"value": "green"}',
      detail: "`value` must be a number from 0 to 360.",
    },
  },
  "Property Not Writable": {
    why: "Its `access` does not include `write`. The device measures it.",
    cure: "Read the property instead. For a virtual device, an account or a server can report a measured value: send `report: true` with `value`.",
    example: { request: `PUT ${LAMP}/Signal.rssi`, headers: JSON_BODY, body: '{"value": -40}' },
  },
  "Device Rejected": {
    why: "The device received the request and rejected it. `code` is the error code of the device, if it sent one. Nothing was changed.",
    cure: "Do not repeat the same request: the device will reject it again. `detail` has the message of the device.",
    example: { ...TURN_GREEN, detail: "The device rejected the request.", extras: { outcome: "rejected" } },
  },
  "Device Unreachable": {
    why: "The hub is connected, but the device does not answer it. It may have no power, be out of radio range, or be unplugged.",
    cure: "Look at `outcome`. After `not_applied`, repeat the request when the device is back. After `unknown`, the device may have carried it out: read the property first.",
    example: { ...TURN_GREEN, extras: { outcome: "not_applied" } },
  },
  "Hub Offline": {
    why: "The home may have no power or no internet, or the hub may be switched off. `lastSeenAt` says when the service last received something from it. Nothing was sent.",
    cure: "Repeat the request after the seconds in `retry-after`. Or send it with `Prefer: respond-async` and `ttlSeconds`: the command then waits for the hub.",
    example: {
      ...TURN_GREEN,
      extras: { outcome: "not_sent", retryAfter: 5, members: { lastSeenAt: "2026-11-05 14:03:07Z" } },
    },
  },
  "Hub Timeout": {
    why: "The hub was connected, but no answer came within the time of `Prefer: wait`. `outcome` says what is known: after `not_sent` and `not_applied`, the device did nothing.",
    cure: "After `unknown`, read the command (`GET /api/commands/:id` with the ID in `x-command-id`) or the property. Repeat the request only if it does no harm when carried out twice.",
    example: { ...TURN_GREEN, extras: { outcome: "unknown" } },
  },
  "Setup Kind Invalid": {
    why: "A driver offers a setup only while it can run it. For example, `zigbee` needs a connection to its broker.",
    cure: "`GET /api/clients/:id/drivers` lists what can be set up now.",
    example: { request: `POST ${SETUPS}`, headers: JSON_BODY, body: '{"kind": "coffee"}' },
  },
  "Setup Not Found": {
    why: "The hub keeps its setups in memory. It forgets a setup some time after it has ended, and when the agent restarts.",
    cure: "Start it again: `POST /api/clients/:id/setups`.",
    example: { request: `GET ${SETUPS}/q2hqY29mZmVlMTIz` },
  },
  "Setup Answer Invalid": {
    why: "The question was already answered, or the setup has continued without an answer.",
    cure: "Read the setup. `question` is its current question.",
    example: { request: `PUT ${SETUPS}/q2hqY29mZmVlMTIz/answers/1`, headers: JSON_BODY, body: '{"answer": "1234"}' },
  },
  "Setup In Use": {
    why: "A driver runs one setup at a time, because its devices share one button or one radio.",
    cure: "End the other setup, or wait until it ends.",
    example: { request: `POST ${SETUPS}`, headers: JSON_BODY, body: '{"kind": "zigbee"}' },
  },
  "Hub Rejected": {
    why: "The hub was reached but could not do it. For example, the disk is too full for a backup, or the agent would not start again with its current settings. Nothing was changed.",
    cure: "Do on the hub what `detail` says, then repeat the request.",
    example: { request: `POST ${HUB}/backups`, extras: { outcome: "not_applied" } },
  },
  "Hub Outdated": {
    why: "The hub is connected, but its agent does not support this request.",
    cure: "Update the agent on the hub. `connection.agentVersion` of the client is the version that runs there.",
    example: { request: `GET ${HUB}/drivers` },
  },
} as const satisfies Record<string, ErrorText>;
