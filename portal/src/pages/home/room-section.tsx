/** One room: its climate, its number of lights on, a switch for all lights, and each device. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ServicesByDevice } from "../../data/services.ts";
import { capabilitiesOf } from "../../devices/capability.ts";
import { DeviceTiles, servicesFor } from "../../devices/device-tiles.tsx";
import { agreementOf, agreementWords, type Controlled, mainControlsOf } from "../../devices/main-control.ts";
import { isReachable } from "../../devices/main-control-view.tsx";
import { Section } from "../../kit/display/page.tsx";
import { titleOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useWrites } from "../../live/context.tsx";
import classes from "./home.module.css";
import { climateOf, type Room } from "./rooms.ts";

interface RoomProps {
  readonly room: Room;
  readonly services: ServicesByDevice | undefined;
}

export function RoomSection({ room, services }: RoomProps) {
  const { zone, devices } = room;
  const title = zone ? titleOf(zone, "Zone") : "Not in a zone";
  return (
    <Section
      title={title}
      lead={<RoomLead room={room} services={services} />}
      actions={<Lights {...{ title, room, services }} />}
    >
      <DeviceTiles devices={devices} services={services} label={`Devices: ${title}`} />
    </Section>
  );
}

function RoomLead({ room: { zone, devices }, services }: RoomProps) {
  const { temperature, humidity } = climateOf(devices, services);
  return (
    <span className={classes.lead}>
      {temperature && <span>{rangeWords(temperature, "°C")}</span>}
      {humidity && <span>{rangeWords(humidity, "%")} humidity</span>}
      {zone && (
        <Link
          to="/environments/$environmentId/zones/$zoneId"
          params={{ environmentId: zone.environmentId, zoneId: zone.id }}
        >
          {counted(devices.length, "device")}
        </Link>
      )}
    </span>
  );
}

function rangeWords([least, most]: readonly [number, number], unit: string): string {
  const [from, to] = [least, most].map((each) => Number(each.toFixed(1)));
  return from === to ? `${from} ${unit}` : `${from} to ${to} ${unit}`;
}

/** Switches the lights of a room, but not other switches: one of them may power a freezer. */
function Lights({ title, room: { devices }, services }: RoomProps & { readonly title: string }) {
  const writes = useWrites();
  const lights = devices.filter((device) => isReachable(device)).flatMap(({ id }) => lightSwitches(id, services));
  if (lights.length === 0) return null;
  const agreement = agreementOf(lights);
  const set = (isOn: boolean) => {
    for (const { target, descriptor } of lights) if (descriptor.value !== isOn) writes.ask(target, isOn);
  };
  return (
    <div className={classes.lights}>
      <span className={classes.agreement}>
        {lights.length === 1 ? "Light" : "Lights"} {agreementWords(agreement)}
      </span>
      {lights.length > 1 && (
        <>
          <Button size="xs" variant="default" onClick={() => set(true)} aria-label={`${title}, lights: All on`}>
            All on
          </Button>
          <Button size="xs" variant="default" onClick={() => set(false)} aria-label={`${title}, lights: All off`}>
            All off
          </Button>
        </>
      )}
    </div>
  );
}

function lightSwitches(deviceId: string, services: ServicesByDevice | undefined): readonly Controlled[] {
  const own = servicesFor(services, deviceId) ?? [];
  if (!capabilitiesOf(own).includes("light")) return [];
  return mainControlsOf(deviceId, own).toggles.filter(({ target }) => target.service === "Switch");
}
