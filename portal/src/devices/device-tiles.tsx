/** Tiles of several devices; at first only a limited number. */
import { Button } from "@mantine/core";
import type { Device, ServiceDescriptor } from "@porchlight/shared/api";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ServicesByDevice } from "../data/services.ts";
import { Icon } from "../kit/display/icon.tsx";
import { OnlineState } from "../kit/display/state.tsx";
import { Name } from "../kit/text/name.tsx";
import { nameOf } from "../kit/text/names.ts";
import { iconOf } from "./capability.ts";
import classes from "./device-tile.module.css";
import { mainControlsOf, shownBy } from "./main-control.ts";
import { isReachable, MainControl } from "./main-control-view.tsx";
import { TellingValues } from "./telling-values.tsx";

interface DeviceTilesProps {
  readonly devices: readonly Device[];
  /** Undefined while they load. */
  readonly services: ServicesByDevice | undefined;
  /** The accessible name of the group of tiles. */
  readonly label: string;
}

/** Number of tiles at first; a button shows more. It keeps pages with a thousand devices fast. */
const FEW = 24;

export function DeviceTiles({ devices, services, label }: DeviceTilesProps) {
  const [shown, setShown] = useState(FEW);
  return (
    <>
      <ul className={classes.tiles} aria-label={label}>
        {devices.slice(0, shown).map((device) => (
          <DeviceTile key={device.id} device={device} services={servicesFor(services, device.id)} />
        ))}
      </ul>
      {devices.length > shown && (
        <div>
          <Button variant="default" size="xs" onClick={() => setShown(shown + FEW * 4)}>
            Show {Math.min(FEW * 4, devices.length - shown)} more of {devices.length}
          </Button>
        </div>
      )}
    </>
  );
}

/** A device that is not in the map has announced no services. */
export function servicesFor(all: ServicesByDevice | undefined, deviceId: string) {
  return all && (all.get(deviceId)?.items ?? []);
}

interface DeviceTileProps {
  readonly device: Device;
  /** Undefined while they load. */
  readonly services: readonly ServiceDescriptor[] | undefined;
}

/** A device as a tile: its icon, name, state and main control. Rooms, zones and the home page use the same tile. */
function DeviceTile({ device, services }: DeviceTileProps) {
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
