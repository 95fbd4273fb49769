/** The history of a property, with other properties of the same device for comparison. */
import { NativeSelect } from "@mantine/core";
import type { PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import HistoryChart from "../../charts/history-chart.tsx";
import type { Subject } from "../../charts/series-subject.ts";
import { servicesQuery } from "../../data/queries.ts";
import { useTitles } from "../../devices/use-titles.ts";
import { keyOf, type Target } from "../../live/target.ts";
import { useApi } from "../../session/context.tsx";
import { PinButtons } from "../dashboard/pin-buttons.tsx";
import { useDevicePage } from "./device-page-context.tsx";

interface PropertyHistoryProps {
  readonly target: Target;
  readonly descriptor: PropertyDescriptor;
  readonly name: string;
}

/** More series would be indistinguishable. */
const MOST = 8;

export default function PropertyHistory({ target, descriptor, name }: PropertyHistoryProps) {
  const { device } = useDevicePage();
  const services = useQuery(servicesQuery(useApi(), device.id)).data?.items;
  const titles = useTitles();
  const [added, setAdded] = useState<readonly string[]>([]);
  const all = useMemo(() => propertiesOf(device.id, services ?? [], titles), [device.id, services, titles]);
  const { id, clientId, connection } = device;
  // Uses the name of the row, which the page has chosen.
  const own = JSON.stringify([target, descriptor.type, descriptor.unit, descriptor.values, descriptor.access, name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text changes with the property, but not with its value
  const subjects = useMemo(
    (): readonly Subject[] => [
      { target, descriptor, name, device: { id, clientId, connection } },
      ...all
        .filter(({ key }) => added.includes(key))
        .map((each) => ({ ...each, device: { id, clientId, connection } })),
    ],
    [own, all, added, id, clientId, connection],
  );
  const others = all.filter(({ key }) => key !== keyOf(target) && !added.includes(key));
  return (
    <HistoryChart
      subjects={subjects}
      label={name}
      actions={
        <>
          <PinButtons environmentId={device.environmentId} targets={subjects.map((each) => each.target)} />
          {others.length > 0 && subjects.length < MOST && (
            <NativeSelect
              size="xs"
              aria-label="Add a property to the chart"
              value=""
              onChange={(event) => setAdded([...added, event.currentTarget.value])}
              data={[
                { value: "", label: "Compare with…" },
                ...others.map(({ key, name: label }) => ({ value: key, label })),
              ]}
            />
          )}
        </>
      }
    />
  );
}

type Named = Pick<Subject, "target" | "name" | "descriptor"> & { readonly key: string };

/** All readable properties of the device, with their display names. */
function propertiesOf(
  deviceId: string,
  services: readonly ServiceDescriptor[],
  titles: ReturnType<typeof useTitles>,
): readonly Named[] {
  return services.flatMap(({ service, index, properties }) => {
    const isOnly = services.filter((each) => each.service === service).length === 1;
    return properties
      .filter(({ access }) => access.some((each) => each !== "write"))
      .map((descriptor): Named => {
        const target = { deviceId, service, index, property: descriptor.property };
        const title = `${titles.ofClass(service)}${isOnly ? "" : ` ${index}`}`;
        const own = titles.ofProperty(service, descriptor.property);
        return { key: keyOf(target), target, descriptor, name: own === title ? own : `${title}: ${own}` };
      });
  });
}
