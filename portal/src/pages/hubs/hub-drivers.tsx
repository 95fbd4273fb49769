/** How a hub reaches devices: the state of its drivers, devices that wait to be admitted, and what can be set up. */
import { Group, Text } from "@mantine/core";
import type { Client } from "@porchlight/shared/api";
import type { FoundDeviceText, HubDriver } from "@porchlight/shared/model";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { driversQuery } from "../../data/hubs.ts";
import { Section } from "../../kit/display/page.tsx";
import { Empty, QueryView } from "../../kit/display/query-view.tsx";
import { StateWord } from "../../kit/display/state.tsx";
import { DataTable } from "../../kit/display/table.tsx";
import { Confirm } from "../../kit/forms/confirm.tsx";
import { useApi } from "../../session/context.tsx";
import { SetupButton } from "./setup-button.tsx";

export function HubDrivers({ client }: { readonly client: Client }) {
  const isOnline = client.connection.state === "online";
  const drivers = useQuery({ ...driversQuery(useApi(), client.id), enabled: isOnline });
  const all = isOnline ? (drivers.data ?? []) : [];
  const setups = all.flatMap(({ setups: offered }) => offered);
  return (
    <Section
      title="Drivers"
      lead="A driver reaches one kind of device: those on a serial line, on the network, behind a broker."
      actions={
        setups.length > 0 && (
          <Group gap="xs">
            {setups.map((setup) => (
              <SetupButton key={setup.kind} clientId={client.id} setup={setup} />
            ))}
          </Group>
        )
      }
    >
      {isOnline ? (
        <QueryView query={drivers} isEmpty={(given) => given.length === 0} empty={<NoDrivers />}>
          {(given) => (
            <>
              <Drivers drivers={given} />
              <Found client={client} drivers={given} />
            </>
          )}
        </QueryView>
      ) : (
        <Text size="sm">The hub is not connected. What its drivers see is known when it is back.</Text>
      )}
    </Section>
  );
}

function Drivers({ drivers }: { readonly drivers: readonly HubDriver[] }) {
  return (
    <DataTable
      label="Drivers of the hub"
      rows={drivers}
      idOf={({ name }) => name}
      columns={[
        { name: "Driver", cell: ({ name }) => <span className="mono">{name}</span> },
        { name: "State", cell: (driver) => <DriverState driver={driver} />, isWide: true },
        { name: "Devices", cell: ({ devices }) => devices, isNumber: true },
      ]}
    />
  );
}

/** A problem is more than the state: a driver runs while its broker is away. */
function DriverState({ driver: { state, problem } }: { readonly driver: HubDriver }) {
  if (problem !== undefined) return <StateWord tone={state === "failed" ? "bad" : "warn"}>{problem}</StateWord>;
  return <StateWord tone={state === "running" ? "good" : "none"}>{state}</StateWord>;
}

function Found({ client, drivers }: { readonly client: Client; readonly drivers: readonly HubDriver[] }) {
  const found = drivers.flatMap((driver) => driver.found.map((device) => ({ ...device, driver: driver.name })));
  if (found.length === 0) return null;
  return (
    <>
      <Text size="sm">
        {found.length === 1 ? "One device is seen and left alone." : `${found.length} devices are seen and left alone.`}{" "}
        The hub reads and sets a device once it is admitted.
      </Text>
      <DataTable
        label="Devices that are not admitted"
        rows={found}
        idOf={({ edgeId, driver }) => `${driver} ${edgeId}`}
        columns={[
          { name: "Device", cell: (device) => <bdi>{titleOf(device)}</bdi> },
          { name: "Services", cell: ({ services }) => services.join(", ") || "not known yet", isWide: true },
          { name: "Edge ID", cell: ({ edgeId }) => <span className="mono">{edgeId}</span> },
          { name: "Seen by", cell: ({ driver }) => <span className="mono">{driver}</span> },
          { name: "Action", cell: (device) => <Admit client={client} device={device} /> },
        ]}
      />
    </>
  );
}

function Admit({ client: { id }, device }: { readonly client: Client; readonly device: FoundDeviceText }) {
  const api = useApi();
  const queries = useQueryClient();
  const { edgeId, admission } = device;
  return (
    <Confirm
      label="Admit"
      title={`Admit ${titleOf(device)}?`}
      act={async () => {
        await api.clients.admit(id, edgeId);
        await queries.invalidateQueries({ queryKey: ["clients", "drivers", id] });
      }}
    >
      {admission === "awaiting_admission"
        ? "It can let somebody in, or do damage: a lock, a valve, a siren, a garage door. Whoever may set devices of this environment can then operate it."
        : "Whoever may set devices of this environment can then operate it."}{" "}
      Compare the edge ID with what stands on the device, where it has one.
    </Confirm>
  );
}

function titleOf({ name, manufacturer, model, edgeId }: FoundDeviceText): string {
  const type = [manufacturer, model].filter(Boolean).join(" ");
  if (name === undefined) return type || edgeId;
  return type === "" ? name : `${name} (${type})`;
}

function NoDrivers() {
  return (
    <Empty title="The hub has no driver">
      Its settings name none: a serial line, the network, a broker. The document of the agent says how.
    </Empty>
  );
}
