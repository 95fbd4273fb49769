/** The client's event stream against the real service, on either store. */
import { Porchlight, type StreamItem, type StreamOptions } from "@porchlight/sdk";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ContractCloud, type Owner, STORES } from "./cloud.ts";

describe.each(STORES)("events on %s", (store) => {
  let cloud: ContractCloud;
  let owner: Owner;
  let lamp: string;
  const open = new Set<AbortController>();
  beforeAll(async () => {
    cloud = await ContractCloud.start(store);
    owner = await cloud.owner();
    const { environmentId } = owner;
    lamp = (await owner.asServer.devices.create({ environmentId, services: [{ service: "LightColor" }] })).id;
  });
  afterEach(() => {
    for (const each of open) each.abort();
    open.clear();
  });
  afterAll(() => cloud[Symbol.asyncDispose]());

  const turn = (hue: number) => owner.asServer.devices.set(lamp, "LightColor.hue", hue);

  /** Without the judge, which waits for the end of an answer. */
  function follow(options: StreamOptions = {}, token = owner.serverToken) {
    const end = new AbortController();
    open.add(end);
    return new Porchlight({ baseUrl: cloud.url, token }).events({ ...options, signal: end.signal });
  }

  async function take(count: number, items: AsyncGenerator<StreamItem>): Promise<StreamItem[]> {
    const seen: StreamItem[] = [];
    for await (const item of items) if (seen.push(item) === count) break;
    return seen;
  }
  const hues = (items: readonly StreamItem[]) =>
    items.map((item) =>
      item.kind === "event" && item.event.type === "property.changed" ? item.event.data.item.value : item.kind,
    );

  it("begin with a snapshot, and go on with each change", async () => {
    await turn(10);
    const stream = follow({ snapshot: true });
    const first = await stream.next();
    expect(first.value).toMatchObject({ kind: "snapshot", items: [{ deviceId: lamp, property: "hue", value: 10 }] });
    await turn(11);
    await turn(12);
    expect(hues(await take(2, stream))).toEqual([11, 12]);
  });

  it("resume after the last seen event, also for a user", async () => {
    const [snapshot] = await take(1, follow({ snapshot: true }));
    const after = snapshot?.kind === "snapshot" ? snapshot.sequence : 0;
    for (const hue of [21, 22, 23]) await turn(hue);
    expect(hues(await take(3, follow({ after })))).toEqual([21, 22, 23]);
    expect(hues(await take(2, follow({ after: after + 1, types: ["property.*"] }, owner.userToken)))).toEqual([22, 23]);
  });

  it("begin anew, with a snapshot, when the missed events are no longer kept", async () => {
    await turn(30);
    await turn(31);
    await cloud.change((db) => db.deleteFrom("events").where("ecosystem_id", "=", owner.ecosystemId));
    const stream = follow({ after: 1, snapshot: true });
    expect((await take(2, stream)).map(({ kind }) => kind)).toEqual(["reset", "snapshot"]);
  });

  it("report the end of a command that was given without waiting", async () => {
    const stream = follow({ types: ["command.completed"] });
    const first = stream.next();
    // The stream begins now: commands that end before it has begun are not reported.
    for (let isReported = false; !isReported; ) {
      const { id } = await owner.asServer.devices.setAsync(lamp, "LightColor.hue", 40, { ttlSeconds: 5 });
      expect(await owner.asServer.commands.get(id)).toMatchObject({ state: "confirmed", value: 40 });
      isReported = await Promise.race([first.then(() => true), owner.asServer.devices.get(lamp).then(() => false)]);
    }
    expect((await first).value).toMatchObject({ event: { type: "command.completed", data: { value: 40 } } });
  });

  it("are refused to an invalid token, and not asked for again", async () => {
    await expect(take(1, follow({}, "plt_srv_nonsense"))).rejects.toMatchObject({ name: "Token Invalid", status: 401 });
    await expect(take(1, follow({ types: ["device.gone"] }))).rejects.toMatchObject({
      name: "Query Parameter Invalid",
    });
  });
});
