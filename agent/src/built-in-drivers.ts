/**
 * The drivers that are part of this program: each by its name under `drivers` in the settings, in the order in which documents name them.
 * The only place that knows them; the settings and what starts them follow from it.
 */
import { esphome } from "@porchlight/driver-esphome";
import { hue } from "@porchlight/driver-hue";
import { mqtt } from "@porchlight/driver-mqtt";
import { shelly } from "@porchlight/driver-shelly";
import { zwave } from "@porchlight/driver-zwave";

export const BUILT_IN_DRIVERS = { mqtt, shelly, hue, zwave, esphome };
