/** The hub's scenes at home past HTTP: shown as the cloud sent them, and called with one entry for each write. */
import type { StoredScene } from "@porchlight/shared/tunnel";
import { describe, expect, test } from "vitest";
import { BUTTON, device, level, on, pending } from "../state/state.fixture.ts";
import { AtHome, ENVIRONMENT, LAMP_ID } from "./at-home.fixture.ts";

const EVENING = "scn_01kad2vqz0fv8t7vqh5v8q5x5r";
const NIGHT = "scn_01kad2vqz0fv8t7vqh5v8q5x5s";
const OTHER_ID = "dev_01kad2vqz0fv8t7vqh5v8q5x5s";
const named = (name: string, more = {}) => expect.objectContaining({ name, ...more });

const evening = (change: Partial<StoredScene> = {}): StoredScene => ({
  ...{ id: EVENING, digest: "a", alias: "evening", meta: '{"s":{"name":"Evening"},"o":{"mine":1}}', createdAt: 0 },
  items: [{ target: LAMP_ID, service: "Switch.on", value: true }],
  triggers: [
    {
      kind: "event",
      device: BUTTON,
      service: "Button",
      index: "0",
      property: "event",
      deviceId: OTHER_ID,
      value: "press",
    },
    { kind: "time", at: "07:00", days: ["mon"] },
  ],
  writes: [on(true), level(40), on(true, BUTTON)],
  ...change,
});

/** A hub with two named devices and these scenes. */
async function homeWith(...scenes: readonly StoredScene[]): Promise<AtHome> {
  const home = await AtHome.make();
  home.driver.live.add(BUTTON);
  await home.disk.done(home.state.arrive(device(BUTTON)));
  await home.name(OTHER_ID, "other", BUTTON);
  await tell(home, scenes);
  return home;
}

async function tell(home: AtHome, all: readonly StoredScene[], environmentId = ENVIRONMENT): Promise<void> {
  const { scenes } = home.state.home;
  const list = all.map(({ id, digest }) => ({ id, digest }));
  await scenes.takeScenes({ digest: "d", ecosystemId: "eco_1", environmentId, scenes: list });
  for (const scene of all) await scenes.takeScene(scene);
}

