/** Devices of the example home, by what they are. */
export const LAMP = "02-50-4C-51-00-01";
export const SWITCH = "02-50-4C-52-00-01";
export const THERMOSTAT = "02-50-4C-52-00-02";
export const BUTTON = "02-50-4C-52-00-04";
