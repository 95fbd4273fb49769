// A home that has been lived in, for pictures of the portal: rooms, people with access, a server, a device made by a program, a
// webhook with deliveries, and a few things that have happened. Made by the public API alone, on top of the demonstration's account.

const ROOMS = {
  "Living room": ["thermostat", "reading-lamp"],
  Kitchen: ["kettle", "blind"],
  Bedroom: ["bedside-button"],
};
const PORCH = ["lamp", "hall-switch", "front-door"];

/**
 * Furnishes the demonstration's home. Gives the IDs of the objects, by their kind.
 * @param api of `scripts/start/api.mjs` @param facts what `npm start -- --json` printed @param callback where the webhook goes
 */
export async function furnish(api, facts, callback) {
  const { environmentId, ecosystemId, accountToken: token } = facts;
  const idOf = (alias) => facts.devices.find((device) => device.alias === alias)?.id;
  const post = async (path, body) => await api.call("POST", path, { token, body });
  const put = async (path, body) => await api.call("PUT", path, { token, body });
  const zone = async (alias, items) => (await post("/api/zones", { environmentId, alias, items })).id;

  await put(`/api/ecosystems/${ecosystemId}`, { alias: "Marigold Row" });
  await put(`/api/environments/${environmentId}`, { alias: "Number 12", meta: { "$.name": "Number 12", floors: 2 } });
  await post("/api/environments", { alias: "Garden house", meta: {} });

  const webhook = await post("/api/webhooks", { url: callback, description: "Tells the hall panel", events: ["*"] });
  const rooms = [];
  for (const [alias, devices] of Object.entries(ROOMS)) rooms.push(await zone(alias, devices.map(idOf)));
  await zone("Outside", PORCH.map(idOf));
  const ground = await zone("Ground floor", rooms.slice(0, 2));
  await zone("All lights", [idOf("lamp"), idOf("reading-lamp")]);

  const weather = await post("/api/devices", {
    environmentId,
    alias: "weather",
    meta: { "$.name": "Weather at the gate" },
    services: [
      {
        service: "Weather",
        properties: [{ property: "outside", type: "number", unit: "°C", access: ["read", "write"], value: 7.5 }],
      },
    ],
  });

  const user = await post("/api/users", { key: "ada@marigold.example", alias: "Ada", meta: {} });
  await post(`/api/users/${user.id}/access`, { environmentId });
  await post(`/api/users/${user.id}/tokens`, {});
  await post("/api/users", { key: "grace@marigold.example", alias: "Grace", meta: {} });
  const server = await post("/api/servers", { alias: "Hall panel", meta: {} });

  const test = await post(`/api/webhooks/${webhook.id}/test`, {});
  for (const [device, property, value] of [
    ["lamp", "LightColor.hue", 38],
    ["lamp", "LightLevel.level", 70],
    ["reading-lamp", "LightColor.hue", 210],
    ["thermostat", "Thermostat.target", 21.5],
    ["kettle", "Kettle.target", 80],
  ])
    await put(`/api/devices/${idOf(device)}/services/${property}`, { value }).catch(named);
  // What goes wrong stands in the log of requests, too.
  await put(`/api/devices/${idOf("kettle")}/services/Kettle.target`, { value: 140 }).catch(() => undefined);
  await api.call("GET", `/api/devices/${environmentId};toaster`, { token }).catch(() => undefined);

  return {
    lamp: idOf("lamp"),
    thermostat: idOf("thermostat"),
    weather: weather.id,
    ground,
    user: user.id,
    server: server.id,
    webhook: webhook.id,
    delivery: test.id,
  };
}

function named(error) {
  throw new Error(`The home could not be furnished: ${error.message}`);
}
