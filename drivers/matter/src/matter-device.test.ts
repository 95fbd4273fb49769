/** A device that answers that it has no value is believed, and its earlier report is not. */
import { attemptOf } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { FakeNode } from "./fake-matter.fixture.ts";
import { describeEndpoints } from "./mapping/describe.ts";
import { MatterDevice } from "./matter-device.ts";

const TEMPERATURE = { service: "Temperature", index: "1", property: "celsius" };
const TARGET = { service: "Cover", index: "2", property: "target" };

/** A sensor and a shutter that have reported 21.5 °C and 40 % closed, and answer every question with this. */
function given(answer: unknown) {
  const clock = new VirtualClock();
  const windowCovering = {
    featureMap: ["lift", "positionAwareLift"],
    currentPositionLiftPercent100ths: 4000,
    targetPositionLiftPercent100ths: 4000,
  };
  const node = new FakeNode(clock, "1", {
    1: { types: [0x0302], clusters: { temperatureMeasurement: { measuredValue: 2150 } } },
    2: { types: [0x0202], clusters: { windowCovering } },
  });
  Object.assign(node, { isConnected: true, isMute: true, read: async () => answer });
  const facts = {
    edgeId: "02-00-00-00-00-01",
    about: {},
    transport: "matter",
    properties: describeEndpoints(
      [...node.endpoints].map(([number, endpoint]) => ({ endpoint, index: String(number) })),
    ),
  };
  const counters = { lateEvents: 0, lostEvents: 0 };
  const device = new MatterDevice(facts, { clock, host: new FakeHost(), node, isThere: () => true, counters });
  device.arrive();
  const attempt = () => attemptOf(clock, { deadline: clock.monotonic() + 5000, mayTouch: () => true });
  return { clock, device, attempt };
}

test("a device that answers null has no value any more, also after earlier values", async () => {
  const { device, attempt } = given(null);
  expect(await device.read(TEMPERATURE, attempt())).toEqual({ kind: "value", value: null });
});

test("one that answers with a value has that", async () => {
  const { device, attempt } = given(2250);
  expect(await device.read(TEMPERATURE, attempt())).toEqual({ kind: "value", value: 22.5 });
});

test("a write of an earlier value that the device then answers with null is not confirmed", async () => {
  const { clock, device, attempt } = given(null);
  const writing = device.write(TARGET, 60, attempt());
  await clock.advance(6000);
  expect(await writing).toMatchObject({ outcome: "unknown", detail: expect.stringContaining("has not said") });
});
