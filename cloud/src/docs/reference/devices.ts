/** Samples of devices, of the places that they are in, and of events. */
import { objectSamples, type Samples } from "./accounts.ts";

/** Selector in the samples that read cached values, of one device or of a place. */
const SELECTOR = "Switch.on";
const SET = { value: true };

export const DEVICES: Samples = {
  ...objectSamples("Ecosystems", "Ecosystem", { meta: { plan: "trial" } }),
  createEcosystem: { body: { alias: "second-home" }, typescript: "ecosystems.create(‹body›)" },
  getHistorySettings: { typescript: 'ecosystems.historySettings("‹ecosystemId›")' },
  updateHistorySettings: {
    body: { rawDays: 30 },
    typescript: 'ecosystems.updateHistorySettings("‹ecosystemId›", ‹body›)',
  },
  getSink: { typescript: 'ecosystems.sink("‹ecosystemId›")', needs: "Needs an ecosystem with a sink." },
  setSink: {
    body: { url: "https://influx.example/api/v2/write?org=home&bucket=porchlight", token: "the token of InfluxDB" },
    typescript: 'ecosystems.setSink("‹ecosystemId›", ‹body›)',
  },
  testSink: { typescript: 'ecosystems.testSink("‹ecosystemId›")', needs: "Needs an ecosystem with a sink." },
  deleteSink: { typescript: 'ecosystems.deleteSink("‹ecosystemId›")', needs: "Needs an ecosystem with a sink." },
  ...objectSamples("Environments", "Environment", { meta: { floors: 2 } }, "ecosystemId"),
  createEnvironment: {
    body: { ecosystemId: "‹ecosystemId›", alias: "summer-house" },
    typescript: "environments.create(‹body›)",
  },
  listEnvironmentServices: { typescript: 'environments.services("‹environmentId›")' },
  getEnvironmentProperties: { typescript: `environments.properties("‹environmentId›", "${SELECTOR}")` },
  setEnvironmentProperties: {
    body: SET,
    typescript: `environments.setProperties("‹environmentId›", "${SELECTOR}", true)`,
  },
  getEnvironmentHistory: {
    query: { resolution: "1h" },
    typescript: `environments.history("‹environmentId›", "${SELECTOR}", { resolution: "1h" }).page()`,
  },
  ...objectSamples("Zones", "Zone", { meta: { floor: 1 } }, "environmentId"),
  createZone: {
    body: { environmentId: "‹environmentId›", alias: "reading-corner", items: ["‹deviceId›"] },
    typescript: "zones.create(‹body›)",
  },
  getZoneProperties: { typescript: `zones.properties("‹zoneId›", "${SELECTOR}")` },
  setZoneProperties: { body: SET, typescript: `zones.setProperties("‹zoneId›", "${SELECTOR}", true)` },
  getZoneHistory: {
    query: { resolution: "1h" },
    typescript: `zones.history("‹zoneId›", "${SELECTOR}", { resolution: "1h" }).page()`,
  },
  ...objectSamples("Scenes", "Scene", { meta: { room: "kitchen" } }, "environmentId"),
  createScene: {
    body: {
      ...{ environmentId: "‹environmentId›", alias: "reading" },
      items: [{ target: "‹deviceId›", service: SELECTOR, value: true }],
    },
    typescript: "scenes.create(‹body›)",
  },
  captureScene: {
    body: { environmentId: "‹environmentId›", alias: "as-it-is", targets: ["‹deviceId›"] },
    typescript: "scenes.capture(‹body›)",
  },
  callScene: { body: { only: ["‹deviceId›"] }, typescript: 'scenes.call("‹sceneId›", ‹body›)' },
  ...objectSamples("Devices", "Device", { meta: { room: "kitchen" } }, "environmentId"),
  createDevice: {
    body: { environmentId: "‹environmentId›", alias: "reading-lamp", services: [{ service: "Switch" }] },
    typescript: "devices.create(‹body›)",
  },
  listDeviceServices: { typescript: 'devices.services("‹deviceId›")' },
  explainDeviceProperty: { typescript: `devices.why("‹deviceId›", "${SELECTOR}")` },
  getDeviceProperties: { typescript: `devices.properties("‹deviceId›", "${SELECTOR}")` },
  setDeviceProperties: { body: SET, typescript: `devices.set("‹deviceId›", "${SELECTOR}", true)` },
  getDeviceHistory: {
    query: { resolution: "1h" },
    typescript: `devices.history("‹deviceId›", "${SELECTOR}", { resolution: "1h" }).page()`,
  },
  getCommand: { typescript: 'commands.get("‹commandId›")' },
  listActivity: {
    query: { ecosystemId: "‹ecosystemId›", stepMinutes: "15" },
    typescript: 'activity({ ecosystemId: "‹ecosystemId›", stepMinutes: 15 }).page()',
  },
  listEventLog: {
    query: { ecosystemId: "‹ecosystemId›", order: "newest", pageSize: "20" },
    typescript: 'eventLog({ ecosystemId: "‹ecosystemId›", order: "newest" }, { pageSize: 20 }).page()',
  },
  listEvents: {
    query: { ecosystemId: "‹ecosystemId›" },
    typescript: 'for await (const event of porchlight.events({ ecosystemId: "‹ecosystemId›" })) console.log(event);',
  },
};
