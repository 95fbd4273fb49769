/** Floods by name: over the tunnel of a hub, over HTTP without a token, and over HTTP with the token of an account. */

/** A hub's message: what it asks, as JSON already. */
export interface HubMessage {
  readonly method: string;
  readonly params: string;
}

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** @param first the number of the first record @param device one that the hub has told of */
type HubFlood = (first: number, device: string) => HubMessage;

function record(n: number, device: string, value: string): string {
  const target = `"device":"${device}","service":"Meter","index":"0","property":"count"`;
  return `{"kind":"value","n":${n},${target},"value":${value},"observedAt":${Date.now()},"cause":"report"}`;
}

const records = (first: number, device: string, values: readonly string[]): HubMessage => ({
  method: "records",
  params: `{"records":[${values.map((value, at) => record(first + at, device, value)).join()}]}`,
});

const ARRAY_OF_200_KB = `[${Array.from({ length: 100_000 }, (_, at) => at % 10).join()}]`;
const LEVELS = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const TEXT_OF_16_KB = `"${"x".repeat(16_000)}"`;
const UNKNOWN_PARAMS = `{"records":[${Array.from({ length: 12_000 }, () => '{"kind":"rumour"}').join()}]}`;

export const HUB_FLOODS: Readonly<Record<string, HubFlood>> = {
  "values of 200 KB of JSON": (first, device) => records(first, device, [ARRAY_OF_200_KB]),
  "values of 100,000 levels": (first, device) => records(first, device, [LEVELS]),
  "500 records a message": (first, device) =>
    records(
      first,
      device,
      Array.from({ length: 500 }, (_, at) => `"${first + at}"`),
    ),
  "texts of 16 KB": (first, device) =>
    records(
      first,
      device,
      Array.from({ length: 15 }, () => TEXT_OF_16_KB),
    ),
  "unknown parameters": () => ({ method: "records", params: UNKNOWN_PARAMS }),
  "unknown methods": () => ({ method: "gossip", params: "{}" }),
};

const LOG_IN_FIELDS = JSON.stringify(Object.fromEntries(Array.from({ length: 15_000 }, (_, at) => [`f${at}`, at])));
const JSON_BODY = { "content-type": "application/json" };

export const ANONYMOUS_FLOODS: Readonly<Record<string, (n: number) => HttpRequest>> = {
  "/api/openapi.json": () => ({ method: "GET", path: "/api/openapi.json" }),
  "/metrics": () => ({ method: "GET", path: "/metrics" }),
  "log-ins with 15,000 fields": () => ({
    method: "POST",
    path: "/api/accounts/login",
    headers: JSON_BODY,
    body: LOG_IN_FIELDS,
  }),
  "bad tokens": (n) => ({ method: "GET", path: "/api/devices", headers: { authorization: `Bearer plt_${n}` } }),
  "paths that are not there": (n) => ({ method: "GET", path: `/api/nothing/${n}` }),
};

/** Requests with the token of an account that has 300 zones with 60 KB of metadata each. */
export const ACCOUNT_FLOODS: Readonly<Record<string, HttpRequest>> = {
  "pages of large zones": { method: "GET", path: "/api/zones?pageSize=1000" },
  "pages of large events": { method: "GET", path: "/api/event-log?pageSize=1000" },
};
