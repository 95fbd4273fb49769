/** The drivers of the hub behind a channel in memory: what holds in the agent's own process holds in a child. */
import { ESPHOME_EXCUSES, espHomeWorld } from "@porchlight/driver-esphome/esphome-world.fixture.ts";
import { hueWorld } from "@porchlight/driver-hue/hue-world.fixture.ts";
import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { PUSH_EXCUSES, pushWorld } from "@porchlight/driver-kit/push-world.fixture.ts";
import { BROKER_EXCUSES, brokerWorld } from "@porchlight/driver-mqtt/broker-world.fixture.ts";
import { LINE_EXCUSES, lineWorld } from "@porchlight/driver-porchlight/line-world.fixture.ts";
import { networkWorld } from "@porchlight/driver-porchlight/network-world.fixture.ts";
import { SHELLY_EXCUSES, shellyWorld } from "@porchlight/driver-shelly/shelly-world.fixture.ts";
import { ZWAVE_EXCUSES, zwaveWorld } from "@porchlight/driver-zwave/zwave-world.fixture.ts";
import { rounds } from "../../../../test/parts/rounds.ts";
import { inAChild } from "./through-channel.fixture.ts";

everyDriver("plugs that push, in a child", pushWorld, {
  without: PUSH_EXCUSES,
  through: inAChild,
});

everyDriver("any line that speaks the device protocol, in a child", lineWorld, {
  without: LINE_EXCUSES,
  through: inAChild,
});

everyDriver("a broker, in a child", brokerWorld({ echoes: false }), { without: BROKER_EXCUSES, through: inAChild });

/** The channel is the same for all of them: three that are unlike each other are judged in every run, the others at length. */
if (rounds(0, 1) === 1) {
  everyDriver("the home network, in a child", networkWorld, { through: inAChild });
  everyDriver("Shelly, in a child", shellyWorld, { without: SHELLY_EXCUSES, through: inAChild });
  everyDriver("the lamps of a Hue bridge, in a child", hueWorld, { through: inAChild });
  everyDriver("a Z-Wave network, in a child", zwaveWorld, { without: ZWAVE_EXCUSES, through: inAChild });
  everyDriver("ESPHome, in a child", espHomeWorld(true), { without: ESPHOME_EXCUSES, through: inAChild });
}
