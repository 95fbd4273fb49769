/** Texts of the errors on the way to a device: what it has, what it takes, and whether it could be reached. */
import { type ErrorText, sampleId } from "./error-text.ts";

const JSON_BODY = ["content-type: application/json"];
const LAMP = `/api/devices/${sampleId("env")};lamp/services`;
const HUB = `/api/clients/${sampleId("cli")}`;
const SETUPS = `${HUB}/setups`;
const TURN_GREEN = { request: `PUT ${LAMP}/LightColor.hue`, headers: JSON_BODY, body: '{"value": 120}' };

export const DEVICE_TEXTS = {
  "Service Not Found": {
    why: "No device that the request is about has it, or the selector is not of the form `SERVICE`, `SERVICE.PROPERTY`, `SERVICE:INDEX` or `SERVICE:INDEX.PROPERTY`. A read from memory gives an empty list instead.",
    cure: "`GET /api/devices/:id/services` lists what a device has. Names are case-sensitive.",
    example: { request: `PUT ${LAMP}/LightColour.hue`, headers: JSON_BODY, body: '{"value": 120}' },
  },
  "Service Property Invalid": {
    why: "To set something, name one property; of a device with several instances of the service, name the instance too. A property that only notifies, such as `Button.event`, cannot be refreshed.",
    cure: "`GET /api/devices/:id/services` lists the properties and their `index`. Write `Switch:1.on` for the second switch.",
    example: { request: `PUT ${LAMP}/LightColor.tint`, headers: JSON_BODY, body: '{"value": 120}' },
  },
  "Property Value Invalid": {
    why: "It has another type than the property, is out of its range, or is none of its words. Nothing was sent to the device.",
    cure: "The property's description says what it takes: `type`, `min`, `max`, `step`, `values`.",
    example: {
      request: `PUT ${LAMP}/LightColor.hue`,
      headers: JSON_BODY,
      body: '{"value": "green"}',
      detail: "`value` must be a number from 0 to 360.",
    },
  },
  "Property Not Writable": {
    why: "Its `access` has no `write`: it is what the device measures.",
    cure: "Read it. Of a virtual device, an account or a server may say what it measures: send `report: true` beside `value`.",
    example: { request: `PUT ${LAMP}/Signal.rssi`, headers: JSON_BODY, body: '{"value": -40}' },
  },
  "Device Rejected": {
    why: "The device was reached and said no. `code` is its own error code, when it gave one. Nothing changed.",
    cure: "Do not repeat it unchanged: the device will refuse again. `detail` has the device's own words.",
    example: { ...TURN_GREEN, detail: "The device has refused.", extras: { outcome: "rejected" } },
  },
  "Device Unreachable": {
    why: "The hub is there, and the device does not answer it: no power, no radio, a cable that is out.",
    cure: "Look at `outcome`. After `not_applied` repeat it when the device is back. After `unknown` it may have been carried out: read the property first.",
    example: { ...TURN_GREEN, extras: { outcome: "not_applied" } },
  },
  "Hub Offline": {
    why: "The home has no power or no internet, or the hub was switched off. `lastSeenAt` says when it was last heard. Nothing was sent.",
    cure: "Repeat after `retry-after`. With `Prefer: respond-async` and `ttlSeconds` the command waits for the hub instead.",
    example: {
      ...TURN_GREEN,
      extras: { outcome: "not_sent", retryAfter: 5, members: { lastSeenAt: "2026-11-05 14:03:07Z" } },
    },
  },
  "Hub Timeout": {
    why: "The hub was connected and no answer came within the time of `Prefer: wait`. `outcome` says what is known: `not_sent` and `not_applied` mean that the device did nothing.",
    cure: "After `unknown` ask for the command (`GET /api/commands/:id`, the id is in `x-command-id`) or read the property. Repeat only what may happen twice.",
    example: { ...TURN_GREEN, extras: { outcome: "unknown" } },
  },
  "Setup Kind Invalid": {
    why: "A driver offers a setup only while it can run it: `zigbee` needs a broker that is reached.",
    cure: "`GET /api/clients/:id/drivers` lists what can be set up now.",
    example: { request: `POST ${SETUPS}`, headers: JSON_BODY, body: '{"kind": "coffee"}' },
  },
  "Setup Not Found": {
    why: "Setups live on the hub. One that has ended is forgotten after a while, and when the agent restarts.",
    cure: "Start it again: `POST /api/clients/:id/setups`.",
    example: { request: `GET ${SETUPS}/q2hqY29mZmVlMTIz` },
  },
  "Setup Answer Invalid": {
    why: "The question was answered before, or the setup has gone on without it.",
    cure: "Read the setup: `question` is what it asks now.",
    example: { request: `PUT ${SETUPS}/q2hqY29mZmVlMTIz/answers/1`, headers: JSON_BODY, body: '{"answer": "1234"}' },
  },
  "Setup In Use": {
    why: "A driver runs one setup at a time, because the button or the radio is one.",
    cure: "End the other one, or wait for its end.",
    example: { request: `POST ${SETUPS}`, headers: JSON_BODY, body: '{"kind": "zigbee"}' },
  },
  "Hub Rejected": {
    why: "The hub was reached and could not do it: the disk has no room for a backup, or the hub would not start again with its settings as they are now. Nothing changed.",
    cure: "Do what `detail` says on the hub, then ask again.",
    example: { request: `POST ${HUB}/backups`, extras: { outcome: "not_applied" } },
  },
  "Hub Outdated": {
    why: "The hub is connected, and its agent does not know this question.",
    cure: "Update the agent on the hub; `connection.agentVersion` of the client says what runs there.",
    example: { request: `GET ${HUB}/drivers` },
  },
} as const satisfies Record<string, ErrorText>;
