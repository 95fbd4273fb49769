/** Texts of the errors about objects: references, existence, and valid names. */
import { type ErrorText, sampleId } from "./devices.ts";

const ENVIRONMENT = sampleId("env");
const JSON_BODY = ["content-type: application/json"];

interface Kind {
  /** The kind's name in a sentence. */
  readonly name: string;
  readonly prefix: string;
  /** Path of the resource, up to its ID. */
  readonly path: string;
  /** Where a reader finds its ID. */
  readonly from: string;
}

function invalid({ name, prefix, path, from }: Kind): ErrorText {
  return {
    why: `The ID is malformed, it is the ID of something else (IDs of this kind begin with \`${prefix}_\`), or you never had a ${name} with this ID. An object of another account gets the same answer.`,
    cure: `Take the ID from ${from}. An alias must follow the object that contains it, as in \`${ENVIRONMENT};lamp\`. Also check that the token belongs to the right ecosystem.`,
    example: { request: `GET ${path}/lamp` },
  };
}

function gone({ name, prefix, path, from }: Kind): ErrorText {
  return {
    why: `The ${name} was deleted, or the object that contained it was. A scoped reference also gets this error if its container has no such ${name}.`,
    cure: `Delete the ID from your records: it is never used again. ${from[0]?.toUpperCase()}${from.slice(1)} shows what exists now.`,
    example: { request: `GET ${path}/${sampleId(prefix)}` },
  };
}

const KINDS = {
  ecosystem: { name: "ecosystem", prefix: "eco", path: "/api/ecosystems", from: "`GET /api/ecosystems`" },
  environment: { name: "environment", prefix: "env", path: "/api/environments", from: "`GET /api/environments`" },
  zone: { name: "zone", prefix: "zon", path: "/api/zones", from: "`GET /api/zones`" },
  scene: { name: "scene", prefix: "scn", path: "/api/scenes", from: "`GET /api/scenes`" },
  device: { name: "device", prefix: "dev", path: "/api/devices", from: "`GET /api/devices`" },
  user: { name: "user", prefix: "usr", path: "/api/users", from: "`GET /api/users`" },
  server: { name: "server", prefix: "srv", path: "/api/servers", from: "`GET /api/servers`" },
  client: { name: "client", prefix: "cli", path: "/api/clients", from: "`GET /api/clients`" },
  webhook: { name: "webhook", prefix: "whk", path: "/api/webhooks", from: "`GET /api/webhooks`" },
  token: {
    name: "token",
    prefix: "tok",
    path: `/api/users/${sampleId("usr")}/tokens`,
    from: "the list of tokens of the user, server or client",
  },
  command: {
    name: "command",
    prefix: "cmd",
    path: "/api/commands",
    from: "the header `x-command-id` of the answer to the `PUT`",
  },
  delivery: {
    name: "delivery",
    prefix: "dlv",
    path: `/api/webhooks/${sampleId("whk")}/deliveries`,
    from: "the webhook's list of deliveries",
  },
  access: {
    name: "access entry",
    prefix: "acs",
    path: `/api/users/${sampleId("usr")}/access`,
    from: "the user's list of access entries",
  },
} as const satisfies Record<string, Kind>;

