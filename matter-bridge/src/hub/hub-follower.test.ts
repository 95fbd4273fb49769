/** What the follower makes of the hub's events, on a virtual clock, with a hub that a test plays. */
import { PorchlightError, type StreamItem, type StreamOptions } from "@porchlight/sdk";
import type { Device, PropertyItem, ServiceList } from "@porchlight/shared/api";
import { settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HubFollower, type HubFollowerDeps } from "./hub-follower.ts";

type State = "online" | "offline" | "unknown";

/** A hub with devices that have one switch each. */
class PlayedHub {
  readonly clock = new VirtualClock();
  readonly end = new AbortController();
  readonly notified: string[] = [];
  readonly states = new Map<string, State>();
  /** Requests that fail before the next succeeds. */
  failures = 0;
  services: readonly string[] = ["Switch"];
  #options: StreamOptions = {};
  #items: StreamItem[] = [];
  #wake: () => void = () => undefined;
  readonly follower: HubFollower;
  readonly ended: Promise<unknown>;

  constructor() {
    this.states.set("dev_1", "online");
    const hub = { devices: { list: () => this.#list(), services: async () => this.#services() }, events: this.#events };
    this.follower = new HubFollower({
      ...{ clock: this.clock, log: silentLog },
      // What the follower asks of the client is what is here.
      hub: hub as unknown as HubFollowerDeps["hub"],
      isChosen: ({ id }) => id !== "dev_hidden",
      ready: () => this.notified.push("ready"),
      changed: (device) => {
        const { isReachable, name, shownAs } = device.shown(this.follower.isHubThere);
        this.notified.push(`${device.device.id} ${isReachable ? "there" : "away"} ${name} ${shownAs.parts.length}`);
      },
      gone: (id) => this.notified.push(`${id} gone`),
      reported: (_device, key, value) => this.notified.push(`reported ${key} ${value}`),
    });
    this.ended = this.follower.run(this.end.signal).catch((failure: unknown) => failure);
  }

  async connection(state: "connected" | "lost"): Promise<void> {
    this.#options.onConnection?.(state === "connected" ? { state } : { state, nextTryMs: 1000 });
    await this.clock.advance(0);
    await settle();
  }

  async tell(...items: StreamItem[]): Promise<string[]> {
    this.#items.push(...items);
    this.#wake();
    await settle();
    return this.notified.splice(0);
  }

  event(type: string, data: object): StreamItem {
    return { kind: "event", event: { type, data } as unknown as Extract<StreamItem, { kind: "event" }>["event"] };
  }

  device(id: string): Device {
    const connection = { state: this.states.get(id) ?? "offline", since: "" };
    return { id, type: "physical", meta: { "$.name": `the ${id}` }, connection } as unknown as Device;
  }

  item(value: Value, deviceId = "dev_1", service = "Switch"): PropertyItem {
    return { deviceId, service, index: "0", property: "on", value, modifiedAt: "2026-11-26T12:00:00Z" } as PropertyItem;
  }

  async *#list() {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new PorchlightError("Connection Failed", "no");
    }
    for (const id of this.states.keys()) yield this.device(id);
  }

  #services(): ServiceList["items"] {
    const on = { property: "on", type: "boolean", access: ["read", "write", "notify"] };
    return this.services.map((service) => ({ service, index: "0", properties: [on] })) as ServiceList["items"];
  }

  #events = (options: StreamOptions) => {
    this.#options = options;
    return this.#stream();
  };

  async *#stream(): AsyncGenerator<StreamItem, void, undefined> {
    const ended = new Promise<void>((_, reject) => {
      this.end.signal.addEventListener("abort", () => reject(this.end.signal.reason));
    });
    ended.catch(() => undefined);
    for (;;) {
      const item = this.#items.shift();
      if (item) yield item;
      else {
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        await Promise.race([woken, ended]);
      }
    }
  }
}

describe("a follower of the hub", () => {
  let hub: PlayedHub;
  beforeEach(async () => {
    hub = new PlayedHub();
    await hub.connection("connected");
  });
  afterEach(async () => {
    hub.end.abort(new Error("the test is over"));
    await hub.ended;
    expect(hub.clock.pending()).toEqual([]);
  });
  const snapshot = (...items: PropertyItem[]): StreamItem => ({ kind: "snapshot", sequence: 1, items });

  test("is ready when it knows all devices that are chosen, with their last values", async () => {
    hub.states.set("dev_hidden", "online");
    expect((await hub.tell(snapshot(hub.item(true)))).at(-1)).toBe("ready");
    expect(hub.follower.device("dev_1")?.values.value("Switch:0.on")).toBe(true);
    expect([...hub.follower.all].map(({ device }) => device.id)).toEqual(["dev_1"]);
  });

  test("reports in order what happens: values, names, who comes and who goes", async () => {
    await hub.tell(snapshot());
    hub.states.set("dev_1", "offline").set("dev_2", "online");
    const reported = await hub.tell(
      hub.event("property.changed", { item: hub.item(true) }),
      hub.event("device.offline", hub.device("dev_1")),
      hub.event("device.added", hub.device("dev_2")),
      hub.event("device.removed", hub.device("dev_1")),
      hub.event("property.changed", { item: hub.item(false) }),
    );
    expect(reported).toEqual([
      "dev_1 there the dev_1 1",
      "reported Switch:0.on true",
      "dev_1 away the dev_1 1",
      "dev_2 there the dev_2 1",
      "dev_1 gone",
    ]);
  });

  test("reports that nothing can be reached while the hub is away, and asks again who is there when it is back", async () => {
    await hub.tell(snapshot());
    await hub.connection("lost");
    expect(hub.notified.splice(0)).toEqual(["dev_1 away the dev_1 1"]);
    // The agent was started again, and has not found the device yet, of which no event reports.
    hub.states.set("dev_1", "unknown");
    await hub.connection("connected");
    expect(hub.notified.splice(0)).toEqual(["dev_1 away the dev_1 1"]);
    hub.states.set("dev_1", "online");
    await hub.clock.advance(5000);
    await settle();
    expect(hub.notified.splice(0)).toEqual(["dev_1 there the dev_1 1"]);
  });

  test("reads a device again that has got more, of which only its values tell", async () => {
    await hub.tell(snapshot());
    hub.services = ["Switch", "Valve"];
    const reported = await hub.tell(hub.event("property.changed", { item: hub.item(true, "dev_1", "Fan") }));
    expect(reported[0]).toBe("dev_1 there the dev_1 1");
    expect(hub.follower.device("dev_1")?.has("Valve:0.on")).toBe(true);
  });

  test("forgets nothing when the hub does not answer at once, and goes on with what came meanwhile", async () => {
    hub.failures = 1;
    expect(await hub.tell(snapshot(), hub.event("property.changed", { item: hub.item(true) }))).toEqual([]);
    await hub.clock.advance(5000);
    await settle();
    expect(hub.notified).toEqual(expect.arrayContaining(["ready", "reported Switch:0.on true"]));
  });

  test("after a reset everything is read again, and what is no more is gone", async () => {
    await hub.tell(snapshot());
    hub.states.delete("dev_1");
    hub.states.set("dev_3", "online");
    const reported = await hub.tell({ kind: "reset" }, snapshot(hub.item(true, "dev_3")));
    expect(reported).toEqual(["dev_1 gone", "dev_3 there the dev_3 1", "dev_3 there the dev_3 1"]);
  });
});
