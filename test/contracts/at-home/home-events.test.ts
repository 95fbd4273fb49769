/** The stream at home alone: whose events it sends, in whose order, and that it needs neither cloud nor line. */
import { LAMP } from "@porchlight/agent/state/state.fixture.ts";
import { Porchlight, type PorchlightEvent, type StreamItem } from "@porchlight/sdk";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../parts/eventually.ts";
import { Streams, take } from "./event-cases.ts";
import { ask, House, type Side } from "./house.ts";

let house: House;
let home: Side;
const streams = new Streams();
beforeAll(async () => {
  house = await House.build();
  home = house.atHome;
});
afterEach(() => streams.endAll());
afterAll(() => house[Symbol.asyncDispose]());

const level = () => `/api/devices/${home.lamp}/services/LightLevel.level`;
/** A stream that has begun. */
async function follow(side: Side): Promise<AsyncGenerator<StreamItem>> {
  const stream = streams.follow(side, { snapshot: true });
  expect(await take(1, stream)).toEqual(["snapshot"]);
  return stream;
}
async function nextEvent(stream: AsyncGenerator<StreamItem>): Promise<PorchlightEvent> {
  const { value } = await stream.next();
  if (value.kind !== "event") throw new Error(`${value.kind} is no event`);
  return value.event;
}

describe("the stream at home", () => {
  it("sends the events of the cloud's stream, each with the cause by its own place", async () => {
    const [atHome, inTheCloud] = [await follow(home), await follow(house.inTheCloud)];
    const { headers } = await house.inTheCloud.call("PUT", level(), { body: { value: 71 } });
    const commandId = headers.get("x-command-id");
    const events = [await nextEvent(atHome), await nextEvent(inTheCloud)];
    const item = { deviceId: home.lamp, property: "level", value: 71 };
    for (const event of events) expect(event.data).toMatchObject({ item, cause: { kind: "command", commandId } });
    await home.call("PUT", level(), { body: { value: 72 } });
    for (const stream of [atHome, inTheCloud]) {
      expect((await nextEvent(stream)).data).toMatchObject({ previousValue: 71, cause: { kind: "local" } });
    }
  });

  it("has an order of its own, in which events of other kinds leave no gap", async () => {
    const stream = await follow(home);
    await house.owner.asAccount.environments.update(home.environmentId, { meta: { floor: 1 } });
    for (const value of [1, 2, 3]) await home.call("PUT", level(), { body: { value } });
    const sequences = [];
    for (let n = 0; n < 3; n += 1) sequences.push((await nextEvent(stream)).sequence);
    const [first = 0] = sequences;
    expect(sequences).toEqual([first, first + 1, first + 2]);
  });

  it("reports that a device was renamed, as the cloud has it by then", async () => {
    const stream = await follow(home);
    await house.owner.asAccount.devices.update(home.lamp, { meta: { room: "attic" } });
    const event = await nextEvent(stream);
    expect(event).toMatchObject({ type: "device.updated", data: { id: home.lamp, meta: { room: "attic" } } });
  });

  it("goes on while the line is cut, and when it is mended", async () => {
    const stream = await follow(home);
    await house.cut();
    await home.call("PUT", level(), { body: { value: 81 } });
    expect(await take(1, stream)).toEqual([81]);
    house.mend();
    await eventually("the hub is online", async () => house.agent.status().tunnel.live);
    await house.inTheCloud.call("PUT", level(), { body: { value: 82 } });
    expect(await take(1, stream)).toEqual([82]);
  });

  it("reports the values that a refresh found", async () => {
    const stream = await follow(home);
    house.driver.values.set(`${LAMP} level`, 33);
    await home.call("GET", `${level()}?refresh=true`);
    expect((await nextEvent(stream)).data).toMatchObject({ item: { value: 33 }, cause: { kind: "refresh" } });
  });

  it("ends when its token is revoked, which its reader learns when it comes back", async () => {
    const made = (await ask(house.agent, "token create", { label: "panel" })) as { id: string; token: string };
    const stream = new Porchlight({ baseUrl: home.url, token: made.token }).events({ snapshot: true });
    expect(await take(1, stream)).toEqual(["snapshot"]);
    const next = stream.next();
    next.catch(() => undefined);
    await ask(house.agent, "token revoke", { id: made.id });
    await expect(next).rejects.toMatchObject({ name: "Token Invalid" });
  });
});
