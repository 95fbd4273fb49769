/** `Lock` as DoorLock, without codes and users: the hub manages access, and Matter does not need it. */
import type { DescribedProperty, Value } from "@porchlight/shared/model";
import {
  DEVICE_TYPES,
  type Happening,
  type Part,
  type ShownCluster,
  type Unclaimed,
  type Values,
} from "../parts/part.ts";
import { isTrue } from "../parts/units.ts";

const STATE = { jammed: 0, locked: 1, unlocked: 2 };
const OPERATION = { lock: 0, unlock: 1 };
const JAMMED_ALARM = 0;
/** Operation without a known Matter user. */
const BY_NO_ONE = { operationSource: 0, userIndex: null, fabricIndex: null, sourceNode: null };

export function locks(unclaimed: Unclaimed): Part[] {
  return unclaimed.indexes("Lock").flatMap((index) => {
    const locked = unclaimed.settable("Lock", index, "locked");
    if (!locked) return [];
    const jammed = unclaimed.look("Lock", index, "jammed");
    unclaimed.claim(locked, jammed);
    const clusters = [lockCluster(locked, jammed)];
    return [{ key: `lock:${index}`, type: DEVICE_TYPES.doorLock, hasGroups: false, clusters }];
  });
}

function lockCluster(locked: DescribedProperty, jammed: DescribedProperty | undefined): ShownCluster {
  return {
    cluster: "doorLock",
    features: [],
    attributes: (values) => ({
      lockState: stateOf(locked, jammed, values),
      lockType: 0,
      actuatorEnabled: true,
      operatingMode: 0,
      // In this bitmap a set bit means that the mode is not supported.
      supportedOperatingModes: {
        normal: false,
        vacation: true,
        privacy: true,
        noRemoteLockUnlock: false,
        passage: true,
      },
    }),
    commands: {
      lockDoor: () => [{ key: locked.key, value: true }],
      unlockDoor: () => [{ key: locked.key, value: false }],
      unlockWithTimeout: () => ({ refused: "unsupported" }),
    },
    writes: { operatingMode: (mode) => (mode === 0 ? [] : { refused: "constraint" }) },
    happenings: (key, value) => happeningsOf(locked, jammed, key, value),
  };
}

function stateOf(locked: DescribedProperty, jammed: DescribedProperty | undefined, values: Values): number | null {
  if (isTrue(values, jammed)) return STATE.jammed;
  const value = values.value(locked.key);
  if (typeof value !== "boolean") return null;
  return value ? STATE.locked : STATE.unlocked;
}

function happeningsOf(
  locked: DescribedProperty,
  jammed: DescribedProperty | undefined,
  key: string,
  value: Value,
): Happening[] {
  if (key === jammed?.key && value === true) return [{ event: "doorLockAlarm", data: { alarmCode: JAMMED_ALARM } }];
  if (key !== locked.key || typeof value !== "boolean") return [];
  const lockOperationType = value ? OPERATION.lock : OPERATION.unlock;
  return [{ event: "lockOperation", data: { lockOperationType, ...BY_NO_ONE } }];
}
