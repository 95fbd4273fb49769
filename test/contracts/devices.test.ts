/** Virtual devices, their properties, and those of zones and environments, through the client, on either store. */
import { ref } from "@porchlight/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContractCloud, type Owner, STORES } from "./cloud.ts";

describe.each(STORES)("devices on %s", (store) => {
  let cloud: ContractCloud;
  let owner: Owner;
  let environmentId: string;
  let lamp: string;
  let sensor: string;
  let zone: string;
  beforeAll(async () => {
    cloud = await ContractCloud.start(store);
    owner = await cloud.owner();
    ({ environmentId } = owner);
    const { devices, zones } = owner.asServer;
    const color = { service: "LightColor", properties: ["hue"] };
    const button = { service: "Switch", index: "1" };
    lamp = (await devices.create({ environmentId, alias: "lamp", services: [color, button] })).id;
    const celsius = { property: "celsius", value: 20.5 };
    sensor = (await devices.create({ environmentId, services: [{ service: "Temperature", properties: [celsius] }] }))
      .id;
    const inner = await zones.create({ environmentId, items: [lamp] });
    zone = (await zones.create({ environmentId, alias: "ground floor", items: [inner.id, sensor, lamp] })).id;
  });
  afterAll(() => cloud[Symbol.asyncDispose]());

  it("list what they can do", async () => {
    const services = await owner.asUser.devices.services(lamp);
    expect(services.map(({ service, index }) => `${service}:${index}`)).toEqual(["LightColor:0", "Switch:1"]);
    expect(services[0]?.properties).toMatchObject([{ property: "hue", type: "number", min: 0, max: 360, unit: "deg" }]);
  });

  it("are set, and the command reports what became of it", async () => {
    const { item, commandId } = await owner.asUser.devices.set(ref(environmentId, "lamp"), "LightColor.hue", 120);
    expect(item).toMatchObject({ deviceId: lamp, value: 120 });
    expect(await owner.asUser.commands.get(commandId)).toMatchObject({
      state: "confirmed",
      outcome: "confirmed",
      value: 120,
    });
    const { items } = await owner.asUser.devices.properties(lamp, "LightColor.hue", { refresh: true, wait: 5 });
    expect(items).toEqual([item]);
  });

  it.each([
    ["Toaster.on", true, "Service Not Found"],
    ["LightColor.weight", 1, "Service Property Invalid"],
    ["LightColor", 1, "Service Property Invalid"],
    ["LightColor.hue", 361, "Property Value Invalid"],
    ["LightColor.hue", "red", "Property Value Invalid"],
  ])("refuse %s = %j with its name", async (selector, value, name) => {
    await expect(owner.asUser.devices.set(lamp, selector, value)).rejects.toMatchObject({ name });
  });

  it("report measurements through a server, and not through a user", async () => {
    const { devices } = owner.asServer;
    await expect(devices.set(sensor, "Temperature.celsius", 21)).rejects.toMatchObject({
      name: "Property Not Writable",
    });
    const asUser = owner.asUser.devices.set(sensor, "Temperature.celsius", 21, { report: true });
    await expect(asUser).rejects.toMatchObject({ name: "Property Not Writable" });
    expect((await devices.set(sensor, "Temperature.celsius", 21, { report: true })).item).toMatchObject({ value: 21 });
  });

  it("are repeated by their idempotency key without a second command", async () => {
    const options = { idempotencyKey: "evening" };
    const first = await owner.asUser.devices.set(lamp, "Switch:1.on", true, options);
    await owner.asUser.devices.set(lamp, "Switch:1.on", false);
    expect(await owner.asUser.devices.set(lamp, "Switch:1.on", true, options)).toEqual(first);
    expect((await owner.asUser.devices.properties(lamp, "Switch:1.on")).items[0]).toMatchObject({ value: false });
    const other = owner.asUser.devices.set(lamp, "Switch:1.on", false, options);
    await expect(other).rejects.toMatchObject({ name: "Idempotency Key Reused", status: 422 });
  });

  it("of a zone and of the zones in it are read and set together, each once", async () => {
    const set = await owner.asUser.zones.setProperties(ref(environmentId, "ground floor"), "LightColor.hue", 60);
    expect(set.failures).toBeUndefined();
    expect(set.items.map(({ deviceId }) => deviceId)).toEqual([lamp]);
    const read = await owner.asUser.zones.properties(zone, "LightColor.hue");
    expect(read.items).toMatchObject([{ deviceId: lamp, value: 60 }]);
    const all = await owner.asUser.devices.list({ zoneId: zone }).all();
    expect(all.map(({ id }) => id).sort()).toEqual([lamp, sensor].sort());
  });

  it("of an environment are set together, and each refusal is reported", async () => {
    const { items, failures } = await owner.asUser.environments.setProperties(environmentId, "Temperature.celsius", 30);
    expect(items).toEqual([]);
    expect(failures).toMatchObject([{ deviceId: sensor, name: "Property Not Writable", outcome: "not_sent" }]);
  });

  it("leave their zones when they are deleted", async () => {
    const { devices, zones } = owner.asServer;
    const { id } = await devices.create({ environmentId, services: [{ service: "Switch" }] });
    const { id: hall } = await zones.create({ environmentId, items: [id, lamp] });
    await devices.delete(id);
    expect((await zones.get(hall)).items).toEqual([lamp]);
    await expect(devices.set(id, "Switch.on", true)).rejects.toMatchObject({ name: "Device Not Found" });
  });
});