interface Asked {
  readonly id?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const call = (home: AtHome, { id = EVENING, body = {}, headers }: Asked = {}) =>
  home.call("POST", "/api/scenes/:id/call", { id, body, headers });
const ended = (home: AtHome, asked: Asked = {}) => home.clock.until(call(home, asked));

describe("scenes at home", () => {
  test("are listed and shown as in the cloud", async () => {
    using home = await homeWith(evening(), evening({ id: NIGHT, alias: undefined, triggers: [] }));
    const shown = {
      ...{ id: EVENING, ecosystemId: "eco_1", environmentId: ENVIRONMENT, alias: "evening" },
      meta: { "$.name": "Evening", mine: 1 },
      items: [{ target: LAMP_ID, service: "Switch.on", value: true }],
      triggers: [
        { kind: "event", deviceId: OTHER_ID, service: "Button:0.event", value: "press" },
        { kind: "time", at: "07:00", days: ["mon"] },
      ],
      createdAt: "1970-01-01 00:00:00Z",
    };
    const { body } = await home.call("GET", "/api/scenes");
    expect(body).toMatchObject({ items: [shown, { id: NIGHT, triggers: [] }] });
    expect((await home.call("GET", "/api/scenes/:id", { id: EVENING })).body).toEqual(shown);
    expect((await home.call("GET", "/api/scenes/:id", { id: `${ENVIRONMENT};evening` })).body).toEqual(shown);
    const headers = { "x-system-metadata-prefix": "sys/" };
    expect((await home.call("GET", "/api/scenes/:id", { id: EVENING, headers })).body).toMatchObject({
      meta: { "sys/name": "Evening" },
    });
  });

  test("come in pages", async () => {
    using home = await homeWith(evening(), evening({ id: NIGHT, alias: undefined }));
    const first = await home.call("GET", "/api/scenes", { query: { pageSize: "1" } });
    const { items, continuationToken } = first.body as { items: unknown[]; continuationToken: string };
    expect(items).toMatchObject([{ id: EVENING }]);
    const rest = await home.call("GET", "/api/scenes", { query: { pageSize: "1", continuationToken } });
    expect(rest.body).toEqual({ items: [expect.objectContaining({ id: NIGHT })] });
  });

  test("are none of another environment, and none before the cloud has sent the environment of the hub", async () => {
    using home = await homeWith(evening());
    await expect(home.call("GET", "/api/scenes", { query: { environmentId: "env_2" } })).rejects.toEqual(
      named("Environment Invalid"),
    );
    await tell(home, [evening()], "env_01kad2vqz0fv8t7vqh5v8q5x5z");
    expect((await home.call("GET", "/api/scenes")).body).toEqual({ items: [] });
    await expect(call(home)).rejects.toEqual(named("Scene Invalid"));
  });

  test.for([
    ["scn_01kad2vqz0fv8t7vqh5v8q5x5z", "Scene Invalid"],
    [`${ENVIRONMENT};dusk`, "Scene Not Found"],
    ["evening", "Scene Invalid"],
  ] as const)("that the hub does not have are as if they were not there (%s)", async ([id, name]) => {
    using home = await homeWith(evening());
    await expect(home.call("GET", "/api/scenes/:id", { id })).rejects.toEqual(named(name));
    await expect(call(home, { id })).rejects.toEqual(named(name));
  });
});

describe("a call at home", () => {
  test("sets everything at once, and answers for each write with its command", async () => {
    using home = await homeWith(evening());
    home.driver.hold();
    const answer = call(home, { headers: { prefer: "wait=5" } });
    await home.clock.advance(10);
    expect(home.driver.touches).toHaveLength(3);
    home.driver.release();
    const { status, body, headers } = await home.clock.until(answer);
    const commandId = expect.stringMatching(/^cmd_/);
    expect([status, body]).toEqual([
      200,
      {
        commandId,
        items: [
          expect.objectContaining({ deviceId: LAMP_ID, property: "on", value: true, commandId }),
          expect.objectContaining({ deviceId: LAMP_ID, property: "level", value: 40, commandId }),
          expect.objectContaining({ deviceId: OTHER_ID, property: "on", value: true, commandId }),
        ],
      },
    ]);
    const { commandId: whole, items } = body as { commandId: string; items: { commandId: string }[] };
    expect(new Set([whole, ...items.map((item) => item.commandId)]).size).toBe(4);
    expect(headers).toEqual({ "preference-applied": "wait=5" });
    await home.clock.advance(100);
    expect(pending(home.state).at(-1)).toMatchObject({ cause: "local", scene: { id: EVENING, by: "api" } });
  });

  test("says of each write that failed what is known of it, and can be repeated for those alone", async () => {
    using home = await homeWith(evening());
    await home.disk.done(home.state.learn(level(3), "read"));
    home.driver.live.delete(BUTTON);
    home.driver.next.push({ kind: "value", value: true });
    home.driver.next.push({
      ...{ kind: "failed", name: "Device Rejected", outcome: "rejected", detail: "too bright", code: 7 },
    });
    const { body } = await ended(home);
    const commandId = expect.stringMatching(/^cmd_/);
    expect(body).toMatchObject({
      items: [{ property: "on" }],
      failures: [
        {
          ...{ deviceId: LAMP_ID, service: "LightLevel", index: "0", property: "level", commandId },
          ...{ name: "Device Rejected", detail: "too bright", outcome: "rejected", code: 7, lastKnown: { value: 3 } },
        },
        { deviceId: OTHER_ID, property: "on", name: "Device Unreachable", outcome: "not_applied", commandId },
      ],
    });
    home.driver.live.add(BUTTON);
    const again = await ended(home, { body: { only: [OTHER_ID, `${ENVIRONMENT};lamp`] } });
    expect(again.body).toMatchObject({ items: [{ deviceId: LAMP_ID }, { deviceId: LAMP_ID }, { deviceId: OTHER_ID }] });
    const alone = await ended(home, { body: { only: [OTHER_ID] } });
    expect((alone.body as { items: unknown[] }).items).toHaveLength(1);
  });

  test("sends nothing that the device would refuse", async () => {
    using home = await homeWith(evening({ writes: [{ ...on(true), value: 7 }, level(40)] }));
    const { body } = await ended(home);
    expect(body).toMatchObject({
      items: [{ property: "level" }],
      failures: [{ property: "on", name: "Property Value Invalid", outcome: "not_sent" }],
    });
    expect(body).not.toHaveProperty("failures.0.commandId");
    expect(home.driver.touches).toHaveLength(1);
  });

  test("is answered in time for devices that are slow", async () => {
    using home = await homeWith(evening());
    home.driver.hold();
    const answer = await home.clock.until(call(home, { headers: { prefer: "wait=2" } }), 2000);
    const unknown = { name: "Hub Timeout", outcome: "unknown" };
    expect(answer.body).toMatchObject({ items: [], failures: [unknown, unknown, unknown] });
    home.driver.release();
  });

  test("under a key is carried out once, also after a crash, with the same commands", async () => {
    using home = await homeWith(evening());
    const key = { headers: { "idempotency-key": "k" } };
    const first = await ended(home, key);
    expect(first.headers).not.toHaveProperty("idempotent-replayed");
    home.crash();
    const again = await ended(home, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers).toMatchObject({ "idempotent-replayed": "true" });
    expect(home.driver.touches).toHaveLength(3);
  });

  test("under a key carries out only what did not reach its device before", async () => {
    using home = await homeWith(evening());
    home.driver.live.delete(BUTTON);
    const key = { headers: { "idempotency-key": "k" } };
    await ended(home, key);
    home.driver.live.add(BUTTON);
    const again = await ended(home, key);
    expect(again.body).not.toHaveProperty("failures");
    expect(home.driver.touches).toHaveLength(3);
    expect(again.headers).not.toHaveProperty("idempotent-replayed");
  });

  test("under a key whose first is under way, or that set other values, sends nothing", async () => {
    using home = await homeWith(evening());
    const key = { headers: { "idempotency-key": "k" } };
    home.driver.hold();
    const first = call(home, key);
    await home.clock.advance(10);
    await expect(call(home, key)).rejects.toEqual(named("Idempotency Key In Use"));
    home.driver.release();
    await home.clock.until(first);
    await tell(home, [evening({ digest: "b", writes: [on(false, BUTTON), on(true), level(7)] })]);
    await expect(call(home, key)).rejects.toEqual(named("Idempotency Key Reused"));
    expect(home.driver.touches).toHaveLength(3);
  });

  test.for([[{ only: [] }], [{ only: "lamp" }], [{ only: [7] }], [{ value: true }]] as const)(
    "with a body that is none of a call is refused (%j)",
    async ([body]) => {
      using home = await homeWith(evening());
      await expect(call(home, { body })).rejects.toEqual(named("Body Parameters Invalid"));
      expect(home.driver.touches).toEqual([]);
    },
  );

  test("for a device that is none, or that the scene does not set, is refused", async () => {
    using home = await homeWith(evening({ writes: [on(true)] }));
    const none = "dev_01kad2vqz0fv8t7vqh5v8q5x5z";
    await expect(call(home, { body: { only: [LAMP_ID, none] } })).rejects.toEqual(named("Device Invalid"));
    await expect(call(home, { body: { only: [LAMP_ID, OTHER_ID] } })).rejects.toEqual(
      named("Body Parameters Invalid", {
        errors: [{ pointer: "/only/1", message: "is no device that the scene sets" }],
      }),
    );
    expect(home.driver.touches).toEqual([]);
  });

  test("is refused while another agent has the hub's identity", async () => {
    using home = await homeWith(evening());
    home.isSuperseded = true;
    await expect(call(home)).rejects.toEqual(named("Service Unavailable", { outcome: "not_sent" }));
    expect(home.driver.touches).toEqual([]);
  });
});