export const OBJECT_TEXTS = {
  "Ecosystem Invalid": invalid(KINDS.ecosystem),
  "Environment Invalid": invalid(KINDS.environment),
  "Zone Invalid": invalid(KINDS.zone),
  "Scene Invalid": invalid(KINDS.scene),
  "Device Invalid": invalid(KINDS.device),
  "User Invalid": invalid(KINDS.user),
  "Server Invalid": invalid(KINDS.server),
  "Client Invalid": invalid(KINDS.client),
  "Webhook Invalid": invalid(KINDS.webhook),
  "Command Invalid": invalid(KINDS.command),
  "Delivery Invalid": invalid(KINDS.delivery),
  "Access Entry Invalid": invalid(KINDS.access),
  "Ecosystem Not Found": gone(KINDS.ecosystem),
  "Environment Not Found": gone(KINDS.environment),
  "Zone Not Found": gone(KINDS.zone),
  "Scene Not Found": gone(KINDS.scene),
  "Device Not Found": gone(KINDS.device),
  "User Not Found": gone(KINDS.user),
  "Server Not Found": gone(KINDS.server),
  "Client Not Found": gone(KINDS.client),
  "Webhook Not Found": gone(KINDS.webhook),
  "Token Not Found": gone(KINDS.token),
  "Command Not Found": gone(KINDS.command),
  "Delivery Not Found": gone(KINDS.delivery),
  "Access Entry Not Found": gone(KINDS.access),
  "Export Not Found": {
    why: "An archive can be downloaded from the end of the export until its `expiresAt`. A new export replaces the archive of the one before.",
    cure: "`GET /api/account/export` shows the state of the last export. Start one with `POST /api/account/export`.",
    example: { request: "GET /api/account/export/archive" },
  },
  "Sink Not Found": {
    why: "No sink was set for the ecosystem, or it was deleted.",
    cure: "Set one with `PUT /api/ecosystems/:id/sink`.",
    example: { request: `GET /api/ecosystems/${sampleId("eco")}/sink` },
  },
  "Environment Missing": {
    cure: "Send `environmentId`: the ID of the environment for the new object, or a reference to it.",
    example: { request: "POST /api/zones", headers: JSON_BODY, body: '{"alias": "kitchen"}' },
  },
  "Ecosystem Missing": {
    cure: "Send `ecosystemId`. A server, and an account with only one ecosystem, can leave it out.",
    example: { request: "POST /api/users", headers: JSON_BODY, body: '{"key": "customer-17"}' },
  },
  "Alias Invalid": {
    why: "An alias has 1 to 128 characters, none of `; / ? # %` and no control characters; it does not begin or end with a space, and does not have the form of an ID.",
    cure: "Choose another alias. `null` removes the alias.",
    example: {
      request: "POST /api/zones",
      headers: JSON_BODY,
      body: `{"environmentId": "${ENVIRONMENT}", "alias": "up/stairs"}`,
    },
  },
  "Alias Exists": {
    why: "An alias is unique among all objects of an ecosystem, whatever their kind. It is case-sensitive.",
    cure: "Choose another alias, or remove this one from the object that has it. The alias of a deleted object can be used again.",
    example: {
      request: "POST /api/zones",
      headers: JSON_BODY,
      body: `{"environmentId": "${ENVIRONMENT}", "alias": "kitchen"}`,
    },
  },
  "Zone Item Invalid": {
    why: "A zone contains zones and devices of the same environment. It cannot contain itself, directly or through other zones. It has at most 16 levels and 1,000 items.",
    cure: "`detail` names the invalid entry. Replace it with the ID of a zone or device, or a reference to one.",
    example: {
      request: "POST /api/zones",
      headers: JSON_BODY,
      body: `{"environmentId": "${ENVIRONMENT}", "items": ["lamp"]}`,
    },
  },
  "Zone Item Not Found": {
    cure: "Remove the entry that `detail` names from `items`.",
    example: {
      request: `PUT /api/zones/${sampleId("zon")}`,
      headers: JSON_BODY,
      body: `{"items": ["${sampleId("dev")}"]}`,
    },
  },
  "Scene Item Invalid": {
    why: "The items of a scene set properties of devices and zones in its own environment: at most 500 items, with at most 64 KiB of JSON.",
    cure: "`detail` names the invalid item. Give `target` the ID of a device or zone, or a reference to one.",
    example: {
      request: "POST /api/scenes",
      headers: JSON_BODY,
      body: `{"environmentId": "${ENVIRONMENT}", "items": [{"target": "lamp", "service": "Switch.on", "value": true}]}`,
    },
  },
  "Scene Item Not Found": {
    cure: "Remove the item that `detail` names from `items`.",
    example: {
      request: `PUT /api/scenes/${sampleId("scn")}`,
      headers: JSON_BODY,
      body: `{"items": [{"target": "${sampleId("dev")}", "service": "Switch.on", "value": true}]}`,
    },
  },
  "Scene Trigger Invalid": {
    why: "A hub carries out triggers, so all devices of the scene and the device with the button must be connected to one hub. A time needs `timeZone` of the environment, sunrise and sunset need `location` too.",
    cure: "`detail` says what is missing. Set `timeZone` and `location` with `PUT /api/environments/:id`, or call the scene yourself.",
    example: {
      request: `PUT /api/scenes/${sampleId("scn")}`,
      headers: JSON_BODY,
      body: '{"triggers": [{"kind": "time", "at": "07:30"}]}',
    },
  },
  "User Key Missing": {
    why: "`key` is the identifier that your own system has for the user. It can be read again and is not a secret.",
    cure: "Send `key` with 1 to 255 characters.",
    example: { request: "POST /api/users", headers: JSON_BODY, body: "{}" },
  },
  "User Key Exists": {
    why: "The user is already registered.",
    cure: "Find the user with `GET /api/users` and use its `id`.",
    example: { request: "POST /api/users", headers: JSON_BODY, body: '{"key": "customer-17"}' },
  },
  "Last Ecosystem Required": {
    cure: "Create another ecosystem first, or delete the account with everything in it.",
    example: { request: `DELETE /api/ecosystems/${sampleId("eco")}` },
  },
  "Quota Exceeded": {
    cure: "`GET /api/quotas` shows each quota and how much of it is used. Delete what you do not need, or ask the operator of the service for a larger quota.",
    example: { request: "POST /api/environments", headers: JSON_BODY, body: "{}" },
  },
  "Webhook Callback Invalid": {
    why: "The service sends webhooks only to `https` URLs with a public address and without credentials or a fragment, unless its operator allows more.",
    cure: "Use an absolute URL that can be reached from the internet. `detail` says what is wrong with this one.",
    example: { request: "POST /api/webhooks", headers: JSON_BODY, body: '{"url": "http://192.168.1.5/hook"}' },
  },
  "Webhook Callback Missing": {
    cure: "Send `url`, the address that receives the events. To pause a webhook, set `disabled` instead of removing `url`.",
    example: { request: "POST /api/webhooks", headers: JSON_BODY, body: "{}" },
  },
  "Webhook Events Invalid": {
    cure: 'Use event types from the guide (`"hub.offline"`) or prefixes (`"hub.*"`), or leave `events` out to receive all events.',
    example: {
      request: "POST /api/webhooks",
      headers: JSON_BODY,
      body: '{"url": "https://example.com/hook", "events": ["lamps"]}',
    },
  },
} as const satisfies Record<string, ErrorText>;
