/**
 * The drivers that are part of this program: each by its name under `drivers` in the settings, in the order of the documents. The only
 * list of them; the settings and the start of drivers derive from it.
 */
import { esphome } from "@porchlight/driver-esphome";
import { hue } from "@porchlight/driver-hue";
import { mqtt } from "@porchlight/driver-mqtt";
import { shelly } from "@porchlight/driver-shelly";
import { zwave } from "@porchlight/driver-zwave";

export const BUILT_IN_DRIVERS = { mqtt, shelly, hue, zwave, esphome };
