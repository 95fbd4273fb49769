/** A device as a tile: its icon and name, how it is, and its main control. The same in a room, in a zone and on the page of the home. */
import type { Device, ServiceDescriptor } from "@porchlight/shared/api";
import { Link } from "@tanstack/react-router";
import { Icon } from "../kit/display/icon.tsx";
import { OnlineState } from "../kit/display/state.tsx";
import { Name } from "../kit/text/name.tsx";
import { nameOf } from "../kit/text/names.ts";
import { iconOf } from "./capability.ts";
import classes from "./device-tile.module.css";
import { mainControlsOf, shownBy } from "./main-control.ts";
import { isReachable, MainControl } from "./main-control-view.tsx";
import { TellingValues } from "./telling-values.tsx";

export interface DeviceTileProps {
  readonly device: Device;
  /** Undefined while they are fetched. */
  readonly services: readonly ServiceDescriptor[] | undefined;
}

export function DeviceTile({ device, services }: DeviceTileProps) {
  const { id, environmentId } = device;
  const controls = mainControlsOf(id, services ?? []);
  const isOn = controls.toggles.some(({ descriptor }) => descriptor.value === true);
  return (
    <li
      className={classes.tile}
      data-on={(isOn && isReachable(device)) || undefined}
      data-away={!isReachable(device) || undefined}
    >
      <div className={classes.head}>
        <span className={classes.icon}>
          <Icon name={iconOf(services)} size={22} />
        </span>
        <div className={classes.name}>
          <Link
            to="/environments/$environmentId/devices/$deviceId"
            params={{ environmentId, deviceId: id }}
            title={nameOf(device)}
          >
            <Name of={device} />
          </Link>
          <div className={classes.how}>
            {isReachable(device) ? (
              <TellingValues services={services} without={shownBy(controls)} most={2} />
            ) : (
              <OnlineState connection={device.connection} />
            )}
          </div>
        </div>
      </div>
      {services && <MainControl device={device} services={services} />}
    </li>
  );
}
