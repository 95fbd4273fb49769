/** Texts of the errors about objects: which one a request names, whether it is there, and what it may be called. */
import { type ErrorText, sampleId } from "./error-text.ts";

const ENVIRONMENT = sampleId("env");
const JSON_BODY = ["content-type: application/json"];

interface Kind {
  /** As a sentence has it. */
  readonly name: string;
  readonly prefix: string;
  /** Path under which one is found, up to its id. */
  readonly path: string;
  /** Where its ID can be found. */
  readonly from: string;
}

function invalid({ name, prefix, path, from }: Kind): ErrorText {
  return {
    why: `It is malformed, it is the ID of something else (one of these begins with \`${prefix}_\`), or you have never had a ${name} by it. What belongs to somebody else is answered in the same way.`,
    cure: `Take the ID from ${from}. An alias stands only after what contains it, as in \`${ENVIRONMENT};lamp\`. Check also that the token is one for the ecosystem that you mean.`,
    example: { request: `GET ${path}/lamp` },
  };
}

function gone({ name, prefix, path, from }: Kind): ErrorText {
  return {
    why: `It was deleted, or what contained it was. A scoped reference gets this too when its container has no such ${name}.`,
    cure: `Forget the ID: it never comes back. ${from[0]?.toUpperCase()}${from.slice(1)} shows what is there now.`,
    example: { request: `GET ${path}/${sampleId(prefix)}` },
  };
}

const KINDS = {
  ecosystem: { name: "ecosystem", prefix: "eco", path: "/api/ecosystems", from: "`GET /api/ecosystems`" },
  environment: { name: "environment", prefix: "env", path: "/api/environments", from: "`GET /api/environments`" },
  zone: { name: "zone", prefix: "zon", path: "/api/zones", from: "`GET /api/zones`" },
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
  "Device Not Found": gone(KINDS.device),
  "User Not Found": gone(KINDS.user),
  "Server Not Found": gone(KINDS.server),
  "Client Not Found": gone(KINDS.client),
  "Webhook Not Found": gone(KINDS.webhook),
  "Token Not Found": gone(KINDS.token),
  "Command Not Found": gone(KINDS.command),
  "Delivery Not Found": gone(KINDS.delivery),
  "Access Entry Not Found": gone(KINDS.access),
  "Environment Missing": {
    cure: "Say in `environmentId` where to put the new thing: the environment's ID, or a reference to it.",
    example: { request: "POST /api/zones", headers: JSON_BODY, body: '{"alias": "kitchen"}' },
  },
  "Ecosystem Missing": {
    cure: "Give `ecosystemId`. An account with one ecosystem, and a server, need not.",
    example: { request: "POST /api/users", headers: JSON_BODY, body: '{"key": "customer-17"}' },
  },
  "Alias Invalid": {
    why: "An alias has 1 to 128 characters, none of `; / ? # %` and no control characters; it neither begins nor ends with a space, and is not of the form of an ID.",
    cure: "Choose another. `null` takes an alias away.",
    example: {
      request: "POST /api/zones",
      headers: JSON_BODY,
      body: `{"environmentId": "${ENVIRONMENT}", "alias": "up/stairs"}`,
    },
  },
  "Alias Exists": {
    why: "An alias is unique over all objects of an ecosystem, of every kind. Upper and lower case are different.",
    cure: "Choose another, or take it from the object that has it. The alias of a deleted object is free.",
    example: {
      request: "POST /api/zones",
      headers: JSON_BODY,
      body: `{"environmentId": "${ENVIRONMENT}", "alias": "kitchen"}`,
    },
  },
  "Zone Item Invalid": {
    why: "A zone holds zones and devices of the same environment, and never itself, however deep: at most 16 levels and 1,000 items.",
    cure: "`detail` names the entry at fault. Put in the ID of a zone or device, or a reference to one.",
    example: {
      request: "POST /api/zones",
      headers: JSON_BODY,
      body: `{"environmentId": "${ENVIRONMENT}", "items": ["lamp"]}`,
    },
  },
  "Zone Item Not Found": {
    cure: "Take the entry out of `items`; `detail` names it.",
    example: {
      request: `PUT /api/zones/${sampleId("zon")}`,
      headers: JSON_BODY,
      body: `{"items": ["${sampleId("dev")}"]}`,
    },
  },
  "User Key Missing": {
    why: "Porchlight knows your users by a key of yours: the id that your own log-in has for them. It is readable and no secret.",
    cure: "Give `key`, 1 to 255 characters.",
    example: { request: "POST /api/users", headers: JSON_BODY, body: "{}" },
  },
  "User Key Exists": {
    why: "The user is registered already: nothing has to be made.",
    cure: "Find the user in `GET /api/users` and use the `id` that it has.",
    example: { request: "POST /api/users", headers: JSON_BODY, body: '{"key": "customer-17"}' },
  },
  "Last Ecosystem Required": {
    cure: "Make another ecosystem first, or delete the account with all that it owns.",
    example: { request: `DELETE /api/ecosystems/${sampleId("eco")}` },
  },
  "Quota Exceeded": {
    cure: "`GET /api/quotas` shows what is used and how many there may be. Delete what is not needed, or ask the operator of the service for more.",
    example: { request: "POST /api/environments", headers: JSON_BODY, body: "{}" },
  },
  "Webhook Callback Invalid": {
    why: "Only `https` to public addresses is called, without credentials or a fragment in the URL, unless the operator allows more.",
    cure: "Give an absolute URL that can be reached from the internet. `detail` says what was wrong with this one.",
    example: { request: "POST /api/webhooks", headers: JSON_BODY, body: '{"url": "http://192.168.1.5/hook"}' },
  },
  "Webhook Callback Missing": {
    cure: "Give `url`, the address to call. To pause a webhook, set `disabled` rather than emptying `url`.",
    example: { request: "POST /api/webhooks", headers: JSON_BODY, body: "{}" },
  },
  "Webhook Events Invalid": {
    cure: 'Give types as the guide lists them (`"hub.offline"`), prefixes (`"hub.*"`), or leave `events` out for all.',
    example: {
      request: "POST /api/webhooks",
      headers: JSON_BODY,
      body: '{"url": "https://example.com/hook", "events": ["lamps"]}',
    },
  },
} as const satisfies Record<string, ErrorText>;
