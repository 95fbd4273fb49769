/** What every driver owes, of Tasmota. */
import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { TASMOTA_EXCUSES, tasmotaWorld } from "./tasmota-world.fixture.ts";

everyDriver("Tasmota", tasmotaWorld, { without: TASMOTA_EXCUSES });
