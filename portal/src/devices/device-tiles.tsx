/** Tiles of several devices, a bounded number at first. */
import { Button } from "@mantine/core";
import type { Device } from "@porchlight/shared/api";
import { useState } from "react";
import type { ServicesByDevice } from "../data/new-value.ts";
import classes from "./device-tile.module.css";
import { DeviceTile } from "./device-tile.tsx";

export interface DeviceTilesProps {
  readonly devices: readonly Device[];
  /** Undefined while they are fetched. */
  readonly services: ServicesByDevice | undefined;
  /** What the tiles are of, for who cannot see it. */
  readonly label: string;
}

/** More at a press: pages of a thousand devices stay quick. */
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

/** A device that is not among them has announced nothing. */
export function servicesFor(all: ServicesByDevice | undefined, deviceId: string) {
  return all && (all.get(deviceId)?.items ?? []);
}
