/** How a request goes out, comes back and is repeated: on a clock of the test's own, against answers that are made up. */
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { beforeEach, describe, expect, it } from "vitest";
import { Porchlight } from "./porchlight.ts";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}
type Reaction = Response | Error | "silence";

let clock: VirtualClock;
let seen: Seen[];
beforeEach(() => {
  clock = new VirtualClock();
  seen = [];
});

/** A client whose requests get these answers, one after another. */
function answered(...reactions: Reaction[]): Porchlight {
  let asked = 0;
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { method = "GET", headers, body } = init;
    seen.push({ method, url, headers: new Headers(headers), body: typeof body === "string" ? JSON.parse(body) : body });
    const reaction = reactions[asked++] ?? new Error("no further request was expected");
    if (reaction instanceof Error) throw reaction;
    if (reaction !== "silence") return reaction;
    return new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
  };
  const options = { baseUrl: "https://porchlight.example/", token: "plt_usr_x", fetch };
  return new Porchlight(options, { clock, random: seededRandom(1) });
}

const json = (body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { headers: { "content-type": "application/json", ...headers } });

function problem(title: string, status: number, more: object = {}, headers: Record<string, string> = {}): Response {
  const body = JSON.stringify({ type: "/docs/errors/x", title, status, detail: "It is so.", instance: "r-1", ...more });
  const all = { "content-type": "application/problem+json", "x-request-id": "r-1", ...headers };
  return new Response(body, { status, headers: all });
}

const offline = () => problem("Hub Offline", 503, { outcome: "not_sent", retryable: true }, { "retry-after": "5" });
const lamp = { value: 120 };

describe("a request", () => {
  it("carries token and version, and encodes what is put into its path", async () => {
    await answered(json({ id: "dev_1" })).devices.get("env_1;Lampe über dem Tisch");
    expect(seen[0]).toMatchObject({ method: "GET" });
    expect(seen[0]?.url).toBe("https://porchlight.example/api/devices/env_1%3BLampe%20%C3%BCber%20dem%20Tisch");
    expect(seen[0]?.headers.get("authorization")).toBe("Bearer plt_usr_x");
    expect(seen[0]?.headers.get("x-api-version")).toBe("v0");
  });

  it("says how long it waits for devices, and gives them that time", async () => {
    const asked = answered("silence", json({ items: [] })).devices.properties("dev_1", "LightColor.hue", {
      refresh: true,
      wait: 60,
    });
    await clock.advance(64_999);
    expect(seen).toHaveLength(1);
    await clock.until(asked);
    expect(seen).toHaveLength(2);
    expect(seen[0]?.headers.get("prefer")).toBe("wait=60");
  });

  it("names the prefix of system metadata and the entity tag that it stands on", async () => {
    const client = answered(json({}, { etag: '"4"' }), new Response(null, { headers: { etag: '"5"' } }));
    const { etag } = await client.devices.getTagged("dev_1", { systemMetadataPrefix: "sys:" });
    const next = await client.devices.update("dev_1", { alias: "lamp" }, { ifMatch: etag });
    expect(next).toBe('"5"');
    expect(seen[0]?.headers.get("x-system-metadata-prefix")).toBe("sys:");
    expect(seen[1]?.headers.get("if-match")).toBe('"4"');
  });
});

