/** What holds of the event stream of a home at each place that serves it, as the client of the SDK follows it. */
import { Porchlight, type StreamItem, type StreamOptions } from "@porchlight/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { FaultProxy } from "../../parts/fault-proxy.ts";
import type { Reply, Side } from "./house.ts";

const TYPES = ["property.changed", "device.*"];

/** Streams of a side, until they are ended all together. */
export class Streams {
  readonly #open = new Set<AbortController>();

  follow(side: Pick<Side, "url" | "token" | "environmentId">, options: StreamOptions = {}): AsyncGenerator<StreamItem> {
    const end = new AbortController();
    this.#open.add(end);
    const { url: baseUrl, token, environmentId } = side;
    const asked = { environmentId, types: TYPES, ...options, signal: end.signal };
    return new Porchlight({ baseUrl, token }).events(asked);
  }

  endAll(): void {
    for (const each of this.#open) each.abort();
    this.#open.clear();
  }
}

/** The next so many, in short: kind and value. */
export async function take(count: number, items: AsyncGenerator<StreamItem>): Promise<unknown[]> {
  const seen = [];
  while (seen.length < count) seen.push(short((await items.next()).value));
  return seen;
}

function short(item: StreamItem): unknown {
  if (item.kind !== "event") return item.kind;
  return item.event.type === "property.changed" ? item.event.data.item.value : item.event.type;
}

export function eventCases(side: () => Side): void {
  const streams = new Streams();
  const follow = (options?: StreamOptions) => streams.follow(side(), options);
  const set = async (value: number): Promise<Reply> => {
    const reply = await side().call("PUT", `/api/devices/${side().lamp}/services/LightLevel.level`, {
      body: { value },
    });
    expect(reply.status).toBe(200);
    return reply;
  };
  /** Where the log stands, now that the level is this. */
  const sequenceAt = async (value: number): Promise<number> => {
    const stream = follow({ snapshot: true });
    await set(value);
    for await (const item of stream) {
      if (item.kind === "snapshot" && item.items.some((each) => each.value === value)) return item.sequence;
      if (item.kind === "event" && short(item) === value) return item.event.sequence;
    }
    throw new Error("the stream has ended");
  };

  describe("following", () => {
    afterEach(() => streams.endAll());

    it("begins with all that is known, and goes on with each change as the write answered it", async () => {
      await set(200);
      const stream = follow({ snapshot: true });
      const first = (await stream.next()).value;
      const { lamp: deviceId } = side();
      expect(first.items).toContainEqual(expect.objectContaining({ deviceId, property: "level", value: 200 }));
      const { body } = await set(201);
      const { event } = (await stream.next()).value;
      expect(event).toMatchObject({
        id: expect.stringMatching(/^evt_/),
        sequence: expect.any(Number),
        type: "property.changed",
        ecosystemId: side().ecosystemId,
        environmentId: side().environmentId,
        data: { item: body, previousValue: 200 },
      });
      expect(event.sequence).toBeGreaterThan(first.sequence);
    });

    it("resumes where it broke off, without a gap or a repeat", async () => {
      const after = await sequenceAt(210);
      for (const value of [211, 212, 213]) await set(value);
      const types = ["property.changed"];
      expect(await take(3, follow({ after, types }))).toEqual([211, 212, 213]);
    });

    it("resumes where it began, when its connection breaks before the first event", async () => {
      const { url, token, environmentId } = side();
      await using proxy = await FaultProxy.start(() => Number(new URL(url).port), 1);
      const begun = Promise.withResolvers<void>();
      const options = { types: ["property.changed"], onHeard: () => begun.resolve() };
      const stream = streams.follow({ url: proxy.url, token, environmentId }, options);
      const first = take(1, stream);
      await begun.promise;
      proxy.cutOff();
      await set(215);
      proxy.restore();
      expect(await first).toEqual([215]);
    });

    it("sends nothing of a value that was set to what it was", async () => {
      const after = await sequenceAt(220);
      for (const value of [221, 221, 222]) await set(value);
      expect(await take(2, follow({ after, types: ["property.*"] }))).toEqual([221, 222]);
    });

    it("sends every press of a button", async () => {
      const after = await sequenceAt(230);
      for (const value of ["press", "press", "long"]) await side().press(value);
      expect(await take(3, follow({ after, types: ["property.changed"] }))).toEqual(["press", "press", "long"]);
    });

    it("reports that a device has left, and is back, as it then is", async () => {
      const after = await sequenceAt(240);
      await side().lampIsThere(false);
      await side().lampIsThere(true);
      const stream = follow({ after, types: ["device.*"] });
      for (const state of ["offline", "online"]) {
        const { event } = (await stream.next()).value;
        expect(event).toMatchObject({ type: `device.${state}`, data: { id: side().lamp, connection: { state } } });
      }
      const { body } = await side().call("GET", `/api/devices/${side().lamp}`);
      expect(body.connection.state).toBe("online");
    });

    it("reports when there is no such place to resume at, and begins anew with what is known", async () => {
      const after = (await sequenceAt(250)) + 1_000_000_000;
      expect(await take(2, follow({ after, snapshot: true }))).toEqual(["reset", "snapshot"]);
    });

    it("sends no type but those that are asked for", async () => {
      const after = await sequenceAt(260);
      await set(261);
      await side().lampIsThere(false);
      await side().lampIsThere(true);
      expect(await take(1, follow({ after, types: ["zone.*", "device.offline"] }))).toEqual(["device.offline"]);
    });

    it.each([
      ["types=device.gone", "400 Query Parameter Invalid"],
      ["types=", "400 Query Parameter Invalid"],
      ["snapshot=yes", "400 Query Parameter Invalid"],
      ["lastEventId=-1", "400 Query Parameter Invalid"],
      ["environmentId=here", "400 Environment Invalid"],
      ["ecosystemId=eco_01kad2vqz0fv8t7vqh5v8q5x5r", "400 Ecosystem Invalid"],
      ["pageSize=1", "400 No Query String Allowed"],
    ])("with %s is refused before it begins: %s", async (query, answer) => {
      const { status, body } = await side().call("GET", `/api/events?${query}`);
      expect(`${status} ${body.title}`).toBe(answer);
    });

    it("needs a token, and answers HEAD without beginning", async () => {
      expect((await side().call("GET", "/api/events", { token: "" })).body).toMatchObject({ title: "Token Missing" });
      const head = await side().call("HEAD", "/api/events");
      expect([head.status, head.headers.get("content-type"), head.body]).toEqual([200, "text/event-stream", undefined]);
    });
  });
}
