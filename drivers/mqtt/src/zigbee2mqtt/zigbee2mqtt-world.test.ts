/** What every driver owes, of Zigbee2MQTT. */
import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { BROKER_EXCUSES } from "../broker-world.fixture.ts";
import { zigbee2mqttWorld } from "./zigbee2mqtt-world.fixture.ts";

everyDriver("Zigbee2MQTT", zigbee2mqttWorld, { without: BROKER_EXCUSES });