describe("a write", () => {
  it("that is repeated has the same idempotency key, and another write another one", async () => {
    const client = answered(new TypeError("broken"), json(lamp, { "x-command-id": "cmd_1" }), json(lamp));
    expect(await clock.until(client.devices.set("dev_1", "LightColor.hue", 120))).toEqual({
      item: lamp,
      commandId: "cmd_1",
    });
    await client.devices.set("dev_1", "LightColor.hue", 120);
    const [first, second, third] = seen.map(({ headers }) => headers.get("idempotency-key"));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it("waits as long as the service says before it is repeated", async () => {
    const set = answered(offline(), json(lamp)).devices.set("dev_1", "Switch.on", true);
    await clock.advance(4999);
    expect(seen).toHaveLength(1);
    await clock.until(set);
    expect(seen).toHaveLength(2);
  });

  it("whose outcome is unknown is not repeated, and reports that", async () => {
    const unknown = problem("Hub Timeout", 504, { outcome: "unknown", retryable: true }, { "x-command-id": "cmd_9" });
    const failure = answered(unknown).devices.set("dev_1", "Lock.locked", false);
    const facts = { name: "Hub Timeout", status: 504, outcome: "unknown", commandId: "cmd_9", requestId: "r-1" };
    await expect(failure).rejects.toMatchObject(facts);
    expect(seen).toHaveLength(1);
  });

  it("is given up after three repeats, and the last failure is thrown", async () => {
    const set = answered(offline(), offline(), offline(), offline()).devices.set("dev_1", "Switch.on", true);
    await expect(clock.until(set)).rejects.toMatchObject({ name: "Hub Offline", outcome: "not_sent", retryAfter: 5 });
    expect(seen).toHaveLength(4);
  });

  it("is not repeated where the service asks to wait for long", async () => {
    const limited = problem("Rate Limit Exceeded", 429, { retryable: true }, { "retry-after": "31" });
    await expect(answered(limited).users.create({ key: "k" })).rejects.toMatchObject({ retryAfter: 31 });
  });

  it("that stands on an entity tag is never repeated: the first may have changed it", async () => {
    const update = answered(new TypeError("broken")).zones.update("zon_1", { alias: "x" }, { ifMatch: '"1"' });
    await expect(update).rejects.toMatchObject({ name: "Connection Failed", outcome: "unknown", status: 0 });
    expect(seen).toHaveLength(1);
  });

  it("without a token is not repeated when its answer was lost: nothing could tell the second", async () => {
    const signUp = answered(new TypeError("broken")).accounts.create({
      email: "a@example.com",
      password: "long enough",
    });
    await expect(signUp).rejects.toMatchObject({ name: "Connection Failed" });
    expect(seen[0]?.headers.has("idempotency-key")).toBe(false);
  });

  it("that deletes has succeeded when its repeat finds nothing left", async () => {
    await clock.until(answered(new TypeError("broken"), problem("Zone Not Found", 404)).zones.delete("zon_1"));
    expect(seen).toHaveLength(2);
    const first = answered(problem("Zone Not Found", 404));
    seen = [];
    await expect(first.zones.delete("zon_1")).rejects.toMatchObject({ name: "Zone Not Found" });
  });
});

describe("a call", () => {
  it("ends with the caller's signal, and its reason", async () => {
    const abort = new AbortController();
    const call = answered("silence").devices.get("dev_1", { signal: abort.signal });
    abort.abort(new Error("the page was left"));
    await expect(call).rejects.toThrow("the page was left");
    const waiting = answered(offline()).devices.get("dev_1", { signal: AbortSignal.abort(new Error("too late")) });
    await expect(waiting).rejects.toThrow("too late");
  });

  it("without an answer is timed out, try by try", async () => {
    const call = answered("silence", "silence", json({ id: "x" })).ecosystems.get("eco_1", { timeoutMs: 1000 });
    expect(await clock.until(call)).toEqual({ id: "x" });
    expect(seen).toHaveLength(3);
  });

  it("distinguishes answers of a proxy from those of the service", async () => {
    const html = new Response("<h1>Bad Gateway</h1>", { status: 500, headers: { "content-type": "text/html" } });
    await expect(answered(html).account.get()).rejects.toMatchObject({ name: "Unreadable Answer", status: 500 });
    await expect(answered(new Response("<h1>Hello</h1>")).account.get()).rejects.toMatchObject({
      name: "Unreadable Answer",
    });
  });
});

describe("a collection", () => {
  const pages = () => [json({ items: [1, 2], continuationToken: "n/1" }), json({ items: [3] })] as const;

  it("is gone through page after page, with the same filters", async () => {
    seen = [];
    const items = [];
    for await (const item of answered(...pages()).devices.list({ environmentId: "env_1" }, { pageSize: 2 }))
      items.push(item);
    expect(items).toEqual([1, 2, 3]);
    expect(seen.map(({ url }) => new URL(url).search)).toEqual([
      "?environmentId=env_1&pageSize=2",
      "?environmentId=env_1&pageSize=2&continuationToken=n%2F1",
    ]);
  });

  it("fetches no page that is not requested", async () => {
    for await (const item of answered(...pages()).users.list()) {
      expect(item).toBe(1);
      break;
    }
    expect(seen).toHaveLength(1);
    seen = [];
    expect(
      await answered(...pages())
        .zones.list()
        .all(),
    ).toEqual([1, 2, 3]);
  });
});
