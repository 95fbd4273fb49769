/** Why it is not known whether a device has done something, or what it is, in words for people. */
import { addressKey, type PropertyAddress } from "@porchlight/shared/model";
import type { MqttDevice } from "./mqtt-device.ts";

/** Of a device without a state topic. */
export const NO_STATE = "The device does not report its state, so it is not known whether it has acted.";
/** Of a property that only the device itself tells. */
export const NOT_ASKABLE = "The device only reports this value by itself. The hub cannot ask for it.";

/** Of a part of a device whose own availability says so. */
export const PART_AWAY = "The device reports that this part of it cannot be reached.";

/** Of a property that has gone. */
export function notDescribed(address: PropertyAddress): string {
  return `The device no longer describes ${addressKey(address)}.`;
}

/** Of a property that went while a command waited for it. */
export function goneWhileWaiting(address: PropertyAddress): string {
  return `${notDescribed(address)} It is not known whether it has acted.`;
}

/** It was asked, and has said nothing by the deadline. */
export function notAnswered(device: MqttDevice): string {
  return isOnBattery(device)
    ? "The device did not answer. It runs on a battery and may be asleep."
    : "The device did not answer.";
}

/** It was told to be something, and has not said by the deadline that it is. */
export function notConfirmed(device: MqttDevice): string {
  return isOnBattery(device)
    ? "The device did not confirm the command. It runs on a battery: if it is asleep, it may still carry out the command when it wakes."
    : "The device did not confirm the command.";
}

/** By its own description: what is charged tells no battery. */
function isOnBattery({ properties }: MqttDevice): boolean {
  return properties.some(({ address }) => address.service === "Battery");
}
