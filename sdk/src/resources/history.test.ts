/** How history is asked for, and how its pages come together: against answers that are made up. */
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { Porchlight } from "../porchlight.ts";

interface Seen {
  readonly url: URL;
  readonly accept: string | null;
}

function answered(...bodies: readonly string[]) {
  const seen: Seen[] = [];
  const fetch = async (url: string, { headers }: RequestInit): Promise<Response> => {
    seen.push({ url: new URL(url), accept: new Headers(headers).get("accept") });
    return new Response(bodies[seen.length - 1]);
  };
  const options = { baseUrl: "https://porchlight.example", token: "plt_usr_x", fetch };
  return { seen, client: new Porchlight(options, { clock: new VirtualClock(), random: seededRandom(1) }) };
}

const series = (at: string) => ({
  ...{ deviceId: "dev_1", service: "Temperature", index: "0", property: "celsius", kind: "number" },
  points: [{ at, value: 20 }],
});
const range = { from: "2026-11-05 14:00:00Z", to: "2026-11-05 15:00:00Z" };
const page = (at: string, more: object = {}) =>
  JSON.stringify({ items: [series(at)], resolution: "raw", range, ...more });

it("is asked for page after page, with everything that was asked for each time", async () => {
  const { client, seen } = answered(
    page("2026-11-05 14:01:00Z", { continuationToken: "t2" }),
    page("2026-11-05 14:02:00Z"),
  );
  const filter = { ...range, resolution: "1h", aggregate: ["mean", "max"], timeZone: "Europe/Berlin" } as const;
  const times: string[] = [];
  for await (const { points } of client.devices.history("env_1;sensor", "Temperature.celsius", filter))
    times.push(...points.map(({ at }) => at));
  expect(times).toEqual(["2026-11-05 14:01:00Z", "2026-11-05 14:02:00Z"]);
  expect(seen.map(({ url }) => url.pathname)).toEqual(
    Array(2).fill("/api/devices/env_1%3Bsensor/services/Temperature.celsius/history"),
  );
  const asked = { ...range, resolution: "1h", aggregate: "mean,max", timeZone: "Europe/Berlin" };
  expect(seen.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([
    asked,
    { ...asked, continuationToken: "t2" },
  ]);
});

it("of a place is asked for at the place", async () => {
  const { client, seen } = answered(page(range.from), page(range.from));
  await client.zones.history("zon_1", "Temperature").all();
  await client.environments.history("env_1", "Temperature").all();
  expect(seen.map(({ url }) => url.pathname)).toEqual([
    "/api/zones/zon_1/services/Temperature/history",
    "/api/environments/env_1/services/Temperature/history",
  ]);
});

it("as CSV is the text that the service gave", async () => {
  const text = 'at,value\r\n2026-11-05 14:01:00Z,"a ""b"""\r\n';
  const { client, seen } = answered(text, "", text);
  expect(await client.devices.historyCsv("dev_1", "Temperature.celsius", { from: range.from })).toBe(text);
  expect(seen[0]?.accept).toBe("text/csv");
  expect(await client.zones.historyCsv("zon_1", "Temperature")).toBe("");
  expect(await client.environments.historyCsv("env_1", "Temperature")).toBe(text);
});
