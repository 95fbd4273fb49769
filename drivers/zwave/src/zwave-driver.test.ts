/** The driver of a Z-Wave network: judged as every driver is. */
import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { ZWAVE_EXCUSES, zwaveWorld } from "./zwave-world.fixture.ts";

everyDriver("a Z-Wave network", zwaveWorld, { without: ZWAVE_EXCUSES });
