/** The problems of a home: dangers, unreachable devices, low batteries, and devices that wait for admission. */
import type { Device } from "@porchlight/shared/api";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { driversQuery } from "../../data/hubs.ts";
import { clientsQuery } from "../../data/queries.ts";
import type { ServicesByDevice } from "../../data/services.ts";
import { useTitles } from "../../devices/use-titles.ts";
import { Icon, type IconName } from "../../kit/display/icon.tsx";
import { Section } from "../../kit/display/page.tsx";
import { OnlineState, StateWord } from "../../kit/display/state.tsx";
import { Name, NameText } from "../../kit/text/name.tsx";
import { nameOf } from "../../kit/text/names.ts";
import { counted } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./home.module.css";
import { type Concern, concernsOf } from "./rooms.ts";

interface ConcernsProps {
  readonly environmentId: string;
  readonly devices: readonly Device[];
  readonly services: ServicesByDevice | undefined;
}

/** Number of problems at first; a button shows the others. */
const FEW = 6;
/** Poll interval in ms: each request goes through the tunnel of a hub. */
const ASK_HUBS_AGAIN = 60_000;

export function Concerns({ environmentId, devices, services }: ConcernsProps) {
  const concerns = concernsOf(devices, services);
  const waiting = useWaiting(environmentId);
  const [isAll, setAll] = useState(false);
  const shown = isAll ? concerns : concerns.slice(0, FEW);
  if (concerns.length === 0 && waiting.length === 0) return null;
  return (
    <Section title="Needs attention">
      <ul className={classes.concerns}>
        {shown.map((concern) => (
          <ConcernRow key={`${concern.kind} ${concern.device.id}`} concern={concern} />
        ))}
        {waiting.map(({ clientId, name, count }) => (
          <li key={clientId}>
            <Icon name="plus" />
            <Link to="/environments/$environmentId/hubs/$clientId" params={{ environmentId, clientId }}>
              {counted(count, "device")} at <NameText text={name} />
            </Link>
            <StateWord tone="warn">awaiting admission</StateWord>
          </li>
        ))}
      </ul>
      {concerns.length > shown.length && (
        <div>
          <button type="button" className={classes.more} onClick={() => setAll(true)}>
            Show all {concerns.length}
          </button>
        </div>
      )}
    </Section>
  );
}

const ICONS: Readonly<Record<Concern["kind"], IconName>> = { danger: "safety", away: "warn", battery: "battery" };

function ConcernRow({ concern }: { readonly concern: Concern }) {
  const { device } = concern;
  const titles = useTitles();
  return (
    <li>
      <Icon name={ICONS[concern.kind]} />
      <Link
        to="/environments/$environmentId/devices/$deviceId"
        params={{ environmentId: device.environmentId, deviceId: device.id }}
      >
        <Name of={device} />
      </Link>
      {concern.kind === "danger" && <StateWord tone="bad">{titles.ofClass(concern.service)} detected</StateWord>}
      {concern.kind === "away" && <OnlineState connection={device.connection} />}
      {concern.kind === "battery" && (
        <StateWord tone="warn">battery low{concern.percent !== undefined && `, ${concern.percent} %`}</StateWord>
      )}
    </li>
  );
}

/** Devices that hubs have found and the user has not admitted. Offline hubs and old agents report none. */
function useWaiting(environmentId: string) {
  const api = useApi();
  const hubs = useQuery(clientsQuery(api, environmentId)).data ?? [];
  const online = hubs.filter(({ connection }) => connection.state === "online");
  const drivers = useQueries({
    queries: online.map(({ id }) => ({ ...driversQuery(api, id), refetchInterval: ASK_HUBS_AGAIN })),
  });
  return online.flatMap((hub, at) => {
    const count = (drivers[at]?.data ?? []).flatMap(({ found }) => found).length;
    return count === 0 ? [] : [{ clientId: hub.id, name: nameOf(hub), count }];
  });
}
