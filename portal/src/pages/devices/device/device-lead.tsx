/** What stands under a device's name: its alias and kind, whether it is online, and how old what the page shows is, once for all. */
import type { Device, ServiceDescriptor } from "@porchlight/shared/api";
import { kindWord } from "../../../devices/capability.ts";
import { useIsCurrent } from "../../../kit/display/current.ts";
import { OnlineState } from "../../../kit/display/state.tsx";
import { Age, clockOf } from "../../../kit/text/age.tsx";
import { NameText } from "../../../kit/text/name.tsx";
import { nameOf } from "../../../kit/text/names.ts";
import classes from "./device-lead.module.css";

export interface DeviceLeadProps {
  readonly device: Device;
  readonly services: readonly ServiceDescriptor[];
  /** When a value of it was observed last. */
  readonly heardAt: string | undefined;
}

export function DeviceLead({ device, services, heardAt }: DeviceLeadProps) {
  const { alias, type, connection } = device;
  const isCurrent = useIsCurrent();
  const kind = kindWord(services);
  return (
    <span className={classes.lead}>
      {alias !== undefined && alias !== nameOf(device) && <NameText text={alias} />}
      {kind !== undefined && <span>{kind}</span>}
      {type === "virtual" ? (
        <span>virtual: its values are kept in the cloud</span>
      ) : (
        <OnlineState connection={connection} />
      )}
      {heardAt !== undefined &&
        (isCurrent ? (
          <span>
            updated <Age at={heardAt} />
          </span>
        ) : (
          <span>as of {clockOf(heardAt)}</span>
        ))}
    </span>
  );
}
