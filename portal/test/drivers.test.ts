/** How a person deals with a hub's drivers in a real browser: a real cloud, hub and broker; the bridge behind it is the test's own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askAgent } from "@porchlight/agent/ops/control-socket.ts";
import { type BrokerConnection, openByMqttJs } from "@porchlight/driver-mqtt/broker";
import { RELAYS } from "@porchlight/driver-shelly/captured.fixture.ts";
import { FakeShelly } from "@porchlight/driver-shelly/fake-shelly.fixture.ts";
import { ShellyServer } from "@porchlight/driver-shelly/shelly-server.fixture.ts";
import { systemClock } from "@porchlight/shared/kernel";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accessibilityProblemsAtLength, Chromium } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { Home, OWNER } from "../../test/parts/home.ts";
import { type Mosquitto, startMosquitto } from "../../test/parts/mosquitto.ts";
import { logIn } from "./log-in.ts";

const LOCK = "0x00158d0001020304";
const LOCK_ID = "00-15-8D-00-01-02-03-04";
const PASSWORD = "under the mat";
const JOINED = "0x00158d0001020305";

const lock = {
  ...{ ieee_address: LOCK, type: "EndDevice", friendly_name: "Cellar door" },
  definition: {
    ...{ vendor: "Danalock", model: "V3" },
    exposes: [
      {
        type: "lock",
        features: [
          { type: "binary", name: "state", property: "state", access: 7, value_on: "LOCK", value_off: "UNLOCK" },
        ],
      },
    ],
  },
};

const stack = new AsyncDisposableStack();
let home: Home;
let page: Page;
let complaints: string[];
let broker: Mosquitto;
let bridge: BrokerConnection;
const opened: unknown[] = [];

const say = (topic: string, message: unknown, retain = false) =>
  bridge.publish({ topic: `zigbee2mqtt/${topic}`, payload: JSON.stringify(message), qos: 1, retain });

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-portal-drivers-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  broker = stack.use(await startMosquitto());
  const open = openByMqttJs({ url: broker.url, clientId: "bridge" });
  const permitJoin = ({ payload }: { readonly payload: Uint8Array }) => {
    opened.push(JSON.parse(Buffer.from(payload).toString()).time);
    void say("bridge/response/permit_join", { status: "ok", data: {} });
  };
  bridge = stack.use(await open(permitJoin, new AbortController().signal));
  await bridge.subscribe(["zigbee2mqtt/bridge/request/permit_join"]);
  await say("bridge/devices", [lock], true);
  await say("bridge/state", { state: "online" }, true);
  await say("Cellar door", { state: "LOCK" }, true);
  const config = join(folder, "agent.yaml");
  const shelly = stack.use(await ShellyServer.start(new FakeShelly(RELAYS, systemClock, { password: PASSWORD })));
  const drivers = { mqtt: { broker: broker.url, admit: "all" }, shelly: { devices: [shelly.endpoint] } };
  writeFileSync(config, `drivers: ${JSON.stringify(drivers)}\n`);
  home = stack.use(await Home.start({ agentEnv: { PORCHLIGHT_CONFIG: config } }));
  const chromium = stack.use(await Chromium.start());
  ({ page, complaints } = await chromium.visit());
  await logIn(page, home.api.base, OWNER);
  await page.goto(`${home.api.base}/environments/${home.environmentId}/hubs/${home.clientId}`);
});
afterAll(() => stack.disposeAsync());

const drivers = () => page.getByRole("region", { name: "Drivers", exact: true });
const dialog = () => page.getByRole("dialog");
const waiting = () => drivers().getByRole("list", { name: "Devices awaiting admission" });

it("a lock that a driver sees is shown with what it is, and is the hub's once it is admitted", async () => {
  await waiting().getByText("Cellar door (Danalock V3)").waitFor();
  await waiting().getByText(LOCK_ID).waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  await waiting().getByRole("button", { name: "Admit" }).click();
  await dialog().getByText("This device can open the home").waitFor();
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await waiting().getByRole("button", { name: "Admit" }).click();
  await dialog().getByRole("button", { name: "Admit" }).click();
  await waiting().waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Devices", exact: true }).getByText("Cellar door").waitFor();
});

it("a value that the broker retained is shown as of unknown age, and never as the lock's report", async () => {
  await home.online();
  const locked = home.path(LOCK_ID, "Lock.locked");
  // The device is there before its first value.
  const kept = await eventually("the kept value is known", async () => {
    const { items } = await home.api.good<{ items: object[] }>("GET", locked);
    return items[0];
  });
  expect(kept).toMatchObject({ property: "locked", value: true, source: "retained" });
  expect(kept).not.toHaveProperty("observedAt");
  const asked = await home.api.call("GET", `${locked}?refresh=true`, undefined, { prefer: "wait=2" });
  expect(asked.status).toBe(502);
  await page.getByRole("region", { name: "Devices", exact: true }).getByRole("link", { name: "Cellar door" }).click();
  await page.getByText("of unknown age").first().waitFor();
  await page.goBack();
});

it("a device joins while a dialog shows the next step, and is listed with its kind", async () => {
  await drivers().getByRole("button", { name: "Let a Zigbee device join" }).click();
  await dialog().getByText("The Zigbee network is open. Put the device into pairing mode").waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  const about = { ieee_address: JOINED, friendly_name: JOINED };
  await say("bridge/event", { type: "device_joined", data: about });
  await dialog().getByText("has joined").waitFor();
  const definition = { vendor: "IKEA", model: "LED1623G12" };
  await say("bridge/event", { type: "device_interview", data: { ...about, status: "successful", definition } });
  await dialog().getByRole("listitem").getByText("IKEA LED1623G12").waitFor();
  const exposes = [
    {
      type: "light",
      features: [
        { type: "binary", name: "state", property: "state", access: 7, value_on: "ON", value_off: "OFF" },
        { type: "numeric", name: "brightness", property: "brightness", access: 7, value_min: 0, value_max: 254 },
      ],
    },
  ];
  await say("bridge/devices", [lock, { ...about, type: "Router", definition: { ...definition, exposes } }], true);
  const name = dialog().getByRole("textbox", { name: "Name" });
  await name.waitFor();
  expect(await name.inputValue()).toBe("Lamp");
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  await name.fill("Reading lamp");
  await dialog().getByRole("button", { name: "Save and finish" }).click();
  await dialog().waitFor({ state: "detached" });
  await eventually("the network is closed", async () => opened.at(-1) === 0);
  expect(opened[0]).toBe(254);
  await page
    .getByRole("region", { name: "Devices", exact: true })
    .getByRole("link", { name: "Reading lamp" })
    .waitFor();
});

it("a device that needs its password is listed with what is missing, and is the hub's once it is entered", async () => {
  const unpaired = drivers().getByRole("list", { name: "Devices that are not paired" });
  await unpaired.getByText("Enter its password.").waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  await unpaired.getByRole("button", { name: "Enter the password of a Shelly device" }).click();
  await dialog().getByLabel("The password of").fill(PASSWORD);
  await dialog().getByRole("button", { name: "Answer" }).click();
  // The row goes as soon as the hub has the device; the dialog stays until the person has read it.
  await unpaired.waitFor({ state: "detached" });
  await dialog().getByRole("listitem").first().waitFor();
  await dialog().getByRole("button", { name: "Close", exact: true }).last().click();
  await dialog().waitFor({ state: "detached" });
});

it("the code of a bridge to Matter is shown as digits and to be scanned, and once it is paired by whom", async () => {
  const matter = page.getByRole("region", { name: "Matter", exact: true });
  expect(await matter.count()).toBe(0);
  const says = (is: object) =>
    askAgent(home.agentData, { ask: "drivers", about: { ask: "matter bridge", is } }, systemClock);
  const code = { qrCode: "MT:Y.K908MZ17FR1U2WS10", manualCode: "34970112332" };
  await says({ state: "waiting", ...code, devices: 3, controllers: [] });
  await matter.getByText("3497-011-2332").waitFor();
  await matter.getByRole("img", { name: "QR code" }).waitFor();
  expect(await accessibilityProblemsAtLength(page)).toEqual([]);
  await says({ state: "paired", devices: 3, controllers: [{ vendorId: 4937, label: "Summer house" }] });
  await matter.getByText("Apple, Summer house").waitFor();
  expect(await matter.getByRole("img", { name: "QR code" }).count()).toBe(0);
});

it("an unreachable broker is described in words, and no impossible action is offered", async () => {
  await broker.kill();
  await drivers().getByText("The broker cannot be reached").waitFor();
  expect(await drivers().getByRole("button").count()).toBe(0);
  expect(complaints).toEqual([]);
});
