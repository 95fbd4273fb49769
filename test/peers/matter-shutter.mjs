// A Matter device of another team's making whose every act is on record: built with matter.js at another version than the driver's (test/peers). A
// shutter and a thermostat on one node, for runs under faults: what it does is written down before it is answered, and kept over its death. Its one
// argument is JSON; orders on stdin are turns at the device by hand.
import "@matter/nodejs";
import { existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { Endpoint, Environment, Logger, LogLevel, ServerNode } from "@matter/main";
import { ThermostatServer } from "@matter/main/behaviors/thermostat";
import { WindowCoveringServer } from "@matter/main/behaviors/window-covering";
import { ThermostatDevice } from "@matter/main/devices/thermostat";
import { WindowCoveringDevice } from "@matter/main/devices/window-covering";

const { discriminator, uniqueId, edgeId, storage, acts, first } = JSON.parse(process.argv[2] ?? "");
/** The properties that it is, as the hub calls them. */
const [COVER, SETPOINT] = ["Cover:1.target", "Thermostat:2.target"];
const print = (message) => void process.stdout.write(`${JSON.stringify(message)}\n`);
Environment.default.vars.set("storage.path", storage);
Logger.level = LogLevel.WARN;

const earlier = existsSync(acts)
  ? readFileSync(acts, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
  : [];
const boot = (earlier.at(-1)?.boot ?? 0) + 1;
const lastOf = (property) => earlier.findLast((each) => each.property === property)?.value ?? first[property];
const file = openSync(acts, "a");
let seq = 0;

function act(property, value, by) {
  seq += 1;
  const at = Number(process.hrtime.bigint()) / 1e6;
  const done = { at, device: edgeId, property, value, by, seq: by === "write" ? seq : -1, boot };
  writeSync(file, `${JSON.stringify(done)}\n`);
}

/** The protocol counts how far it is closed, in hundredths. */
const closedOf = (open) => Math.round((100 - open) * 100);
const openOf = (closed) => (10_000 - closed) / 100;

/** Is at the commanded position at once. Each command is an act, with any arguments. */
class Shutter extends WindowCoveringServer.with("Lift", "PositionAwareLift") {
  goToLiftPercentage({ liftPercent100thsValue }) {
    act(COVER, openOf(liftPercent100thsValue), "write");
    super.goToLiftPercentage({ liftPercent100thsValue });
  }
}

const node = await ServerNode.create({
  id: "device",
  network: { port: 5540 },
  commissioning: { passcode: 20202021, discriminator },
  productDescription: { name: "Porch shutter", deviceType: WindowCoveringDevice.deviceType },
  basicInformation: {
    vendorName: "Other Team",
    productName: "Porch shutter",
    nodeLabel: "Porch shutter",
    productId: 0x8000,
    uniqueId,
    serialNumber: "S-2",
    softwareVersion: 1,
    softwareVersionString: "1.0",
  },
});
const closed = closedOf(lastOf(COVER));
const shutter = new Endpoint(WindowCoveringDevice.with(Shutter), {
  id: "shutter",
  number: 1,
  windowCovering: {
    type: 0,
    endProductType: 0,
    currentPositionLiftPercent100ths: closed,
    targetPositionLiftPercent100ths: closed,
  },
});
const setpoint = Math.round(lastOf(SETPOINT) * 100);
const thermostat = new Endpoint(ThermostatDevice.with(ThermostatServer.with("Heating")), {
  id: "thermostat",
  number: 2,
  thermostat: {
    controlSequenceOfOperation: 2,
    systemMode: 4,
    localTemperature: 2000,
    absMinHeatSetpointLimit: 500,
    absMaxHeatSetpointLimit: 3500,
    minHeatSetpointLimit: 500,
    maxHeatSetpointLimit: 3500,
    occupiedHeatingSetpoint: setpoint,
  },
});
await node.add(shutter);
await node.add(thermostat);
// Its stored state may be older than its acts.
await shutter.set({
  windowCovering: { currentPositionLiftPercent100ths: closed, targetPositionLiftPercent100ths: closed },
});
await thermostat.set({ thermostat: { occupiedHeatingSetpoint: setpoint } });
/** Of the change that a hand makes now. */
let turned;
// Before it is stored, and so before it is answered.
thermostat.events.thermostat.occupiedHeatingSetpoint$Changing.on((value) => {
  act(SETPOINT, value / 100, value === turned ? "person" : "write");
});
await node.start();
const { qrPairingCode } = node.state.commissioning.pairingCodes;
print({ event: "started", qrPairingCode });

/** One after another. */
async function turn({ property, value }) {
  if (property === COVER) {
    act(COVER, value, "person");
    await shutter.set({
      windowCovering: {
        currentPositionLiftPercent100ths: closedOf(value),
        targetPositionLiftPercent100ths: closedOf(value),
      },
    });
  } else {
    turned = Math.round(value * 100);
    await thermostat.set({ thermostat: { occupiedHeatingSetpoint: turned } });
  }
}
let turning = Promise.resolve();
createInterface({ input: process.stdin })
  .on("line", (line) => {
    turning = turning.then(() => turn(JSON.parse(line)));
  })
  // Its parent process is gone.
  .on("close", () => process.exit(0));
