// A Matter device of another team's making, as a program: built with matter.js at another version than the driver's (test/peers). A lamp that
// dims, a temperature sensor, a button and a lock on one node. Orders on stdin happen at the device; its events are printed on stdout.
import "@matter/nodejs";
import { Endpoint, Environment, ServerNode } from "@matter/main";
import { BridgedDeviceBasicInformationServer } from "@matter/main/behaviors/bridged-device-basic-information";
import { DoorLockServer } from "@matter/main/behaviors/door-lock";
import { SwitchServer } from "@matter/main/behaviors/switch";
import { DimmableLightDevice } from "@matter/main/devices/dimmable-light";
import { DoorLockDevice } from "@matter/main/devices/door-lock";
import { GenericSwitchDevice } from "@matter/main/devices/generic-switch";
import { TemperatureSensorDevice } from "@matter/main/devices/temperature-sensor";
import { AggregatorEndpoint } from "@matter/main/endpoints/aggregator";
import { Noc, Rcac } from "@matter/main/protocol";

const [, , given = "{}"] = process.argv;
const {
  port = 5540,
  discriminator = 3840,
  passcode = 20202021,
  uniqueId = "porchlight-test-lamp",
  bridged = 0,
  storage,
} = JSON.parse(given);
/** Gives nothing: what an observer of the library gives ends the event for those after it, which are the library's own. */
const print = (message) => void process.stdout.write(`${JSON.stringify(message)}\n`);
if (storage) Environment.default.vars.set("storage.path", storage);

/** Locks, and counts the commands to do so. */
class CountingLock extends DoorLockServer {
  lockDoor() {
    this.state.lockState = 1;
    print({ event: "touched", what: "lock" });
  }
  unlockDoor() {
    this.state.lockState = 2;
    print({ event: "touched", what: "unlock" });
  }
}

const node = await ServerNode.create({
  id: "device",
  network: { port },
  commissioning: { passcode, discriminator },
  productDescription: { name: "Porch lamp", deviceType: DimmableLightDevice.deviceType },
  basicInformation: {
    vendorName: "Other Team",
    productName: "Porch lamp",
    nodeLabel: "Porch lamp",
    productId: 0x8000,
    uniqueId,
    serialNumber: "S-1",
    softwareVersion: 1,
    softwareVersionString: "1.0",
  },
});
const lamp = new Endpoint(DimmableLightDevice, { id: "lamp" });
const sensor = new Endpoint(TemperatureSensorDevice, { id: "sensor", temperatureMeasurement: { measuredValue: 2150 } });
const button = new Endpoint(
  GenericSwitchDevice.with(
    SwitchServer.with(
      "MomentarySwitch",
      "MomentarySwitchRelease",
      "MomentarySwitchLongPress",
      "MomentarySwitchMultiPress",
    ),
  ),
  { id: "button", switch: { numberOfPositions: 2, currentPosition: 0, multiPressMax: 3 } },
);
const lock = new Endpoint(DoorLockDevice.with(CountingLock), {
  id: "lock",
  doorLock: {
    lockState: 2,
    lockType: 0,
    actuatorEnabled: true,
    operatingMode: 0,
    supportedOperatingModes: { normal: false },
  },
});
const lamps = [];
const aggregator = new Endpoint(AggregatorEndpoint, { id: "bridge" });
if (bridged === 0) for (const endpoint of [lamp, sensor, button, lock]) await node.add(endpoint);
else {
  await node.add(aggregator);
  await haveLamps(bridged);
}

/** So many lamps are behind the bridge from now on. */
async function haveLamps(count) {
  while (lamps.length > count) await lamps.pop().delete();
  while (lamps.length < count) {
    const at = lamps.length;
    const one = new Endpoint(DimmableLightDevice.with(BridgedDeviceBasicInformationServer), {
      id: `lamp-${at}`,
      bridgedDeviceBasicInformation: { nodeLabel: `Lamp ${at}`, uniqueId: `${uniqueId}-${at}`, reachable: true },
    });
    await aggregator.add(one);
    one.events.levelControl.currentLevel$Changed.on((value) => print({ event: "touched", what: `level ${at}`, value }));
    lamps.push(one);
  }
}
if (bridged === 0) lamp.events.onOff.onOff$Changed.on((value) => print({ event: "touched", what: "lamp", value }));
node.lifecycle.commissioned.on(() => print({ event: "commissioned" }));
node.lifecycle.decommissioned.on(() => print({ event: "decommissioned" }));
node.lifecycle.online.on(() => print({ event: "online" }));
await node.start();
const { qrPairingCode, manualPairingCode } = node.state.commissioning.pairingCodes;
print({ event: "started", qrPairingCode, manualPairingCode, isCommissioned: node.lifecycle.isCommissioned });

/** From when until when those are valid that it was given, in seconds since 2000; 0 is for ever. */
function printCertificates() {
  const { trustedRootCertificates, nocs } = node.state.operationalCredentials;
  const given = [
    ...trustedRootCertificates.map((each) => Rcac.fromTlv(each)),
    ...nocs.map(({ noc }) => Noc.fromTlv(noc)),
  ];
  print({ event: "certificates", value: given.map(({ cert: { notBefore, notAfter } }) => ({ notBefore, notAfter })) });
}

let rest = "";
process.stdin.setEncoding("utf8").on("data", async (text) => {
  const lines = `${rest}${text}`.split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines.filter((each) => each !== "")) {
    const order = JSON.parse(line);
    if (order.lamp !== undefined) await lamp.set({ onOff: { onOff: order.lamp } });
    if (order.celsius !== undefined)
      await sensor.set({ temperatureMeasurement: { measuredValue: Math.round(order.celsius * 100) } });
    if (order.press) {
      await button.set({ switch: { currentPosition: 1 } });
      await button.set({ switch: { currentPosition: 0 } });
    }
    if (order.reachable !== undefined)
      await lamps[order.of].set({ bridgedDeviceBasicInformation: { reachable: order.reachable } });
    if (order.lamps !== undefined) await haveLamps(order.lamps);
    if (order.firmware !== undefined)
      await node.set({
        basicInformation: { softwareVersion: order.firmware, softwareVersionString: `${order.firmware}.0` },
      });
    if (order.certificates) printCertificates();
    if (order.reset) await node.erase();
    print({ event: "done", order });
  }
});
process.on("SIGTERM", () => void node.close().then(() => process.exit(0)));
