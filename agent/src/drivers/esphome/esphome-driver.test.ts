import { everyDriver } from "../kit/judge/every-driver.suite.ts";
import { ESPHOME_EXCUSES, espHomeWorld } from "./esphome-world.fixture.ts";

everyDriver("ESPHome", espHomeWorld(true), { without: ESPHOME_EXCUSES });

everyDriver("ESPHome in plain text", espHomeWorld(false), {
  without: { ...ESPHOME_EXCUSES, secrets: "without a key there are none" },
});
